// Allowances of all workers of one machine, kept by the first process in memory: an answer takes a fraction of a
// millisecond. Like those of a single process they are written down, and go on after a restart.

import type { AllowanceJournal } from '../api/access/allowance-journal.ts';
import type { Clock } from '../runtime/clock.ts';
import { StoreError } from '../runtime/errors.ts';
import type { AllowanceStore } from '../store/ports.ts';
import { expiryOf, returnToSlots, type Slot, takeFromSlots } from '../store/queries/allowances.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

export interface AllowanceDesk {
  /** Answers a worker's question; others are none of its business. */
  serve(message: FromWorker, answer: (message: ToWorker) => void): void;
}

type Window = Parameters<AllowanceStore['take']>[3];

const SWEEP_EVERY_MS = 60_000;

export function createAllowanceDesk(clock: Clock, journal: AllowanceJournal | null = null): AllowanceDesk {
  const callers = new Map<string, readonly Slot[]>();
  let sweptTs = clock.now();

  function sweep(): void {
    const nowTs = clock.now();
    if (nowTs - sweptTs < SWEEP_EVERY_MS) return;
    sweptTs = nowTs;
    for (const [caller, slots] of callers) if (!slots.some(([ts]) => ts > nowTs)) callers.delete(caller);
  }

  function slotsOf(caller: string): readonly Slot[] {
    return callers.get(caller) ?? journal?.recall(caller) ?? [];
  }

  function write(caller: string, takenTs: number, used: number, window: Omit<Window, 'nowTs'>): void {
    const expiresTs = expiryOf(takenTs, window.slotMs, window.windowMs);
    journal?.write([{ caller, expiresTs, used }]);
  }

  return {
    serve(message, answer) {
      if (message.kind === 'take') {
        const [caller, wanted, limit, window] = message.args;
        const { slots, verdict } = takeFromSlots(slotsOf(caller), wanted, limit, window);
        callers.set(caller, slots);
        if (verdict.granted > 0) write(caller, window.nowTs, verdict.granted, window);
        sweep();
        answer({ kind: 'taken', requestId: message.requestId, taken: verdict });
      }
      if (message.kind === 'give-back') {
        const [caller, unused, window] = message.args;
        callers.set(caller, returnToSlots(slotsOf(caller), unused, window));
        write(caller, window.takenTs, -unused, window);
      }
    },
  };
}

export interface AskedAllowances {
  allowances: AllowanceStore;
  /** The answer to an earlier question. */
  hear(message: ToWorker): void;
}

/** A first process that is busy is not away: on shares of its own a worker would refuse what another has left. */
export const DESK_ANSWERS_WITHIN_MS = 2_000;

/** A worker's side of the desk. */
export function askForAllowances(say: (message: FromWorker) => void, clock: Clock): AskedAllowances {
  type Taken = Awaited<ReturnType<AllowanceStore['take']>>;
  const waiting = new Map<number, (taken: Taken) => void>();
  let lastRequestId = 0;
  return {
    allowances: {
      take: (...args) =>
        new Promise((resolve, reject) => {
          const requestId = ++lastRequestId;
          const cancel = clock.after(DESK_ANSWERS_WITHIN_MS, () => {
            waiting.delete(requestId);
            reject(new StoreError('the first process does not answer', { isRetryable: true }));
          });
          waiting.set(requestId, (taken) => {
            cancel();
            resolve(taken);
          });
          say({ kind: 'take', requestId, args });
        }),
      giveBack: async (...args) => say({ kind: 'give-back', args }),
      prune: async () => 0,
    },
    hear(message) {
      if (message.kind !== 'taken') return;
      waiting.get(message.requestId)?.(message.taken);
      waiting.delete(message.requestId);
    },
  };
}
