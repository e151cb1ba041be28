// The venue's contracts with brackets, prices and settlement. Prices come from the same crowd as on the other
// venue; here the crowd counts only posts that still exist.

import type { BucketRange } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { hashLabel } from '../../src/runtime/random.ts';
import { hashNumbers } from '../chance.ts';
import { crowdShares } from '../market/crowd.ts';
import { addOverround, buildYesBook, quoteAround, type YesBook } from '../market/quotes.ts';
import { countedShare } from '../market/remaining-count.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { bracketsOf, type KalshiContract, listContracts, MAX_SETTLE_AFTER_MS } from './contracts.ts';
import { countListed } from './settlement-list.ts';

export interface KalshiMarket {
  ticker: string;
  contract: KalshiContract;
  index: number;
  range: BucketRange;
}

export interface KalshiPrice {
  bid: number | null;
  ask: number | null;
  last: number;
}

export interface KalshiVenue {
  /** Every contract still listed, by start. */
  contracts(nowTs: number): KalshiContract[];
  /** Contracts that settled before the cut-off, by start. */
  archived(nowTs: number): KalshiContract[];
  markets(contract: KalshiContract): readonly KalshiMarket[];
  find(ticker: string, nowTs: number): KalshiMarket | null;
  price(market: KalshiMarket, ts: number): KalshiPrice;
  book(market: KalshiMarket, ts: number): YesBook;
  /** The settled count; null before settlement. */
  finalCount(contract: KalshiContract, nowTs: number): number | null;
}

export const KALSHI_TICK = 0.01;
/** Contracts move to the archive about eleven weeks after settlement. */
const KEPT_MS = 77 * 24 * HOUR_MS;

export function cutoffTsOf(nowTs: number): number {
  return Math.floor((nowTs - KEPT_MS) / DAY_MS) * DAY_MS;
}

const BOOK_HOLDS_MS = 6 * HOUR_MS;
const CROWD_STEP_MS = MINUTE_MS;
/** A week of prints. */
const CACHED = 1_500;

interface VenueOptions {
  seedKey: number;
  anchorTs: number;
  ledgers: readonly PostLedger[];
}

export function createKalshiVenue(state: VenueOptions): KalshiVenue {
  const { seedKey } = state;
  const shareCache = new Map<string, number[]>();

  function ledgerOf(contract: KalshiContract): PostLedger {
    return state.ledgers.find(({ parameters }) => parameters.accountId === contract.accountId)!;
  }

  function listFrom(fromTs: number, nowTs: number): KalshiContract[] {
    return state.ledgers
      .flatMap(({ parameters: { accountId, kalshi } }) =>
        kalshi ? listContracts(accountId, kalshi, Math.max(fromTs, state.anchorTs), nowTs) : [],
      )
      .filter(({ window }) => window.startTs >= state.anchorTs);
  }

  /** A request asks for the same moment many times. */
  let latest: { nowTs: number; contracts: KalshiContract[] } | null = null;

  function contracts(nowTs: number): KalshiContract[] {
    if (latest?.nowTs === nowTs) return latest.contracts;
    const cutoffTs = cutoffTsOf(nowTs);
    const all = listFrom(cutoffTs - MAX_SETTLE_AFTER_MS, nowTs);
    latest = { nowTs, contracts: all.filter(({ settleTs }) => settleTs >= cutoffTs) };
    return latest.contracts;
  }

  function markets(contract: KalshiContract): KalshiMarket[] {
    const { parameters } = ledgerOf(contract);
    return bracketsOf(contract.kind, parameters.postsPerDay * countedShare(parameters)).map(
      (range, index) => ({ ticker: `${contract.ticker}-${bracketCode(range)}`, contract, index, range }),
    );
  }

  function shares(contract: KalshiContract, ts: number): number[] {
    const atTs = Math.floor(ts / CROWD_STEP_MS) * CROWD_STEP_MS;
    const key = `${contract.ticker}:${atTs}`;
    const known = shareCache.get(key);
    if (known) return known;
    const context = { ledger: standingOnly(ledgerOf(contract), atTs), seedKey };
    const slot = {
      eventId: hashLabel(contract.ticker),
      dayNumber: 0,
      accountId: contract.accountId,
      family: '7d' as const,
      variant: 'count' as const,
      window: contract.window,
      listedTs: contract.openTs,
    };
    const ranges = markets(contract).map(({ range }) => ({ ...range, label: bracketCode(range) }));
    const computed = addOverround(
      crowdShares(context, slot, ranges, atTs),
      (contract.window.endTs - atTs) / HOUR_MS,
    );
    if (shareCache.size >= CACHED) shareCache.clear();
    shareCache.set(key, computed);
    return computed;
  }

  function finalCount(contract: KalshiContract, nowTs: number): number | null {
    if (nowTs < contract.settleTs) return null;
    const { startTs, endTs } = contract.window;
    return countListed(ledgerOf(contract), seedKey, startTs, endTs, contract.settleTs);
  }

  function price(market: KalshiMarket, ts: number): KalshiPrice {
    const { contract, index } = market;
    const { parameters } = ledgerOf(contract);
    const mid = Math.min(0.995, Math.max(0.005, shares(contract, ts)[index]!));
    const habits = { ...parameters.market, tick: KALSHI_TICK };
    const lastMid = shares(contract, ts - 7 * MINUTE_MS)[index]!;
    const last = Math.min(0.99, Math.max(0.01, Math.round(lastMid * 100) / 100));
    const isTrading = ts < contract.closeTs && contract.kind !== 'other';
    return { ...(isTrading ? quoteAround(mid, habits) : { bid: null, ask: null }), last };
  }

  return {
    contracts,
    archived: (nowTs) =>
      listFrom(state.anchorTs, nowTs).filter(({ settleTs }) => settleTs < cutoffTsOf(nowTs)),
    markets,
    find(ticker, nowTs) {
      const eventTicker = ticker.slice(0, ticker.lastIndexOf('-'));
      const contract = contracts(nowTs).find((one) => one.ticker === eventTicker);
      return (contract && markets(contract).find((market) => market.ticker === ticker)) ?? null;
    },
    price,
    book(market, ts) {
      const { bid, ask } = price(market, ts);
      const { parameters } = ledgerOf(market.contract);
      const habits = { ...parameters.market, tick: KALSHI_TICK };
      const key = hashNumbers(seedKey, hashLabel(market.ticker));
      return buildYesBook(key, bid, ask, habits, Math.floor(ts / BOOK_HOLDS_MS));
    },
    finalCount,
  };
}

/**
 * The crowd's view under this venue's rule: excludes deleted posts and expects some future ones to be
 * deleted.
 */
function standingOnly(ledger: PostLedger, atTs: number): PostLedger {
  const { parameters } = ledger;
  return {
    ...ledger,
    parameters: { ...parameters, postsPerDay: parameters.postsPerDay * (1 - parameters.deleteShare) },
    countIn: (fromTs, toTs) =>
      ledger.range(fromTs, toTs).filter((post) => post.isCounted && ledger.isShownAt(post, atTs)).length,
  };
}

export function bracketCode({ lo, hi }: BucketRange): string {
  return hi === null ? `T${lo}` : `B${lo}`;
}
