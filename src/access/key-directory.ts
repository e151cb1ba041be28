// Looks up keys. A key is hashed once and then cached; revocations are polled, so a revoked key and its open
// streams stop within two seconds on every replica.

import { timingSafeEqual } from 'node:crypto';
import { type Clock, sleep, systemClock } from '../runtime/clock.ts';
import { errorMessage, StoreError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { ApiKeyRecord, KeyStore, Tier } from '../store/ports.ts';
import { DEMO_LABEL } from './demo-key.ts';
import { digestKey, isWellFormedKey } from './key-service.ts';
import type { LimitedCaller, Limiter } from './limiter.ts';

export interface Identity {
  readonly keyId: string;
  readonly tier: Tier;
  /** Whether the demo issued the key, rather than the operator. */
  readonly isDemo: boolean;
  /** null if the tier has no limit. */
  readonly caller: LimitedCaller | null;
  readonly expiresTs: number;
  isRevoked: boolean;
  /** Number of calls in progress with this key. */
  inHand: number;
}

export interface KeyDirectory {
  /** null for an unknown, malformed, revoked or expired key; a promise only for a key not seen before. */
  find(key: string, nowTs: number): Identity | null | Promise<Identity | null>;
  /** Returns the cached owner of the key; never queries the store. */
  recall(key: string): Identity | undefined;
  /** Runs `action` once when the key is revoked or expires; the returned function cancels it. */
  onEnd(identity: Identity, action: () => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface KeyDirectoryOptions {
  keys: KeyStore;
  limiter: Limiter;
  clock: Clock;
  /** Measures the pause after a miss; real time by default. */
  pauseClock?: Clock;
  logger: Logger;
  pollPeriodMs?: number;
}

const POLL_PERIOD_MS = 1_000;
const REJECTED_LIMIT = 10_000;
const LONGEST_KEY = 64;
const REJECTED_FOR_MS = 1_000;

export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { keys, limiter, clock, logger, pollPeriodMs = POLL_PERIOD_MS } = options;
  const lookup = createKeyLookup(keys, options.pauseClock ?? systemClock);
  const byKey = new Map<string, Identity>();
  const byDigest = new Map<string, Identity>();
  const rejected = createRejectedKeys();
  /** Includes keys not cached yet, because a key may be revoked during its lookup. */
  const revokedDigests = new Set<string>();
  const watches = new Set<{ identity: Identity; action: () => void }>();
  let knownRevocations = 0;

  function remember(record: ApiKeyRecord): Identity {
    const known = byDigest.get(record.digest);
    if (known) return known;
    const identity: Identity = {
      keyId: record.keyId,
      tier: record.tier,
      isDemo: record.label === DEMO_LABEL,
      caller: limiter.forKey(record.keyId, record.tier),
      expiresTs: record.expiresTs ?? Infinity,
      inHand: 0,
      isRevoked: record.revokedTs !== null || revokedDigests.has(record.digest),
    };
    byDigest.set(record.digest, identity);
    return identity;
  }

  async function lookUp(key: string, digest: string, nowTs: number): Promise<Identity | null> {
    const record = await lookup.find(digest);
    // The store matched by digest; compare again in constant time, independent of its collation.
    if (!record || !isSameDigest(record.digest, digest)) return rejected.add(key, nowTs);
    const identity = remember(record);
    byKey.set(key, identity);
    return admit(identity, nowTs);
  }

  async function learnRevocations(): Promise<void> {
    // Count before reading the list, so a revocation in between is read twice rather than missed.
    const revocations = await keys.countRevocations();
    if (revocations === knownRevocations) return;
    for (const digest of await keys.listRevokedDigests()) {
      revokedDigests.add(digest);
      const identity = byDigest.get(digest);
      if (identity) identity.isRevoked = true;
    }
    knownRevocations = revocations;
    endWhatIsOver();
  }

  function endWhatIsOver(): void {
    const nowTs = clock.now();
    for (const watch of watches) {
      if (admit(watch.identity, nowTs) !== null) continue;
      watches.delete(watch);
      watch.action();
    }
  }

  const every = { clock, firstPauseMs: pollPeriodMs, pauseMs: pollPeriodMs };
  const polling = createRepeat({
    ...every,
    run: learnRevocations,
    onError: (error) => logger.warn({ problem: errorMessage(error) }, 'revoked-key poll failed'),
  });
  /** Uses a local timer: a key must expire even while the store is down. */
  const expiring = createRepeat({ ...every, run: endWhatIsOver });

  return {
    find(key, nowTs) {
      const known = byKey.get(key);
      if (known) return admit(known, nowTs);
      if (rejected.has(key, nowTs)) return null;
      if (!isWellFormedKey(key)) return rejected.add(key, Infinity);
      const digest = digestKey(key);
      const identity = byDigest.get(digest);
      if (!identity) return lookUp(key, digest, nowTs);
      byKey.set(key, identity);
      return admit(identity, nowTs);
    },
    recall: (key) => byKey.get(key),
    onEnd(identity, action) {
      const watch = { identity, action };
      watches.add(watch);
      return () => void watches.delete(watch);
    },
    async start() {
      knownRevocations = await keys.countRevocations();
      for (const record of await keys.list()) remember(record);
      await Promise.all([polling.start(), expiring.start()]);
    },
    async stop() {
      await Promise.all([polling.stop(), expiring.stop()]);
    },
  };
}

/** Remembers wrong keys for a moment, so that repeating one does not query the store. */
function createRejectedKeys() {
  const rejected = new Map<string, number>();
  return {
    has(key: string, nowTs: number): boolean {
      const rejectedTs = rejected.get(key);
      return rejectedTs !== undefined && nowTs - rejectedTs < REJECTED_FOR_MS;
    },
    add(key: string, nowTs: number): null {
      // Oversized text cannot be one of our keys and is not cached.
      if (key.length > LONGEST_KEY) return null;
      if (rejected.size >= REJECTED_LIMIT) rejected.clear();
      rejected.set(key, nowTs);
      return null;
    },
  };
}

function admit(identity: Identity, nowTs: number): Identity | null {
  return identity.isRevoked || nowTs >= identity.expiresTs ? null : identity;
}

function isSameDigest(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

// Looks up unknown keys in the store: one batched query at a time, with a pause after a miss. Guessing
// therefore costs at most about 40 queries a second, and a newly issued key waits no longer than one pause.

interface KeyLookup {
  find(digest: string): Promise<ApiKeyRecord | undefined>;
}

type Asked = PromiseWithResolvers<ApiKeyRecord | undefined>;

const PAUSE_MS = 25;
const MAX_KEYS_PER_QUERY = 512;
/** Maximum number of callers waiting for an unresponsive store; more are refused at once. */
const MAX_WAITING = 10_000;

function createKeyLookup(keys: Pick<KeyStore, 'listByDigests'>, clock: Clock): KeyLookup {
  const waiting = new Map<string, Asked>();
  let isAsking = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    while (waiting.size > 0) {
      const someAreUnknown = await ask([...waiting].slice(0, MAX_KEYS_PER_QUERY));
      if (someAreUnknown) await sleep(clock, PAUSE_MS);
    }
    isAsking = false;
  }

  async function ask(asked: readonly [string, Asked][]): Promise<boolean> {
    try {
      const records = await keys.listByDigests(asked.map(([digest]) => digest));
      const byDigest = new Map(records.map((record) => [record.digest, record]));
      for (const [digest, { resolve }] of asked) resolve(byDigest.get(digest));
      return records.length < asked.length;
    } catch (error) {
      for (const [, { reject }] of asked) reject(error);
      return true;
    } finally {
      for (const [digest] of asked) waiting.delete(digest);
    }
  }

  return {
    find(digest) {
      const known = waiting.get(digest);
      if (known) return known.promise;
      if (waiting.size >= MAX_WAITING)
        return Promise.reject(
          new StoreError('too many unknown keys; try again shortly', { isRetryable: true }),
        );
      const asked: Asked = Promise.withResolvers();
      waiting.set(digest, asked);
      if (!isAsking) void askAll();
      return asked.promise;
    },
  };
}
