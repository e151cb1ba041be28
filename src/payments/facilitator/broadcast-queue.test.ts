import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastQueue } from './chain-signer.ts';

describe('broadcast queue', () => {
  it('assigns consecutive nonces one at a time even if the node lags', async () => {
    const queue = createBroadcastQueue(async () => 7);
    let running = 0;
    const sent = await Promise.all(
      Array.from({ length: 12 }, () =>
        queue.broadcast(async (nonce) => {
          assert.equal(++running, 1);
          await Promise.resolve();
          running--;
          return nonce;
        }),
      ),
    );
    assert.deepEqual(sent, [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  it('re-reads the nonce from the node after a failed broadcast, then sends the remaining transactions', async () => {
    let pending = 3;
    const queue = createBroadcastQueue(async () => pending);
    assert.equal(await queue.broadcast(async (nonce) => nonce), 3);
    const failed = queue.broadcast(async () => Promise.reject(new Error('refused')));
    const next = queue.broadcast(async (nonce) => nonce);
    await assert.rejects(failed, /refused/);
    pending = 4;
    assert.ok((await next) <= 4);
    assert.equal(await queue.broadcast(async (nonce) => nonce), (await next) + 1);
  });
});
