import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createAdviceRecomputation, type RecomputeAdviceOptions } from './recompute-advice.ts';

describe('recomputed advice', () => {
  it('stops in the middle of its work, because there is no leader until then', async () => {
    const asked = Promise.withResolvers<void>();
    const turn = Promise.withResolvers<never>();
    const createRunner: RecomputeAdviceOptions['createRunner'] = () => ({
      adviseOnPast() {
        asked.resolve();
        return turn.promise;
      },
      close: async () => turn.reject(new Error('the forecast worker was closed')),
    });
    const priced = { eventId: 7, buckets: [{ probability: 1, won: true, marketPrice: 0.5 }] };
    const store = {
      scores: { listVersions: async () => [{ eventId: 7, version: '1' }], list: async () => [priced] },
      cursors: { find: async () => undefined },
      events: { find: async () => undefined },
    } as unknown as RecomputeAdviceOptions['store'];
    const failures: unknown[] = [];
    const logger = { ...silentLogger, error: (...words: unknown[]) => void failures.push(words) };
    const accounts = [{ accountId: 'a', allowsSell: false }];
    const clock = createManualClock(0);
    const identity = { modelVersion: 'm', buildCommit: 'c' };
    const job = createAdviceRecomputation({ accounts, identity, store, clock, logger, createRunner });
    job.start();
    await asked.promise;
    await job.stop();
    assert.deepEqual(failures, []);
  });
});
