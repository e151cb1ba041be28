// When the executor is killed: at an instant of an order's life, before or after the exchange has handled the request, or a
// moment after it has answered.

import type { Random } from '../../../src/runtime/random.ts';

/** What the order that decides the instant is about to do. */
export const STAGES = ['sent', 'resting', 'withdrawn', 'any'] as const;
export type Stage = (typeof STAGES)[number];

export interface Strike {
  stage: Stage;
  /** Kills by whether the request is still unhandled, handled and unanswered, or answered. */
  at: 'before' | 'handled' | 'answered';
  /** Matching requests that pass first. */
  skip: number;
  /** After the answer was sent. */
  delayMs: number;
  /** Whether it restarts while its orders are still open, or only after the heartbeats ended them. */
  restartsSoon: boolean;
}

export function drawStrike(random: Random): Strike {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.uniform() * from.length)]!;
  const stage = pick(STAGES);
  return {
    stage,
    at: pick(['before', 'handled', 'answered'] as const),
    skip: Math.floor(random.uniform() * (stage === 'sent' || stage === 'withdrawn' ? 2 : 8)),
    delayMs: Math.floor(random.uniform() * 4),
    restartsSoon: random.uniform() < 0.5,
  };
}

/** Whether a request belongs to the stage. */
export function isAt(
  stage: Stage,
  { method, path }: { method: string; path: string },
  liveOrders: number,
): boolean {
  if (stage === 'sent') return method === 'POST' && path.endsWith('/order');
  if (stage === 'withdrawn') return method === 'DELETE' && liveOrders > 0;
  return stage === 'any' || liveOrders > 0;
}
