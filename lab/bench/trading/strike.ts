// When to kill the executor: before or after the exchange handles a request, or shortly after it responds.

import type { Random } from '../../../src/runtime/random.ts';

/** The order stage that triggers the kill. */
export const STAGES = ['sent', 'resting', 'withdrawn', 'any'] as const;
export type Stage = (typeof STAGES)[number];

export interface Strike {
  stage: Stage;
  /** Kill before the request is handled, between handling and response, or after the response. */
  at: 'before' | 'handled' | 'answered';
  /** Number of matching requests to skip. */
  skip: number;
  /** Delay after the response was sent. */
  delayMs: number;
  /**
   * Whether the executor restarts while its orders are still open, or after the heartbeat timeout has ended
   * them.
   */
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

/** Where orders are sent, on either venue. */
export const ORDER_PATH = /\/orders?$/;

/** Whether a request belongs to the stage. */
export function isAt(
  stage: Stage,
  { method, path }: { method: string; path: string },
  liveOrders: number,
): boolean {
  if (stage === 'sent') return method === 'POST' && ORDER_PATH.test(path);
  if (stage === 'withdrawn') return method === 'DELETE' && liveOrders > 0;
  return stage === 'any' || liveOrders > 0;
}
