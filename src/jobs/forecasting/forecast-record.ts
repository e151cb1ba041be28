// A stored forecast with the market prices at the same time.

import type { AccountId } from '../../domain/account.ts';
import type { CountWindow, MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import { listHorizons } from '../../domain/scored-horizons.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { ForecastRecord } from '../../store/ports.ts';
import type { EventAnswer } from './forecast-engine.ts';

export interface ModelIdentity {
  modelVersion: string;
  buildCommit: string;
}

export function toForecastRecord(
  accountId: AccountId,
  answer: EventAnswer,
  marketPrices: readonly (number | null)[],
  identity: ModelIdentity,
): ForecastRecord {
  const {
    eventId,
    asofTs,
    countSoFar,
    p5,
    p50,
    p95,
    distributionFrom,
    distribution,
    bucketProbabilities,
    baselines,
  } = answer;
  return {
    eventId,
    accountId,
    asofTs,
    countSoFar,
    p5,
    p50,
    p95,
    distributionFrom,
    distribution,
    bucketProbabilities,
    marketPrices,
    baselines,
    ...identity,
  };
}

export function listMarketPrices(
  event: MarketEvent,
  quotes: Readonly<Record<string, Quote>>,
): (number | null)[] {
  return event.buckets.map((bucket) => computeMarketPrice(quotes[bucket.yesTokenId], bucket.listedPrice));
}

// Selects which forecasts to store: one per event every few minutes, and a fresh one with baselines before
// each scored horizon.

const KEEP_EVERY_MS = 5 * MINUTE_MS;
/** Baselines cost more than the forecast itself, so only forecasts that will be scored get them. */
const BASELINE_LEAD_MS = KEEP_EVERY_MS + 2 * MINUTE_MS;
const FRESH_LEAD_MS = MINUTE_MS;

export interface ForecastArchive {
  wantsBaselines(window: CountWindow, asofTs: number): boolean;
  /** Returns true if this forecast should be stored, and marks it as stored. */
  take(eventId: number, window: CountWindow, asofTs: number): boolean;
}

export function createForecastArchive(): ForecastArchive {
  const keptTs = new Map<number, number>();
  return {
    wantsBaselines: (window, asofTs) => msToHorizon(window, asofTs) <= BASELINE_LEAD_MS,
    take(eventId, window, asofTs) {
      const lastTs = keptTs.get(eventId) ?? Number.NEGATIVE_INFINITY;
      const isDue = asofTs - lastTs >= KEEP_EVERY_MS || msToHorizon(window, asofTs) <= FRESH_LEAD_MS;
      if (isDue) keptTs.set(eventId, asofTs);
      return isDue;
    },
  };
}

/** Time until the next scored horizon; infinite after the last. */
function msToHorizon(window: CountWindow, asofTs: number): number {
  const ahead = listHorizons(window).map(({ ts }) => ts - asofTs);
  return Math.min(...ahead.filter((ms) => ms >= 0), Number.POSITIVE_INFINITY);
}
