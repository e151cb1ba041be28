// Drafts log entries for forecasts, advice changes and recorded signals. Redrafting an entry from its stored
// row yields the same content, so the store can be checked against its log.

import { createHash } from 'node:crypto';
import type { StandingAdvice, StandingAdviceByEvent } from '../../domain/standing-advice.ts';
import type { EntryDraft } from '../../sealing/entry.ts';
import type { ForecastRecord, Numbers, SignalRecord } from '../../store/ports.ts';

type Origin = Pick<EntryDraft, 'recordedTs' | 'isRecomputed'>;

export function draftForecast(forecast: ForecastRecord, origin: Origin): EntryDraft {
  const { eventId, accountId, asofTs } = forecast;
  const content = describeForecast(forecast);
  return { kind: 'forecast', account: accountId, event: eventId, asofTs, ...origin, content };
}

export function describeForecast(forecast: ForecastRecord) {
  const { countSoFar, p5, p50, p95, bucketProbabilities, marketPrices } = forecast;
  return {
    count: countSoFar,
    p5,
    p50,
    p95,
    probabilities: bucketProbabilities.map(round6),
    prices: marketPrices.map((price) => (price === null ? null : round6(price))),
    distribution_from: forecast.distributionFrom,
    distribution_sha256: digestNumbers(forecast.distribution),
    baselines_sha256: digestBaselines(forecast.baselines),
    model: forecast.modelVersion,
    build: forecast.buildCommit,
  };
}

/** Hash of the numbers as little-endian doubles. */
function digestNumbers(numbers: Numbers): string {
  const doubles = numbers instanceof Float64Array ? numbers : Float64Array.from(numbers);
  const { buffer, byteOffset, byteLength } = doubles;
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');
}

function digestBaselines(baselines: ForecastRecord['baselines']): string | null {
  if (baselines === null) return null;
  const hash = createHash('sha256');
  for (const [name, { p50, distributionFrom, distribution }] of Object.entries(baselines)) {
    hash.update(`${name} ${p50} ${distributionFrom} ${digestNumbers(distribution)}\n`);
  }
  return hash.digest('hex');
}

export function draftSignal(signal: SignalRecord, recordedTs: number): EntryDraft {
  const { eventId, accountId, asofTs } = signal;
  const content = describeSignal(signal);
  return {
    kind: 'signal',
    account: accountId,
    event: eventId,
    asofTs,
    recordedTs,
    isRecomputed: false,
    content,
  };
}

/** Omits fields known only after the event has settled. */
export function describeSignal(signal: SignalRecord) {
  return {
    horizon_h: signal.horizonH,
    bucket: signal.bucketLabel,
    strategy: signal.strategy,
    token: signal.tokenId,
    confidence: signal.confidence,
    edge_kind: signal.edgeKind,
    model_probability: signal.modelProbability,
    win_probability: signal.winProbability,
    market_price: signal.marketPrice,
    cost_per_share: signal.costPerShare,
    fee_per_share: signal.feePerShare,
    shares: signal.shares,
    stake_usd: signal.stakeUsd,
  };
}

/** Logs advice changes; "no advice" is logged only if there was advice before. */
export function draftAdvice(
  account: string,
  next: StandingAdviceByEvent,
  before: StandingAdviceByEvent,
  recordedTs: number,
): EntryDraft[] {
  return Object.entries(next).flatMap(([eventId, buckets]) =>
    Object.entries(buckets).flatMap(([bucket, advice]): EntryDraft[] => {
      const former = before[eventId]?.[bucket];
      if (former === advice || isIdle(advice, former)) return [];
      const content = describeAdvice(bucket, advice);
      const about = { kind: 'advice' as const, account, event: Number(eventId), asofTs: recordedTs };
      return [{ ...about, recordedTs, isRecomputed: false, content }];
    }),
  );
}

function isIdle(advice: StandingAdvice, former: StandingAdvice | undefined): boolean {
  return advice.kind === 'nothing' && (!former || former.kind === 'nothing');
}

function describeAdvice(bucket: string, advice: StandingAdvice) {
  return {
    bucket,
    advice: advice.kind,
    edge_kind: advice.edgeKind,
    blended: round6(advice.blended),
    book: advice.book,
    kelly_fraction: round6(advice.kellyFraction),
    since_ts: advice.sinceTs,
    because: advice.changedBecause,
  };
}

function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
