// Seeded advice for a scenario: a few tokens in active events, priced near the book, changing between turns.

import type { MarketRef, SimulatorState } from '../../../simulator/simulator-state.ts';
import { readTokenBook } from '../../../simulator/trading/token-book.ts';
import { MICRO, toPips } from '../../../src/domain/units.ts';
import type { Random } from '../../../src/runtime/random.ts';
import { eventIdOf, tokenIdOf } from '../../../src/sources/kalshi/parse.ts';
import type { Advice, AdviceItem } from '../../../src/trading/types.ts';

const TOKENS = 6;
const MIN_MS_LEFT = 2 * 3_600_000;

/** A token that may be advised, and its best prices. */
export interface Candidate {
  tokenId: string;
  account: string;
  eventId: number;
  bucket: string;
  outcome: 'Yes' | 'No';
  endTs: number;
  /** null if the market is closed or a side is empty. */
  quote(nowTs: number): { bid: number; ask: number } | null;
}

/** Picks tokens, the same ones for a whole day. */
export function pickTokens(candidates: readonly Candidate[], nowTs: number, random: Random): Candidate[] {
  return candidates
    .filter((one) => {
      const { bid, ask } = one.quote(nowTs) ?? { bid: 0, ask: 1 };
      return one.endTs > nowTs + MIN_MS_LEFT && bid >= 0.04 && ask <= 0.9;
    })
    .map((one) => ({ one, rank: random.uniform() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, TOKENS)
    .map(({ one }) => one);
}

export function listPolymarket(state: SimulatorState, nowTs: number): Candidate[] {
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.startTs <= nowTs)
    .flatMap((event) =>
      state.countEvents.markets(event).flatMap((market) =>
        ([0, 1] as const).map((side) => {
          const ref: MarketRef = { book: state.countEvents, event, market, side };
          return {
            tokenId: market.tokenIds[side],
            account: event.accountId ?? 'none',
            eventId: event.eventId,
            bucket: market.label,
            outcome: OUTCOMES[side],
            endTs: event.endTs,
            quote: (ts: number) => quotePolymarket(state, ref, ts),
          };
        }),
      ),
    );
}

const OUTCOMES = ['Yes', 'No'] as const;

function quotePolymarket(state: SimulatorState, ref: MarketRef, ts: number) {
  const { book, price } = readTokenBook(state, ref, ts);
  const [ask, bid] = [book.asks[0], book.bids[0]];
  return !ask || !bid || price.closedTs !== null ? null : { ask: ask.price, bid: bid.price };
}

export function listKalshi({ kalshi }: SimulatorState, nowTs: number): Candidate[] {
  return kalshi
    .contracts(nowTs)
    .filter(({ kind, openTs }) => kind !== 'other' && openTs <= nowTs)
    .flatMap((contract) =>
      kalshi.markets(contract).flatMap((market) =>
        OUTCOMES.map((outcome) => ({
          tokenId: tokenIdOf(market.ticker, outcome === 'Yes' ? 'yes' : 'no'),
          account: contract.accountId,
          eventId: eventIdOf(contract.ticker),
          bucket: market.ticker,
          outcome,
          endTs: contract.closeTs,
          quote(ts: number) {
            const { bid, ask } = kalshi.price(market, ts);
            if (bid === null || ask === null || ts >= contract.closeTs) return null;
            return outcome === 'Yes' ? { bid, ask } : { bid: 1 - ask, ask: 1 - bid };
          },
        })),
      ),
    );
}

/** Three out of four items stay unchanged from turn to turn. */
export function drawAdvice(
  tokens: readonly Candidate[],
  nowTs: number,
  random: Random,
  before: Advice,
): Advice {
  const items = tokens.flatMap((token) => {
    const known = before.items.find(({ tokenId }) => tokenId === token.tokenId);
    if (known && random.uniform() < 0.75) return [known];
    const item = random.uniform() < 0.8 ? drawItem(token, nowTs, random) : null;
    return item ? [item] : [];
  });
  return { madeTs: nowTs, items, blockedBy: null };
}

function drawItem(token: Candidate, nowTs: number, random: Random): AdviceItem | null {
  const quote = token.quote(nowTs);
  if (!quote) return null;
  const isSale = random.uniform() < 0.25;
  const offset = Math.round((random.uniform() - 0.4) * 4) / 100;
  const limit = isSale ? quote.bid - offset : quote.ask + offset;
  const { tokenId, account, eventId, bucket, outcome, endTs } = token;
  return {
    ...{ tokenId, account, eventId, bucket, outcome },
    action: isSale ? 'SELL' : 'BUY',
    limitPips: Math.min(9900, Math.max(100, toPips(limit))),
    targetMicro: isSale ? 1e12 : Math.ceil(10 + 60 * random.uniform()) * MICRO,
    depthMicro: null,
    gainPerUsd: 0.1,
    probability: 0.5,
    secondsLeft: Math.round((endTs - nowTs) / 1000),
    edgeKind: random.uniform() < 0.5 ? 'model' : 'fact',
    blockedBy: random.uniform() < 0.05 ? 'stale: oracle' : null,
  };
}
