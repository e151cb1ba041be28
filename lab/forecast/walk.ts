// Scores forecasters side by side on one account's windows; each sees only the posts up to the origin.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import {
  bucketProbabilities,
  percentile,
  shiftDistribution,
} from '../../src/forecast/distribution/distribution.ts';
import { createForecaster, type Forecaster } from '../../src/forecast/forecaster.ts';
import { Baselines } from '../../src/forecast/model/baselines.ts';
import { anchorFor } from '../../src/forecast/model/fitted-model.ts';
import type { SharedKnowledge } from '../../src/forecast/model/shared-coefficients.ts';
import { crps, logScore, pitInterval } from '../../src/forecast/scoring/proper-scores.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import type { CountDistribution, ForecastRequest, PostHistory } from '../../src/forecast/types.ts';
import { ReferencePool } from './reference-pool.ts';
import type { BenchAccount } from './sample.ts';

export const LEADS = [6, 24, 48, 72, 120, 168];
export const SEED = 20240917;
export const PARAMETERS = { marketTimeZone: 'America/New_York', sleepPrior: 0.3, initialPostsPerDay: 20 };

/** A forecaster from this or an earlier revision. */
export type CreateForecaster = (
  history: PostHistory,
  parameters: typeof PARAMETERS,
  seed: number,
  shared?: SharedKnowledge,
) => Pick<Forecaster, 'observe'> & {
  forecast(request: ForecastRequest): { distribution?: CountDistribution; law?: CountDistribution };
};

export interface Score {
  crps: number;
  log: number;
  pitLo: number;
  pitHi: number;
  median: number;
}

/** One forecast by every model: lead, origin, outcome. */
export interface Row {
  account: string;
  group: BenchAccount['group'];
  window: number;
  lead: number;
  localHour: number;
  /** Rate of the last 3 days relative to the last 28. */
  trend: number;
  final: number;
  scores: Record<string, Score>;
  /** The model's bucket probabilities and their outcomes. */
  buckets: readonly { probability: number; isHit: boolean }[];
}

export interface WalkOptions {
  zone: MarketZone;
  before: CreateForecaster | null;
  /** Shared coefficients; the shipped ones unless the account is left out of the fit. */
  shared?: SharedKnowledge;
}

/** A forecast request at one origin, and the outcome. */
export interface Origin {
  request: ForecastRequest;
  /** Position of the window in the account's list. */
  index: number;
  lead: number;
  final: number;
}

/**
 * Visits the origins in order of time; `begin` receives the posts before the first origin, `observe` the
 * later ones.
 */
export function walkOrigins<T>(
  { history: { createdTs, isCounted }, windows }: Pick<BenchAccount, 'history' | 'windows'>,
  begin: (known: PostHistory) => {
    observe(ts: number, counts: boolean): void;
    visit(origin: Origin): T;
  },
): T[] {
  const truth = createTimeline({ createdTs, isCounted }).counted;
  const origins = windows
    .flatMap((window, index) =>
      LEADS.map((lead) => ({ window, index, lead, asofTs: window.endTs - lead * HOUR_MS })),
    )
    .sort((a, b) => a.asofTs - b.asofTs);
  let shown = createdTs.findIndex((ts) => ts > origins[0]!.asofTs);
  const models = begin({ createdTs: createdTs.slice(0, shown), isCounted: isCounted.slice(0, shown) });
  return origins.map(({ window, index, lead, asofTs }) => {
    for (; shown < createdTs.length && createdTs[shown]! <= asofTs; shown++) {
      models.observe(createdTs[shown]!, isCounted[shown] === 1);
    }
    const countSoFar = truth.countSince(window.startTs, asofTs);
    const final = countSoFar + truth.countSince(asofTs, window.endTs);
    return models.visit({ request: { window, asofTs, countSoFar }, index, lead, final });
  });
}

export function walkAccount(account: BenchAccount, options: WalkOptions): Row[] {
  const truth = createTimeline(account.history).counted;
  return walkOrigins(account, (known) => {
    const models = createModels(known, options);
    return {
      observe: models.observe,
      visit({ request, index, lead, final }) {
        const { asofTs, countSoFar } = request;
        const made = models.forecast(request);
        return {
          account: account.name,
          group: account.group,
          window: index,
          lead,
          localHour: ((asofTs + options.zone.offsetMs(asofTs)) % DAY_MS) / HOUR_MS,
          trend: rateOf(truth, asofTs, 3) / rateOf(truth, asofTs, 28),
          final,
          scores: Object.fromEntries(Object.entries(made).map(([model, d]) => [model, scoreOf(d, final)])),
          buckets: bucketsOf(made.model!, countSoFar, final),
        };
      },
    };
  });
}

function createModels(known: PostHistory, { zone, before, shared }: WalkOptions) {
  const model = createForecaster(known, PARAMETERS, SEED, shared);
  // Both versions use the same shared fit, so that they differ by the change alone.
  const earlier = before?.(known, PARAMETERS, SEED, shared);
  const { timeline } = model;
  const pool = new ReferencePool(timeline, zone);
  const baselines = new Baselines(timeline.counted, known.createdTs[0]!);
  return {
    observe(ts: number, counts: boolean) {
      model.observe(ts, counts);
      earlier?.observe(ts, counts);
    },
    forecast(request: ForecastRequest): Record<string, CountDistribution> {
      const { asofTs, countSoFar, window } = request;
      pool.refit(anchorFor(asofTs));
      const old = earlier?.forecast(request);
      const baseline = baselines.distributions(request, model.refit(asofTs).exposure);
      const coming: Record<string, CountDistribution> = {
        pace: baseline['pace-nb'],
        pool: pool.forecast(asofTs, window.endTs),
      };
      return {
        model: model.forecast(request).distribution,
        ...(old && { before: old.distribution ?? old.law! }),
        ...Object.fromEntries(
          Object.entries(coming).map(([name, d]) => [name, shiftDistribution(d, countSoFar)]),
        ),
      };
    },
  };
}

function scoreOf(distribution: CountDistribution, final: number): Score {
  const { lo, hi } = pitInterval(distribution, final);
  return {
    crps: crps(distribution, final),
    log: logScore(distribution, final),
    pitLo: lo,
    pitHi: hi,
    median: percentile(distribution, 0.5),
  };
}

/** Buckets with a width of about a seventh of the median, as in real markets. */
function bucketsOf(distribution: CountDistribution, countSoFar: number, final: number) {
  const width = Math.max(2, Math.round(percentile(distribution, 0.5) / 7));
  const top = Math.ceil(Math.max(final, distribution.from + distribution.pmf.length) / width) + 1;
  const ranges = Array.from({ length: top }, (_, j) => ({ lo: j * width, hi: (j + 1) * width - 1 }));
  return bucketProbabilities(distribution, ranges, countSoFar)
    .map((probability, j) => ({ probability, isHit: j === Math.floor(final / width) }))
    .filter(({ probability }) => probability > 0.005);
}

function rateOf(counted: ReturnType<typeof createTimeline>['counted'], ts: number, days: number): number {
  return (counted.countSince(ts - days * DAY_MS, ts) + 0.5) / days;
}
