// An event's history: counts and prices for everyone, forecasts and signals for PRO.

import type { View } from '../../access/authorise.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { isRecomputed } from '../../domain/scored-horizons.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { CountObservation, ForecastPoint, Settlement, SignalRecord } from '../../store/ports.ts';
import type { FoundPrices } from '../past-prices.ts';
import { presentTerms } from '../records/events.ts';
import { round6 } from '../records/record.ts';
import { writeCsv } from './csv.ts';
import { presentEntry } from './ledger.ts';

export function presentPastEvent(
  event: MarketEvent,
  settlement: Settlement | undefined,
  snapshot: AccountSnapshot | undefined,
) {
  return {
    event_id: event.eventId,
    event_title: event.title,
    ...presentTerms(snapshot, event),
    start_ts: event.window.startTs,
    end_ts: event.window.endTs,
    buckets: event.buckets.map(({ label, lo, hi }) => ({ bucket: label, low: lo, high: hi })),
    settlement: settlement
      ? {
          final_count: settlement.finalCount,
          winning_bucket: settlement.winningLabel,
          source: settlement.source,
          revision: settlement.revision,
          settled_ts: settlement.settledTs,
        }
      : null,
  };
}

type PastEventRecord = ReturnType<typeof presentPastEvent>;

export function writePastEventsCsv(events: readonly PastEventRecord[]): string {
  const columns = [
    'event_id',
    'event_title',
    'start_ts',
    'end_ts',
    'final_count',
    'winning_bucket',
    'settled_ts',
    'venue',
    'counting_rule',
  ];
  const rows = events.map((event) => [
    event.event_id,
    event.event_title,
    event.start_ts,
    event.end_ts,
    event.settlement?.final_count,
    event.settlement?.winning_bucket,
    event.settlement?.settled_ts,
    event.venue,
    event.counting_rule,
  ]);
  return writeCsv(columns, rows);
}

export interface CourseParts {
  event: MarketEvent;
  snapshot: AccountSnapshot | undefined;
  settlement: Settlement | undefined;
  points: readonly ForecastPoint[];
  /** From the market's own history. */
  past: FoundPrices;
  /** In read order. */
  oracle: readonly CountObservation[];
  ui: readonly CountObservation[];
  signals: readonly SignalRecord[];
}

export function presentCourse(parts: CourseParts, view: View, segment: string) {
  const oracleAt = createStanding(parts.oracle);
  const uiAt = createStanding(parts.ui);
  return {
    ...presentPastEvent(parts.event, parts.settlement, parts.snapshot),
    points: parts.points.map((point) => ({
      timestamp: point.asofTs,
      real_counter: point.countSoFar,
      market_oracle_counter: oracleAt(point.asofTs),
      market_ui_counter: uiAt(point.asofTs),
      market_prices: point.marketPrices.map((price) => (price === null ? null : round6(price))),
      ...(view === 'pro' && presentModel(point)),
      ...(isRecomputed(point) && { recomputed: true }),
    })),
    ...(parts.past.problem !== null && { past_prices_problem: parts.past.problem }),
    ...(parts.past.points.length > 0 && {
      past_prices: parts.past.points.map(({ ts, prices }) => ({ timestamp: ts, market_prices: prices })),
    }),
    ...(view === 'pro' && {
      signals: parts.signals.map((signal) => presentEntry(signal, { account: segment })),
    }),
  };
}

function presentModel({ p5, p50, p95, bucketProbabilities, modelVersion }: ForecastPoint) {
  return {
    forecast: { p5, p50, p95 },
    model_probs: bucketProbabilities.map(round6),
    model_version: modelVersion,
  };
}

/** Returns a function from time to count; call it with ascending times. null before the first change. */
function createStanding(observations: readonly CountObservation[]): (ts: number) => number | null {
  const ascending = [...observations].sort((left, right) => left.observedTs - right.observedTs);
  let next = 0;
  return (ts) => {
    while (next < ascending.length && ascending[next]!.observedTs <= ts) next += 1;
    return ascending[next - 1]?.count ?? null;
  };
}

/** Source of a row's prices: this service, or the market's earlier history. */
const KEPT = 'kept';
/** Counts and forecasts were computed later; the row has no prices. */
const RECOMPUTED = 'recomputed';
const MARKET_HISTORY = 'market_history';

export function writeCourseCsv(course: ReturnType<typeof presentCourse>, view: View): string {
  const labels = course.buckets.map(({ bucket }) => bucket);
  const modelColumns =
    view === 'pro' ? ['p5', 'p50', 'p95', ...labels.map((label) => `model_prob ${label}`)] : [];
  const columns = [
    ...['timestamp', 'real_counter', 'market_oracle_counter', 'market_ui_counter'],
    ...labels.map((label) => `market_price ${label}`),
    ...modelColumns,
    'price_source',
  ];
  const past = (course.past_prices ?? []).map(({ timestamp, market_prices }) => [
    ...[timestamp, null, null, null],
    ...labels.map((_, i) => market_prices[i]),
    ...modelColumns.map(() => null),
    MARKET_HISTORY,
  ]);
  const points = course.points.map((point) => {
    const { p5, p50, p95 } = point.forecast ?? {};
    const model = [p5, p50, p95, ...labels.map((_, i) => point.model_probs?.[i])];
    return [
      ...[point.timestamp, point.real_counter, point.market_oracle_counter, point.market_ui_counter],
      ...labels.map((_, i) => point.market_prices[i]),
      ...model.slice(0, modelColumns.length),
      point.recomputed ? RECOMPUTED : KEPT,
    ];
  });
  return writeCsv(columns, [...past, ...points]);
}
