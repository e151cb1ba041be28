// Scores an event's forecasts at the scored horizons and stores the scores.

import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { ForecastScore, Store } from '../../store/ports.ts';
import { listHorizons } from '../horizons.ts';
import { type Outcome, scoreForecast } from './score-forecast.ts';

/** An older forecast was no longer current: the service was down. */
const STANDING_MS = 2 * HOUR_MS;

/** Returns the scores; a revised outcome replaces earlier ones. */
export async function scoreEvent(
  store: Pick<Store, 'forecasts' | 'scores'>,
  event: MarketEvent,
  outcome: Outcome,
  scoredTs: number,
): Promise<ForecastScore[]> {
  const scores: ForecastScore[] = [];
  for (const { horizonH, ts } of listHorizons(event.window)) {
    const record = await store.forecasts.standingAt(event.eventId, ts);
    if (!record || record.asofTs < ts - STANDING_MS) continue;
    // A ladder that has changed since then cannot be scored by bucket.
    if (record.bucketProbabilities.length !== event.buckets.length) continue;
    scores.push(scoreForecast(record, event, horizonH, outcome, scoredTs));
  }
  if (scores.length > 0) await store.scores.upsert(scores);
  return scores;
}
