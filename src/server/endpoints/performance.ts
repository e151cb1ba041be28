// Endpoints 15 and 16: forecast error and win rate, overall and per settled event.

import { MaybeNumber, named } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { Annotation, ForecastScore } from '../../store/ports.ts';
import { computeClassRecord } from '../../trade/record/record.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { type Place, type PlaceOf, placeRows, readPlaces } from '../records/places.ts';
import { recordOf, round6, six } from '../records/record.ts';
import { calibrationRoute } from './calibration.ts';
import { ledgerRoute } from './ledger.ts';
import {
  createRecentScores,
  horizonParameter,
  interpolateQuantile,
  type RecentScores,
} from './recent-scores.ts';
import { recordRoute } from './record.ts';

/** Longest look-back of the history endpoint. */
const MAX_DAYS = 365;
/** Events settle soon after they end, so scores older than the look-back plus this need not be read. */
const SETTLEMENT_SLACK_MS = 60 * DAY_MS;

const Iso = Type.String({ description: 'ISO 8601, UTC' });

export function performanceRoutes(context: RouteContext): Route[] {
  const recent = createRecentScores(context);
  return [
    overviewRoute(recent),
    historyRoute(recent),
    calibrationRoute(recent),
    ledgerRoute(recent),
    recordRoute(recent),
  ];
}

/** From errors in percent. */
const ErrorSummary = recordOf<readonly number[]>('ErrorSummary')({
  median: [MaybeNumber, (errors) => interpolateQuantile(errors, 0.5)],
  p90: [MaybeNumber, (errors) => interpolateQuantile(errors, 0.9)],
  sample_size: [Type.Integer(), (errors) => errors.length],
});

type ClassRecord = ReturnType<typeof computeClassRecord>;

const WinRates = recordOf<ClassRecord>()({
  HIGH: [MaybeNumber, ({ HIGH }) => toPercent(HIGH.winRate)],
  MEDIUM: [MaybeNumber, ({ MEDIUM }) => toPercent(MEDIUM.winRate)],
  LOW: [MaybeNumber, ({ LOW }) => toPercent(LOW.winRate)],
});

const WinSamples = recordOf<ClassRecord>()({
  HIGH: [Type.Integer(), ({ HIGH }) => HIGH.sampleSize],
  MEDIUM: [Type.Integer(), ({ MEDIUM }) => MEDIUM.sampleSize],
  LOW: [Type.Integer(), ({ LOW }) => LOW.sampleSize],
});

interface OverviewSource {
  scores: readonly ForecastScore[];
  record: ClassRecord;
  nowTs: number;
}

const Overview = recordOf<OverviewSource>('PerformanceOverview')({
  error_24h: [ErrorSummary.schema, ({ scores }) => ErrorSummary.present(errorsAt(scores, 24))],
  error_48h: [ErrorSummary.schema, ({ scores }) => ErrorSummary.present(errorsAt(scores, 48))],
  error_72h: [ErrorSummary.schema, ({ scores }) => ErrorSummary.present(errorsAt(scores, 72))],
  win_rate: [WinRates.schema, ({ record }) => WinRates.present(record)],
  win_rate_samples: [WinSamples.schema, ({ record }) => WinSamples.present(record)],
  last_updated: [Iso, ({ scores, nowTs }) => toIso(findLastScored(scores) ?? nowTs)],
});

function errorsAt(scores: readonly ForecastScore[], horizonH: number): number[] {
  return scores.filter((score) => score.horizonH === horizonH).map((score) => score.errorPercent);
}

function toPercent(rate: number | null): number | null {
  return rate === null ? null : round6(100 * rate);
}

function findLastScored(scores: readonly ForecastScore[]): number | null {
  return scores.length === 0 ? null : Math.max(...scores.map(({ scoredTs }) => scoredTs));
}

function overviewRoute({ context: { store }, accountParameter, findAccountId, remembered }: RecentScores) {
  return defineRoute({
    path: `${API_PREFIX}/performance/overview`,
    query: Type.Object({ account: accountParameter }),
    document: {
      operationId: 'getPerformanceOverview',
      tag: 'Performance',
      summary: 'Forecast error and win rate over all settled events',
      ok: Overview.schema,
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const body = await remembered(`overview ${accountId}`, async () => {
        const [scores, signals] = await Promise.all([
          store.scores.list({ accountId }),
          store.signals.list({ accountId, settledOnly: true }),
        ]);
        return Overview.present({ scores, record: computeClassRecord(signals), nowTs });
      });
      return ok(body);
    },
  });
}

interface SettledScore {
  score: ForecastScore;
  settledTs: number;
}

const HistoryRow = recordOf<SettledScore & { place: Place }>()({
  timestamp: [Iso, ({ settledTs }) => toIso(settledTs)],
  error_pct: six(({ score }) => score.errorPercent),
  event_id: [Type.Integer(), ({ score }) => score.eventId],
  ...placeRows,
  p50: [Type.Number(), ({ score }) => score.p50],
  final_count: [Type.Integer(), ({ score }) => score.finalCount],
  model_version: [Type.String(), ({ score }) => score.modelVersion],
});

const HistoryNote = recordOf<Annotation>()({
  timestamp: [Iso, ({ ts }) => toIso(ts)],
  label: [Type.String(), ({ label }) => label],
  commit: [Type.String(), ({ commit }) => commit],
});

function presentHistory(
  scores: readonly SettledScore[],
  annotations: readonly Annotation[],
  placeOf: PlaceOf,
) {
  const sorted = [...scores].sort(
    (left, right) => left.settledTs - right.settledTs || left.score.eventId - right.score.eventId,
  );
  return {
    data: sorted.map(({ score, settledTs }) =>
      HistoryRow.present({ score, settledTs, place: placeOf(score) }),
    ),
    annotations: annotations.map(HistoryNote.present),
  };
}

/** Drops entries older than a time; ISO 8601 times sort as text. */
function cutHistory({ data, annotations }: ReturnType<typeof presentHistory>, fromTs: number) {
  const from = toIso(fromTs);
  const isYoung = ({ timestamp }: { timestamp: string }) => timestamp >= from;
  return { data: data.filter(isYoung), annotations: annotations.filter(isYoung) };
}

function historyRoute({ context, accountParameter, findAccountId, remembered }: RecentScores) {
  const { store } = context;
  return defineRoute({
    path: `${API_PREFIX}/performance/history`,
    query: Type.Object({
      horizon: horizonParameter,
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: 30, description: 'Look-back in days' }),
      ),
      account: accountParameter,
    }),
    document: {
      operationId: 'getPerformanceHistory',
      tag: 'Performance',
      summary: 'Forecast error of each settled event, and annotations',
      ok: named(
        'PerformanceHistory',
        Type.Object({ data: Type.Array(HistoryRow.schema), annotations: Type.Array(HistoryNote.schema) }),
      ),
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const year = await remembered(`history ${accountId} ${query.horizon}`, async () => {
        const fromTs = nowTs - MAX_DAYS * DAY_MS;
        const [scores, annotations, placeOf] = await Promise.all([
          store.scores.list({
            accountId,
            horizonH: Number(query.horizon),
            endedAfterTs: fromTs - SETTLEMENT_SLACK_MS,
          }),
          store.annotations.list(fromTs),
          readPlaces(context),
        ]);
        return presentHistory(await withSettlementTimes(context, scores), annotations, placeOf);
      });
      return ok(cutHistory(year, nowTs - query.days! * DAY_MS));
    },
  });
}

/** Settlement time if known, otherwise the end of the window. */
async function withSettlementTimes(
  context: RouteContext,
  scores: readonly ForecastScore[],
): Promise<SettledScore[]> {
  if (scores.length === 0) return [];
  const settlements = await context.store.settlements.latest(scores.map(({ eventId }) => eventId));
  const settledTs = new Map(settlements.map((settlement) => [settlement.eventId, settlement.settledTs]));
  return scores.map((score) => ({ score, settledTs: settledTs.get(score.eventId) ?? score.endTs }));
}

function toIso(ts: number): string {
  return new Date(ts).toISOString();
}
