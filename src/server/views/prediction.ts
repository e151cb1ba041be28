// Forecasts and prices for every active event; prediction-fields.ts decides which tier sees which field.

import { computeSecondsRemaining, listActive } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import type { AccountSnapshot, EventState, PublishedForecast } from '../../state/snapshot.ts';
import { gradeSignal } from '../../trade/advice/signals.ts';
import type { BucketSignal, EventSignals } from '../../trade/types.ts';
import { counterRows, deltaRows, type EventSource, presentFeeds, presentTerms } from '../records/events.ts';
import { recordOf, round6 } from '../records/record.ts';
import { keepMarketFields, keepRecordFields, type Viewer } from './prediction-fields.ts';

const Counts = recordOf<EventSource>()({ ...counterRows, ...deltaRows });

export function presentPrediction(
  snapshot: AccountSnapshot | undefined,
  viewer: Viewer,
  signals: readonly EventSignals[],
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    data: listActive(snapshot, nowTs).map((state) =>
      presentPredictionRecord(snapshot!, state, viewer, signals, nowTs),
    ),
  };
}

export function presentPredictionRecord(
  snapshot: AccountSnapshot,
  state: EventState,
  viewer: Viewer,
  signals: readonly EventSignals[],
  nowTs: number,
) {
  const { activity } = snapshot;
  const own = signals.find(({ eventId }) => eventId === state.event.eventId)?.signals ?? [];
  const byToken = new Map(own.map((signal) => [signal.tokenId, signal]));
  const { forecast } = state;
  const record = {
    event_id: state.event.eventId,
    seconds_remaining: computeSecondsRemaining(state.event.window.endTs, nowTs),
    ...Counts.present({ snapshot, state, nowTs }),
    feeds: presentFeeds(snapshot, state, nowTs),
    sleep_probability: activity && round6(activity.sleepProbability),
    velocity_counted_1h: activity && round6(activity.velocityCounted1h),
    velocity_all_1h: activity && round6(activity.velocityAll1h),
    forecast: forecast && presentForecast(forecast),
    ...(forecast?.settlementRisk === undefined ? {} : { settlement_risk: round6(forecast.settlementRisk) }),
    ...presentTerms(snapshot, state.event),
    markets: state.event.buckets.map((_, i) => presentMarket(snapshot, state, i, byToken, viewer)),
  };
  return keepRecordFields(record, viewer);
}

function presentForecast({ p5, p50, p95, path }: PublishedForecast) {
  const points = path?.ts.map((ts, i) => ({ ts, p5: path.p5[i], p50: path.p50[i], p95: path.p95[i] }));
  return { p5, p50, p95, ...(points && { path: points }) };
}

function presentMarket(
  snapshot: AccountSnapshot,
  state: EventState,
  index: number,
  signals: ReadonlyMap<string, BucketSignal>,
  viewer: Viewer,
) {
  const bucket = state.event.buckets[index]!;
  const price = computeMarketPrice(snapshot.quotes[bucket.yesTokenId], bucket.listedPrice);
  const probability = state.forecast?.bucketProbabilities[index];
  const modelProb = probability === undefined ? null : round6(probability);
  const edge = modelProb === null || price === null ? null : round6(modelProb - price);
  const signal = signals.get(bucket.yesTokenId);
  const market = {
    title: bucket.label,
    market_price: price,
    model_prob: modelProb,
    edge,
    signal: edge === null ? null : signal ? gradeSignal(signal) : 'HOLD',
    belief_prob: signal ? round6(signal.blendedProbability) : null,
  };
  return keepMarketFields(market, viewer);
}
