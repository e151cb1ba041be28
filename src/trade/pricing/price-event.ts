// Converts an event's state into the input for sizing. An event without a forecast cannot be priced.

import type { ContractTerms, VenueId } from '../../domain/contract.ts';
import { type FeedName, type FeedStatus, findFeed } from '../../domain/feed.ts';
import {
  type Counters,
  computeSecondsRemaining,
  type MarketBucket,
  type MarketEvent,
} from '../../domain/market-event.ts';
import { computeMarketPrice, type Quote } from '../../domain/quote.ts';
import type { EdgeEvidence, StandingAdviceByEvent } from '../../domain/standing-advice.ts';
import type { JointFinals, PublishedForecast } from '../../forecast/types.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';

export interface PriceableEvent {
  event: MarketEvent;
  counters: Counters;
  oracleUpdatedTs: number | null;
  forecast: Pick<PublishedForecast, 'asofTs' | 'p50' | 'modelSd' | 'bucketProbabilities' | 'contract'> | null;
}

export interface PriceableAccount {
  feeds: readonly FeedStatus[];
  isPastMissing?: boolean;
  /** Terms for events without their own. */
  terms?: ContractTerms;
  quotes: Readonly<Record<string, Quote>>;
  jointFinals: JointFinals | null;
  /** Edge evidence from settled events; the shipped prior if absent. */
  evidence?: EdgeEvidence;
  /** Current advice; absent before the first evaluation. */
  standing?: StandingAdviceByEvent;
}

export function priceEvent(
  account: PriceableAccount,
  { event, counters, oracleUpdatedTs, forecast }: PriceableEvent,
  nowTs: number,
): PricedEvent | null {
  if (forecast === null) return null;
  const standing = account.standing?.[String(event.eventId)];
  const rule = (event.terms ?? account.terms)?.countingRule;
  const path = account.jointFinals?.eventIds.indexOf(event.eventId) ?? -1;
  return {
    eventId: event.eventId,
    title: event.title,
    startTs: event.window.startTs,
    endTs: event.window.endTs,
    secondsRemaining: computeSecondsRemaining(event.window.endTs, nowTs),
    p50: forecast.p50,
    modelSd: forecast.modelSd,
    realCount: counters.real,
    oracleCount: counters.oracle,
    uiCount: counters.ui,
    ...(rule && { rule }),
    buckets: event.buckets.map((bucket, i) =>
      priceBucket(bucket, forecast.bucketProbabilities[i] ?? 0, account.quotes),
    ),
    ...(forecast.contract && { changeRate: forecast.contract.changeRate }),
    ...(event.terms && { venue: event.terms.venue }),
    ...(account.evidence && { evidence: account.evidence }),
    ...(standing && { standing }),
    blindness: findBlindness(
      {
        feeds: account.feeds,
        venue: event.terms?.venue,
        oracleUpdatedTs,
        forecastAsofTs: forecast.asofTs,
        isPastMissing: account.isPastMissing ?? false,
      },
      nowTs,
    ),
    finals: path < 0 ? null : (account.jointFinals?.finals[path] ?? null),
  };
}

function priceBucket(
  bucket: MarketBucket,
  modelProbability: number,
  quotes: Readonly<Record<string, Quote>>,
): PricedBucket {
  const yesQuote = quotes[bucket.yesTokenId] ?? null;
  return {
    ...bucket,
    modelProbability,
    marketPrice: computeMarketPrice(yesQuote ?? undefined, bucket.listedPrice),
    yesQuote,
    noQuote: quotes[bucket.noTokenId] ?? null,
  };
}

// Advice inputs: posts, oracle, prices and forecast. Stale inputs block advice, because an outdated price can
// make a bucket look cheap.

/** Feeds that block advice when stale, with the text to show. */
const GROUNDS: readonly { feed: FeedName; missing: string; what: string }[] = [
  { feed: 'own', missing: 'no posts have been read yet', what: 'posts are' },
  { feed: 'oracle', missing: 'the oracle has not responded yet', what: "the oracle's count is" },
  { feed: 'prices', missing: 'no prices have been read yet', what: 'prices are' },
  { feed: 'forecast', missing: 'there is no forecast yet', what: 'the forecast is' },
];

const UNTRACKED = 'the oracle has no count for this event';

export interface Grounds {
  feeds: readonly FeedStatus[];
  /** The event's venue; absent for the default venue. */
  venue?: VenueId | undefined;
  /** When this event's own count was last confirmed, if that differs from the feed's last response. */
  oracleUpdatedTs: number | null;
  forecastAsofTs: number | null;
  isPastMissing: boolean;
}

/** Why there is no advice now; null if all inputs are fresh. */
export function findBlindness(grounds: Grounds, nowTs: number): string | null {
  if (grounds.isPastMissing)
    return 'no advice: earlier posts are still being backfilled, so counts are too low';
  const stale = GROUNDS.flatMap(({ feed, missing, what }) => {
    const status = findGround(grounds, feed);
    // The health check reports feeds that are not configured; advice does not need them.
    if (!status) return [];
    const updatedTs = updatedTsOf(feed, status, grounds);
    // The oracle does not track some markets at all, so waiting would not help.
    if (updatedTs === null && feed === 'oracle' && status.updatedTs !== null) return [UNTRACKED];
    if (updatedTs === null) return [missing];
    const ageMs = nowTs - updatedTs;
    return ageMs > status.staleAfterMs ? [`${what} ${describeDuration(ageMs)} old`] : [];
  });
  return stale.length === 0 ? null : `no advice: ${stale.join(', ')}`;
}

/** A venue's contracts depend on its own prices and settlement list. */
function findGround({ feeds, venue }: Grounds, feed: FeedName): FeedStatus | undefined {
  return findFeed(feeds, feed, feed === 'oracle' || feed === 'prices' ? venue : undefined);
}

function updatedTsOf(feed: FeedName, status: FeedStatus, grounds: Grounds): number | null {
  if (feed === 'oracle') return grounds.oracleUpdatedTs;
  if (feed === 'forecast') return grounds.forecastAsofTs;
  return status.updatedTs;
}

export function describeDuration(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes < 1) return `${Math.floor(durationMs / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
