// Advice that knows more than the market: buys when the price on an informed market with the same posts is
// above the ask.

import type { MarketRef, SimulatorState } from '../../../simulator/simulator-state.ts';
import { readTokenBook, readTokenPrice } from '../../../simulator/trading/token-book.ts';
import { MICRO, toPips } from '../../../src/domain/micro-units.ts';
import type { Random } from '../../../src/runtime/random.ts';
import type { Advice, AdviceItem } from '../../../src/trading/types.ts';

/** Minimum gain per dollar, before fees. */
const MIN_EDGE = 0.05;

export function drawInformedAdvice(
  state: SimulatorState,
  informed: SimulatorState,
  refs: readonly MarketRef[],
  nowTs: number,
  random: Random,
): Advice {
  const items = refs.flatMap((ref): AdviceItem[] => {
    const known = informed.findToken(ref.market.tokenIds[0], nowTs);
    const { book, price } = readTokenBook(state, ref, nowTs);
    const ask = book.asks[0];
    if (!known || !ask || price.closedTs !== null) return [];
    const yes = readTokenPrice(known, nowTs).mid;
    const probability = ref.side === 0 ? yes : 1 - yes;
    if (probability / ask.price - 1 < MIN_EDGE) return [];
    return [
      {
        account: ref.event.accountId ?? 'none',
        eventId: ref.event.eventId,
        bucket: ref.market.label,
        outcome: ref.side === 0 ? 'Yes' : 'No',
        action: 'BUY',
        tokenId: ref.market.tokenIds[ref.side],
        limitPips: toPips(ask.price),
        targetMicro: Math.ceil(20 + 80 * random.uniform()) * MICRO,
        depthMicro: null,
        gainPerUsd: probability / ask.price - 1,
        probability,
        secondsLeft: Math.round((ref.event.endTs - nowTs) / 1000),
        edgeKind: 'model',
        blockedBy: null,
      },
    ];
  });
  return { madeTs: nowTs, items, blockedBy: null };
}
