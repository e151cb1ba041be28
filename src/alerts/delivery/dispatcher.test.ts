import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createBoard } from '../../state/board.ts';
import type { WebhookEndpoint, WebhookStore } from '../../store/ports.ts';
import { createDispatcher } from './dispatcher.ts';

describe('webhook dispatcher', () => {
  it('reads no more endpoints after a stop during a read', async () => {
    const clock = createManualClock(0);
    const reads: PromiseWithResolvers<WebhookEndpoint[]>[] = [];
    const webhooks = {
      listStanding() {
        reads.push(Promise.withResolvers());
        return reads.at(-1)!.promise;
      },
    } as Partial<WebhookStore> as WebhookStore;
    const dispatcher = createDispatcher({
      accounts: [],
      board: createBoard(),
      webhooks,
      defaultBankrollUsd: 100,
      clock,
      wallClock: clock,
      logger: silentLogger,
      onQueued: () => {},
    });
    dispatcher.start();
    assert.equal(reads.length, 1);
    const stopped = dispatcher.stop();
    reads[0]!.resolve([]);
    await stopped;
    await clock.advanceAsync(60_000);
    assert.equal(reads.length, 1);
  });
});
