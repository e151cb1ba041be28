// Allowances shared by all workers on one machine. The first process holds them in memory, so a reply takes a
// fraction of a millisecond, and journals them, so they survive a restart.

import type { AllowanceJournal, UseLine } from '../access/allowance-journal.ts';
import type { Clock } from '../runtime/clock.ts';
import { StoreError } from '../runtime/errors.ts';
import { gatherAllowances } from '../store/gather-allowances.ts';
import type { AllowanceStore } from '../store/ports.ts';
import {
  type AllowanceOrder,
  expiryOf,
  type Slot,
  settleOrder,
  type Taken,
} from '../store/queries/allowances.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

export interface AllowanceService {
  /** Replies to a worker's request; ignores other messages. */
  serve(message: FromWorker, answer: (message: ToWorker) => void): void;
}

const SWEEP_EVERY_MS = 60_000;

export function createAllowanceService(
  clock: Clock,
  journal: AllowanceJournal | null = null,
): AllowanceService {
  const callers = new Map<string, readonly Slot[]>();
  let sweptTs = clock.now();

  function sweep(): void {
    const nowTs = clock.now();
    if (nowTs - sweptTs < SWEEP_EVERY_MS) return;
    sweptTs = nowTs;
    for (const [caller, slots] of callers) if (!slots.some(([ts]) => ts > nowTs)) callers.delete(caller);
  }

  function settle(order: AllowanceOrder): Taken | null {
    const [caller] = order.args;
    if (!callers.has(caller)) callers.set(caller, journal?.recall(caller) ?? []);
    return settleOrder(callers, order);
  }

  return {
    serve(message, answer) {
      if (message.kind !== 'allowances') return;
      const { requestId, orders } = message;
      const answers = orders.map(settle);
      journal?.write(orders.flatMap((order, i) => describeUse(order, answers[i]!)));
      sweep();
      answer({ kind: 'allowances', requestId, answers });
    },
  };
}

function describeUse(order: AllowanceOrder, taken: Taken | null): UseLine[] {
  const [caller] = order.args;
  if (order.kind === 'give-back') {
    const [, unused, { takenTs, slotMs, windowMs }] = order.args;
    return [{ caller, expiresTs: expiryOf(takenTs, slotMs, windowMs), used: -unused }];
  }
  const { nowTs, slotMs, windowMs } = order.args[3];
  const used = taken?.granted ?? 0;
  return used === 0 ? [] : [{ caller, expiresTs: expiryOf(nowTs, slotMs, windowMs), used }];
}

export interface AskedAllowances {
  allowances: AllowanceStore;
  /** Handles the response to an earlier request. */
  hear(message: ToWorker): void;
}

/** Long, because a busy first process is not down; workers on separate shares would refuse callers too early. */
export const ALLOWANCES_ANSWER_WITHIN_MS = 2_000;

/** The worker's side: requests allowances from the first process. */
export function askForAllowances(say: (message: FromWorker) => void, clock: Clock): AskedAllowances {
  const waiting = new Map<number, (answers: (Taken | null)[]) => void>();
  let lastRequestId = 0;

  function settle(orders: readonly AllowanceOrder[]): Promise<(Taken | null)[]> {
    return new Promise((resolve, reject) => {
      const requestId = ++lastRequestId;
      const cancel = clock.after(ALLOWANCES_ANSWER_WITHIN_MS, () => {
        waiting.delete(requestId);
        reject(new StoreError('no response from the first process', { isRetryable: true }));
      });
      waiting.set(requestId, (answers) => {
        cancel();
        resolve(answers);
      });
      say({ kind: 'allowances', requestId, orders: [...orders] });
    });
  }

  return {
    allowances: gatherAllowances({ settle, prune: async () => 0 }),
    hear(message) {
      if (message.kind !== 'allowances') return;
      waiting.get(message.requestId)?.(message.answers);
      waiting.delete(message.requestId);
    },
  };
}
