// Advice on tokens that a simulated market offers now.

import { MICRO, toPips } from '../../../src/domain/micro-units.ts';
import { DAY_MS } from '../../../src/domain/units.ts';
import type { AdviceItem } from '../../../src/trading/types.ts';
import type { SimulatorState } from '../../simulator/simulator-state.ts';
import { readTokenBook } from '../../simulator/trading/token-book.ts';

const LEAST_OFFERED = 50;
const ABOVE_ASK = 0.02;

/** Tokens of running events with an offer, at most `count`. */
export function listOffered(state: SimulatorState, count: number): string[] {
  const nowTs = state.now();
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.startTs <= nowTs && event.endTs > nowTs + DAY_MS / 8)
    .flatMap((event) => state.countEvents.markets(event).flatMap(({ tokenIds }) => tokenIds))
    .filter((tokenId) => toItem(state, tokenId, 10) !== null)
    .slice(0, count);
}

/** null without an offer. */
export function toItem(state: SimulatorState, tokenId: string, shares: number): AdviceItem | null {
  const ref = state.findToken(tokenId, state.now());
  const ask = ref && readTokenBook(state, ref, state.now()).book.asks[0];
  if (!ref || !ask || ask.shares < LEAST_OFFERED) return null;
  return {
    account: 'account_a',
    eventId: ref.event.eventId,
    bucket: ref.market.label,
    outcome: 'Yes',
    action: 'BUY',
    tokenId,
    limitPips: toPips(Math.min(0.99, ask.price + ABOVE_ASK)),
    targetMicro: shares * MICRO,
    depthMicro: null,
    gainPerUsd: 1,
    probability: 0.5,
    secondsLeft: 7200,
    edgeKind: 'model',
    blockedBy: null,
  };
}
