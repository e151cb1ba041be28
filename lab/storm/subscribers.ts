// PRO keys with a stream and webhooks during a storm: some receivers' names never resolve, and some keys are
// revoked. A revoked key receives nothing, and no receiver delays another.

import { createKeyDirectory } from '../../src/access/key-directory.ts';
import { createKeyService } from '../../src/access/key-service.ts';
import { createLimiter, DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import type { PostWebhook } from '../../src/alerts/delivery/post-guarded.ts';
import { RESOLVE_WITHIN_MS } from '../../src/alerts/delivery/post-guarded.ts';
import type { Account } from '../../src/domain/account.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { type Clock, sleep } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStreams } from '../../src/server/endpoints/stream.ts';
import type { StreamSink } from '../../src/server/http/stream-sink.ts';
import type { StreamHub } from '../../src/server/stream/stream-hub.ts';
import type { Board } from '../../src/state/board.ts';
import type { Store, WebhookEndpoint } from '../../src/store/ports.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { DEFAULT_BANKROLL_USD } from '../../src/trade/sizing/sizing-rules.ts';

export interface Subscribers {
  /** A key with a stream and a receiver that responds. */
  subscribe(): Promise<void>;
  /** More receivers with unresolvable names than one key may use at a time. */
  digTarpit(): Promise<void>;
  revoke(): Promise<void>;
  /** How alerts leave the leader. */
  postWebhook(clock: Clock): PostWebhook;
  /** Excuses the work of a process that is paused until then. */
  excuseUntil(ts: number): void;
  /** Called before the machine sleeps: delayed messages arrive when it wakes. */
  noteSleep(wakeTs: number): void;
  judge(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface SubscribersOptions {
  accounts: readonly Account[];
  /** The operator's store, which never fails. */
  store: Store;
  /** The replica's store, which fails with the storm. */
  troubled: Store;
  board: Board;
  clock: Clock;
  trueNow: () => number;
  troubleTs: () => number;
  fail: (what: string) => void;
}

interface Subscriber {
  keyId: string;
  url: string;
  revokedTs: number | null;
}

const TARPIT_RECEIVERS = 12;
/** The promised delay, plus one step of the storm's clock and one read. */
const ENDS_WITHIN_MS = 2 * SECOND_MS + 2 * SECOND_MS;
/** Longer than any single wait for a failing store. */
const TROUBLE_ENDS_WITHIN_MS = 25 * SECOND_MS;
const PENDING_WITHIN_MS = MINUTE_MS;

const MOST_PER_HOUR = 1_000_000;

export function createSubscribers(options: SubscribersOptions): Subscribers {
  const { store, clock, trueNow } = options;
  const keyService = createKeyService(store.keys, clock);
  const limiter = createLimiter(DEFAULT_LIMITS, clock);
  const directory = createKeyDirectory({
    ...{ keys: options.troubled.keys, limiter, clock, pauseClock: clock, logger: silentLogger },
  });
  const hub = openHub(options);
  const subscribers: Subscriber[] = [];
  const tarpits: string[] = [];
  const started = directory.start();
  let issued = 0;
  let excusedTs = Number.NEGATIVE_INFINITY;

  /** Reports a message sent to a revoked key after the allowed delay. */
  function judgeDelivered(subscriber: Subscriber, what: string): void {
    const { revokedTs, keyId } = subscriber;
    if (revokedTs === null || trueNow() <= excusedTs) return;
    const troubleTs = options.troubleTs() + TROUBLE_ENDS_WITHIN_MS;
    if (trueNow() > Math.max(revokedTs, troubleTs) + ENDS_WITHIN_MS)
      options.fail(`${what} for ${keyId} continued ${trueNow() - revokedTs} ms after revocation`);
  }

  async function addWebhook(keyId: string, url: string): Promise<void> {
    const webhookId = `wh_${++issued}`;
    const createdTs = clock.now();
    const channel: WebhookEndpoint = {
      ...{ webhookId, keyId, url, secret: 'whsec_c3Rvcm0=', disabledTs: null },
      ...{ kind: 'webhook', label: '', createdTs, link: null },
    };
    await store.webhooks.insert(channel);
    await store.rules.insert({
      ...{
        ruleId: `rule_${issued}`,
        keyId,
        kind: 'post_captured',
        accountId: null,
        eventId: null,
        threshold: null,
      },
      ...{ channelIds: [webhookId], quiet: null, mostPerHour: MOST_PER_HOUR, createdTs },
    });
  }

  async function openStream(key: string, subscriber: Subscriber): Promise<void> {
    const identity = await directory.find(key, clock.now());
    if (!identity) return;
    for (const { accountId } of options.accounts) {
      hub.join({
        ...{ accountId, view: 'pro', lastEventId: null },
        sink: createSink(() => judgeDelivered(subscriber, 'the stream')),
        onKeyEnd: (action) => directory.onEnd(identity, action),
      });
    }
  }

  function excuseUntil(ts: number): void {
    excusedTs = Math.max(excusedTs, ts);
  }

  return {
    async subscribe() {
      const { key, record } = await keyService.issue({ tier: 'PRO', label: 'storm' });
      const subscriber = { keyId: record.keyId, url: `https://well-${++issued}.example/`, revokedTs: null };
      subscribers.push(subscriber);
      await addWebhook(record.keyId, subscriber.url);
      void openStream(key, subscriber).catch(() => undefined);
    },
    async digTarpit() {
      const old = tarpits.splice(0);
      for (const keyId of old) await keyService.revoke(keyId);
      const { record } = await keyService.issue({ tier: 'PRO', label: 'tarpit' });
      tarpits.push(record.keyId);
      for (let i = 0; i < TARPIT_RECEIVERS; i++)
        await addWebhook(record.keyId, `https://tarpit-${i}.example/`);
    },
    async revoke() {
      const subscriber = subscribers.find(({ revokedTs }) => revokedTs === null);
      if (!subscriber) return;
      await keyService.revoke(subscriber.keyId);
      subscriber.revokedTs = trueNow();
    },
    postWebhook: (processClock) => async (post) => {
      const subscriber = subscribers.find(({ url }) => url === post.url);
      if (subscriber) {
        judgeDelivered(subscriber, 'a webhook');
        return { status: 204, problem: null };
      }
      await sleep(processClock, RESOLVE_WITHIN_MS);
      return { status: null, problem: 'no name server responded in time' };
    },
    excuseUntil,
    noteSleep(wakeTs) {
      if (trueNow() <= options.troubleTs() + TROUBLE_ENDS_WITHIN_MS) excuseUntil(wakeTs + ENDS_WITHIN_MS);
    },
    /** Unresponsive receivers must never delay healthy ones. */
    async judge() {
      const nowTs = clock.now();
      const standing = await store.webhooks.listStanding(nowTs);
      const pending = await store.webhooks.listDue(nowTs - PENDING_WITHIN_MS, 1_000);
      return standing
        .filter(
          ({ url, webhookId }) => !url.includes('tarpit') && pending.some((d) => d.webhookId === webhookId),
        )
        .map(({ url }) => `${url} never received its alerts`);
    },
    async stop() {
      await started;
      await directory.stop();
      await hub.close();
    },
  };
}

function openHub({ accounts, board, clock }: SubscribersOptions): StreamHub {
  const adviserOf = createAdvisers();
  return openStreams({
    accounts,
    board,
    ...{ clock, wallClock: clock },
    advise: (account, snapshot, nowTs) => adviserOf(account).advise(snapshot, DEFAULT_BANKROLL_USD, nowTs),
    rules: { publishText: true, blankTextOnDeletion: false },
  });
}

/** The parts of a response that a stream uses. */
function createSink(onWrite: () => void): StreamSink {
  const closing: (() => void)[] = [];
  const sink = {
    ...{ isOpen: true, bytes: 0, onDrain() {} },
    write() {
      onWrite();
      return true;
    },
    onClose: (action: () => void) => void closing.push(action),
    end: () => sink.destroy(),
    destroy() {
      if (!sink.isOpen) return;
      sink.isOpen = false;
      for (const action of closing) action();
    },
  };
  return sink;
}
