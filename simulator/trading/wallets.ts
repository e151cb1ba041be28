// Holdings of a demo wallet with positions in every active event, and of a few others. They depend on the
// seed and the calendar: positions appear when a window opens and are gone, or worthless, after it settles.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { chance, hashNumbers } from '../chance.ts';
import type { ListedEvent } from '../market/listed-event.ts';
import { roundTo } from '../market/quotes.ts';
import { makeHex } from '../platform-ids.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';

/** The same in every simulator, so that guides can refer to it. */
export const DEMO_WALLET = '0x7a11ca57de300000000000000000000000c0ffee';

/** Holds something in every market ever listed, in both protocol versions: more than one page. */
export const WHALE_WALLET = '0x7a11ca57de30000000000000000000000b19f15f';
const WHALE_HOLDINGS = 1_200;

export interface Holding {
  ref: MarketRef;
  shares: number;
  avgPrice: number;
  /** Current price of the held side. */
  currentPrice: number;
  isRedeemable: boolean;
  hasEventId: boolean;
}

export function otherWallets(seedKey: number): string[] {
  return [1, 2, 3, 4].map((number) => `0x${makeHex(seedKey ^ 0x3a11e7, number, 40)}`);
}

/** Lower-case addresses only. */
export function holdingsOf(state: SimulatorState, wallet: string, nowTs: number): Holding[] {
  if (wallet === DEMO_WALLET) return demoHoldings(state, hashNumbers(state.seedKey, 0xde30), nowTs);
  if (wallet === WHALE_WALLET) return whaleHoldings(state, hashNumbers(state.seedKey, 0xb19), nowTs);
  const index = otherWallets(state.seedKey).indexOf(wallet);
  if (index < 0) return [];
  const key = hashNumbers(state.seedKey, 0x3a11, index);
  return demoHoldings(state, key, nowTs).filter((_, i) => chance(key, i, 1) < 0.6);
}

function demoHoldings(state: SimulatorState, key: number, nowTs: number): Holding[] {
  const events = state.countEvents.list(nowTs);
  const active = events.filter(
    (event) => event.kind === 'count' && event.startTs <= nowTs && nowTs < event.endTs,
  );
  const recent = events
    .filter((event) => event.kind === 'count' && event.endTs <= nowTs && nowTs - event.endTs < 5 * DAY_MS)
    .slice(-4);
  const others = [
    ...events.filter((event) => event.kind === 'mention' && event.endTs > nowTs).slice(0, 1),
    ...state.cryptoEvents
      .list(nowTs)
      .filter((event) => event.kind === 'above' && event.endTs > nowTs)
      .slice(0, 1),
  ];
  return [
    ...active.flatMap((event) => activeHoldings(state, key, event, nowTs)),
    ...recent.flatMap((event) => leftOver(state, key, event, nowTs)),
    ...others.flatMap((event) =>
      hold(state, key, event, { index: 1, side: 0, shares: 60, boughtTs: event.listedTs + HOUR_MS }, nowTs),
    ),
  ];
}

/** Pages of one listing are requested in sequence, so the first draw serves the others. */
const whales = new WeakMap<SimulatorState, { drawnTs: number; holdings: Holding[] }>();
const WALK_MS = 10_000;

function whaleHoldings(state: SimulatorState, key: number, nowTs: number): Holding[] {
  const known = whales.get(state);
  if (known && nowTs - known.drawnTs < WALK_MS) return known.holdings;
  const holdings = drawWhale(state, key, nowTs);
  whales.set(state, { drawnTs: nowTs, holdings });
  return holdings;
}

/** Newest events first, so that active ones are included. */
function drawWhale(state: SimulatorState, key: number, nowTs: number): Holding[] {
  const holdings: Holding[] = [];
  const events = state.countEvents.list(nowTs).filter(({ kind }) => kind === 'count');
  for (const event of events.reverse()) {
    for (const { index } of state.countEvents.markets(event)) {
      if (holdings.length === WHALE_HOLDINGS) return holdings;
      const purchase = { index, side: (index % 2) as 0 | 1, shares: 10 + index, boughtTs: event.listedTs };
      holdings.push(...hold(state, key, event, purchase, nowTs));
    }
  }
  return holdings;
}

interface Purchase {
  index: number;
  side: 0 | 1;
  shares: number;
  boughtTs: number;
}

/** Yes around the likeliest bucket at the start, No on a long shot, and dust below one share. */
function activeHoldings(state: SimulatorState, key: number, event: ListedEvent, nowTs: number): Holding[] {
  const boughtTs = event.startTs;
  const prices = state.countEvents.prices(event, boughtTs);
  const likeliest = prices.reduce((best, price, i) => (price.mid > prices[best]!.mid ? i : best), 0);
  const last = prices.length - 1;
  const size = (salt: number) => Math.round((40 + 260 * chance(key, event.eventId, salt)) * 100) / 100;
  const purchases: Purchase[] = [
    { index: likeliest, side: 0, shares: size(1), boughtTs },
    { index: Math.min(last, likeliest + 1), side: 0, shares: size(2), boughtTs },
    { index: Math.min(last, likeliest + 2), side: 1, shares: size(3), boughtTs },
    { index: Math.max(0, likeliest - 2), side: 0, shares: 0.4, boughtTs },
  ];
  const unique = purchases.filter(
    (one, i) => purchases.findIndex((other) => other.index === one.index && other.side === one.side) === i,
  );
  return unique.flatMap((purchase) => hold(state, key, event, purchase, nowTs));
}

/** Losing shares remain, redeemable for nothing. */
function leftOver(state: SimulatorState, key: number, event: ListedEvent, nowTs: number): Holding[] {
  return activeHoldings(state, key, event, nowTs).filter((holding) => holding.currentPrice === 0);
}

function hold(
  state: SimulatorState,
  key: number,
  event: ListedEvent,
  purchase: Purchase,
  nowTs: number,
): Holding[] {
  const book = state.bookOf(event);
  const market = book.markets(event)[purchase.index];
  if (!market || purchase.boughtTs > nowTs) return [];
  const then = book.prices(event, purchase.boughtTs)[purchase.index]!;
  const now = book.prices(event, nowTs)[purchase.index]!;
  const paid = purchase.side === 0 ? (then.ask ?? then.mid) : 1 - (then.bid ?? then.mid);
  const yesMid = now.bid !== null && now.ask !== null ? (now.bid + now.ask) / 2 : now.mid;
  return [
    {
      ref: { book, event, market, side: purchase.side },
      shares: purchase.shares,
      avgPrice: roundTo(Math.min(0.999, Math.max(0.001, paid))),
      currentPrice: roundTo(purchase.side === 0 ? yesMid : 1 - yesMid),
      isRedeemable: now.closedTs !== null && book.settledTs(event, nowTs) !== null,
      hasEventId: chance(key, market.marketId, 5) < 0.67,
    },
  ];
}
