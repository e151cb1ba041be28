// Advice inputs at one point in time: prices, distributions and common paths for all of an account's open
// events, and the sizing rules. Stored with the recorded signals, so that anyone can recompute them exactly.
// Names and token ids come from the stored events.

import type { FeedStatus } from '../../domain/feed.ts';
import type { CountWindow, MarketBucket, MarketEvent } from '../../domain/market-event.ts';
import type { Quote } from '../../domain/quote.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { AdvisableAccount } from '../../trade/advice/adviser.ts';
import { PRIOR_EVIDENCE } from '../../trade/edges/prior-evidence.ts';
import type { PriceableEvent } from '../../trade/pricing/price-event.ts';
import type { SizingRules } from '../../trade/types.ts';

type Terms = Pick<MarketBucket, 'label' | 'isOpen' | 'tickSize' | 'minOrderShares' | 'fee' | 'listedPrice'>;
type Book = Omit<Quote, 'tokenId' | 'observedTs'>;

interface GroundedEvent extends Pick<PriceableEvent, 'counters' | 'oracleUpdatedTs' | 'forecast'> {
  eventId: number;
  window: CountWindow;
  buckets: (Terms & { yes: Book | null; no: Book | null })[];
}

export interface Grounds {
  rules: SizingRules;
  bankrollUsd: number;
  feeds: readonly FeedStatus[];
  isPastMissing: boolean;
  jointFinals: AccountSnapshot['jointFinals'];
  /** Absent in older records, which cannot be recomputed exactly. */
  evidence?: AccountSnapshot['evidence'];
  standing?: AccountSnapshot['standing'];
  takenTs?: number;
  events: GroundedEvent[];
}

export function describeGrounds(
  snapshot: Pick<
    AccountSnapshot,
    'feeds' | 'isPastMissing' | 'jointFinals' | 'quotes' | 'evidence' | 'standing' | 'takenTs'
  >,
  active: readonly EventState[],
  { rules, bankrollUsd }: Pick<Grounds, 'rules' | 'bankrollUsd'>,
): Grounds {
  const { feeds, isPastMissing = false, jointFinals, quotes, evidence, standing, takenTs } = snapshot;
  const events = active.map(({ event, counters, oracleUpdatedTs, forecast }) => ({
    ...{ eventId: event.eventId, window: event.window, counters, oracleUpdatedTs },
    forecast: forecast && pickForecast(forecast),
    buckets: event.buckets.map((bucket) => ({
      ...pickTerms(bucket),
      yes: pickBook(quotes[bucket.yesTokenId]),
      no: pickBook(quotes[bucket.noTokenId]),
    })),
  }));
  const advice = { evidence: evidence ?? PRIOR_EVIDENCE, takenTs, ...(standing && { standing }) };
  return { rules, bankrollUsd, feeds, isPastMissing, jointFinals, ...advice, events };
}

function pickForecast({
  asofTs,
  p50,
  modelSd,
  bucketProbabilities,
  contract,
}: NonNullable<PriceableEvent['forecast']>): PriceableEvent['forecast'] {
  const rate = contract && { contract: { changeRate: contract.changeRate } };
  return { asofTs, p50, modelSd, bucketProbabilities, ...rate };
}

function pickTerms({ label, isOpen, tickSize, minOrderShares, fee, listedPrice }: MarketBucket): Terms {
  return { label, isOpen, tickSize, minOrderShares, fee, listedPrice };
}

function pickBook(quote: Quote | undefined): Book | null {
  if (!quote) return null;
  const { bid, ask, bidShares, askShares, lastTradePrice } = quote;
  return { bid, ask, bidShares, askShares, lastTradePrice };
}

/** The account state that advice needs; `stored` contains the events that the inputs refer to. */
export function recallAccount(
  { feeds, isPastMissing, jointFinals, evidence, standing, takenTs, events }: Grounds,
  stored: readonly MarketEvent[],
  asofTs: number,
): AdvisableAccount {
  const quotes: Record<string, Quote> = {};
  const recalled = events.map(({ eventId, window, buckets, ...state }): PriceableEvent => {
    const event = stored.find((candidate) => candidate.eventId === eventId);
    if (!event) throw new Error(`event ${eventId} is no longer stored`);
    const ladder = buckets.map(({ yes, no, ...terms }): MarketBucket => {
      const bucket = event.buckets.find(({ label }) => label === terms.label);
      if (!bucket) throw new Error(`event ${eventId} no longer has bucket ${terms.label}`);
      const { yesTokenId, noTokenId } = bucket;
      if (yes) quotes[yesTokenId] = { ...yes, tokenId: yesTokenId, observedTs: asofTs };
      if (no) quotes[noTokenId] = { ...no, tokenId: noTokenId, observedTs: asofTs };
      return { ...bucket, ...terms };
    });
    return { ...state, event: { ...event, window, buckets: ladder } };
  });
  const advice = {
    ...(evidence && { evidence }),
    ...(standing && { standing }),
    ...(takenTs !== undefined && { takenTs }),
  };
  return { feeds, isPastMissing, jointFinals, quotes, ...advice, events: recalled };
}
