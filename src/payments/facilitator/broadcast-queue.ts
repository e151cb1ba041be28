// Sends a wallet's transactions one at a time. It tracks the nonce itself, because a node's pending count can
// lag, and re-reads it from the node after a failure.

export interface BroadcastQueue {
  /** Calls `send` with the next account nonce once all earlier transactions have been broadcast. */
  broadcast<T>(send: (nonce: number) => Promise<T>): Promise<T>;
}

export function createBroadcastQueue(fetchPendingNonce: () => Promise<number>): BroadcastQueue {
  let tail: Promise<unknown> = Promise.resolve();
  let rememberedNonce = 0;

  async function sendNext<T>(send: (nonce: number) => Promise<T>): Promise<T> {
    const nonce = Math.max(await fetchPendingNonce(), rememberedNonce);
    try {
      const result = await send(nonce);
      rememberedNonce = nonce + 1;
      return result;
    } catch (error) {
      rememberedNonce = 0;
      throw error;
    }
  }

  return {
    broadcast(send) {
      const result = tail.then(() => sendNext(send));
      tail = result.catch(() => undefined);
      return result;
    },
  };
}
