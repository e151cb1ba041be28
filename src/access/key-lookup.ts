// Looks up unknown keys in the store: one batched query at a time, with a pause after a miss. Guessing
// therefore costs at most about 40 queries a second, and a newly issued key waits no longer than one pause.

import { sleep, systemClock } from '../runtime/clock.ts';
import { StoreError } from '../runtime/errors.ts';
import type { ApiKeyRecord, KeyStore } from '../store/ports.ts';

export interface KeyLookup {
  find(digest: string): Promise<ApiKeyRecord | undefined>;
}

type Asked = PromiseWithResolvers<ApiKeyRecord | undefined>;

const PAUSE_MS = 25;
const MOST_PER_QUESTION = 512;
/** Maximum number of callers waiting for an unresponsive store; more are refused at once. */
const MOST_WAITING = 10_000;

export function createKeyLookup(keys: Pick<KeyStore, 'listByDigests'>): KeyLookup {
  const waiting = new Map<string, Asked>();
  let isAsking = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    while (waiting.size > 0) {
      const wasInVain = await ask([...waiting].slice(0, MOST_PER_QUESTION));
      if (wasInVain) await sleep(systemClock, PAUSE_MS);
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
      if (waiting.size >= MOST_WAITING)
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
