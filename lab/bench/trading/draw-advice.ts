// Seeded advice for a scenario: a few tokens in active events, priced near the book, changing between turns.

import type { MarketRef, SimulatorState } from '../../../simulator/simulator-state.ts';
import { readTokenBook } from '../../../simulator/trading/token-book.ts';
import { MICRO, toPips } from '../../../src/domain/micro-units.ts';
import type { Random } from '../../../src/runtime/random.ts';
import type { Advice, AdviceItem } from '../../../src/trading/types.ts';

const TOKENS = 6;
const MIN_HOURS_LEFT = 2;

/** Picks open tokens in active count events, the same ones for a whole day. */
export function pickTokens(state: SimulatorState, nowTs: number, random: Random): MarketRef[] {
  const refs = state.countEvents
    .list(nowTs)
    .filter(
      (event) =>
        event.kind === 'count' && event.startTs <= nowTs && event.endTs > nowTs + MIN_HOURS_LEFT * 3_600_000,
    )
    .flatMap((event) => {
      const prices = state.countEvents.prices(event, nowTs);
      return state.countEvents
        .markets(event)
        .filter((market) => {
          const { bid, ask, closedTs } = prices[market.index]!;
          return closedTs === null && bid !== null && ask !== null && bid >= 0.04 && ask <= 0.9;
        })
        .map((market): MarketRef => {
          const side = random.uniform() < 0.5 ? 0 : 1;
          return { book: state.countEvents, event, market, side };
        });
    });
  return refs
    .map((ref) => ({ ref, rank: random.uniform() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, TOKENS)
    .map(({ ref }) => ref);
}

/** Three out of four items stay unchanged from turn to turn. */
export function drawAdvice(
  state: SimulatorState,
  refs: readonly MarketRef[],
  nowTs: number,
  random: Random,
  before: Advice,
): Advice {
  const items = refs.flatMap((ref) => {
    const known = before.items.find(({ tokenId }) => tokenId === ref.market.tokenIds[ref.side]);
    if (known && random.uniform() < 0.75) return [known];
    const item = random.uniform() < 0.8 ? drawItem(state, ref, nowTs, random) : null;
    return item ? [item] : [];
  });
  return { madeTs: nowTs, items, blockedBy: null };
}

function drawItem(state: SimulatorState, ref: MarketRef, nowTs: number, random: Random): AdviceItem | null {
  const { book, price } = readTokenBook(state, ref, nowTs);
  const [ask, bid] = [book.asks[0], book.bids[0]];
  if (!ask || !bid || price.closedTs !== null) return null;
  const isSale = random.uniform() < 0.25;
  const offset = Math.round((random.uniform() - 0.4) * 4) / 100;
  const limit = isSale ? bid.price - offset : ask.price + offset;
  return {
    account: ref.event.accountId ?? 'none',
    eventId: ref.event.eventId,
    bucket: ref.market.label,
    outcome: ref.side === 0 ? 'Yes' : 'No',
    action: isSale ? 'SELL' : 'BUY',
    tokenId: ref.market.tokenIds[ref.side],
    limitPips: Math.min(9900, Math.max(100, toPips(limit))),
    targetMicro: isSale ? 1e12 : Math.ceil(10 + 60 * random.uniform()) * MICRO,
    depthMicro: null,
    gainPerUsd: 0.1,
    probability: 0.5,
    secondsLeft: Math.round((ref.event.endTs - nowTs) / 1000),
    edgeKind: random.uniform() < 0.5 ? 'model' : 'fact',
    blockedBy: random.uniform() < 0.05 ? 'stale: oracle' : null,
  };
}
