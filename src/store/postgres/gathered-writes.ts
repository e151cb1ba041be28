// Writes that many accounts make in the same turn: calls of one method become one call in one transaction, under the
// epochs of all its shards.

import { gather } from '../gather.ts';
import type { PortCall } from '../port-call.ts';
import { isGathered } from '../queries/all-queries.ts';
import type { EpochLock } from './leader-lock.ts';
import { toStoreError } from './pg-errors.ts';

export interface LockedCall {
  call: PortCall;
  /** null if this process leads nothing. */
  lock: EpochLock | null;
}

/** A larger transaction would delay all of its callers. */
const MAX_AT_ONCE = 500;

/** `write` runs one call in its own transaction and checks the epoch of every given lock in it. */
export function gatherWrites(
  write: (call: PortCall, locks: readonly EpochLock[]) => Promise<unknown>,
): (order: LockedCall) => Promise<unknown> {
  const queues = new Map<string, (order: LockedCall) => Promise<unknown>>();
  const writeAlone = ({ call, lock }: LockedCall) => write(call, lock ? [lock] : []);

  /** One bad row or lost shard rolls everything back; written alone, it refuses only its own call. */
  async function writeTogether(orders: readonly LockedCall[]): Promise<unknown[]> {
    const locks = new Set(orders.flatMap(({ lock }) => lock ?? []));
    try {
      await write(joinCalls(orders.map(({ call }) => call)), [...locks]);
      return [];
    } catch (error) {
      // Without an answer the rows may be there; with a full disk they would all fail again.
      if (orders.length === 1 || toStoreError(error).isRetryable) throw error;
      return orders.map(writeAlone);
    }
  }

  return (order) => {
    const { port, method } = order.call;
    if (!isGathered(port, method)) return writeAlone(order);
    const name = `${port}.${method}`;
    const queue = queues.get(name) ?? gather(MAX_AT_ONCE, writeTogether);
    queues.set(name, queue);
    return queue(order);
  };
}

/** Every argument is a list. */
function joinCalls(calls: readonly PortCall[]): PortCall {
  const count = Math.max(...calls.map(({ args }) => args.length));
  const args = Array.from({ length: count }, (_, i) => calls.flatMap((call) => call.args[i] ?? []));
  return { ...calls[0]!, args };
}
