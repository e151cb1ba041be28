// Endpoints 15 and 16, plus calibration, paper ledger and the complete record.

import {
  CalibrationAnswer,
  HistoryAnswer,
  historyQuery,
  LedgerAnswer,
  MOST_DAYS,
  OverviewAnswer,
  overviewQuery,
} from '../../contract/performance.ts';
import { RecordAnswer, recordQuery } from '../../contract/record.ts';
import { Type } from '../../contract/schema.ts';
import { DAY_MS, SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { ForecastScore } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentCalibration } from '../views/calibration.ts';
import { presentLedger } from '../views/ledger.ts';
import {
  cutHistory,
  HORIZONS_H,
  presentHistory,
  presentOverview,
  type SettledScore,
} from '../views/performance.ts';
import { presentRecord } from '../views/record.ts';
import { drawRecordImage } from '../views/record-image.ts';
import { readPlaces } from './event-places.ts';

/** Scores change only when an event settles, so caching them for a few seconds is harmless. */
const REUSE_MS = 5 * SECOND_MS;
/** Events settle soon after they end, so scores older than the look-back plus this need not be read. */
const SETTLEMENT_SLACK_MS = 60 * DAY_MS;

const IMAGE_HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** Shared by the routes in this file. */
type Shared = ReturnType<typeof createShared>;

export function performanceRoutes(context: RouteContext): Route[] {
  const shared = createShared(context);
  return [
    overviewRoute(shared),
    historyRoute(shared),
    calibrationRoute(shared),
    ledgerRoute(shared),
    recordRoute(shared),
    recordImageRoute(shared),
  ];
}

function createShared(context: RouteContext) {
  const segments = context.accounts.map(({ segment }) => segment);
  const recent = createRecentResults<string, Promise<object>>(100, REUSE_MS);

  function findAccountId(segment: string | undefined): string | undefined {
    return context.accounts.find((account) => account.segment === segment)?.accountId;
  }

  /** Identical requests share one response for a few seconds. */
  async function remembered<T extends object>(key: string, make: () => Promise<T>): Promise<T> {
    const pending = recent.get(key, null, context.wallClock.now(), () => context.withDeadline(make()));
    try {
      // The cast is safe, because the key includes the kind of response.
      return (await pending) as T;
    } catch (error) {
      recent.drop(key);
      throw error;
    }
  }

  return { context, segments, findAccountId, remembered };
}

function overviewRoute({ context: { store }, segments, findAccountId, remembered }: Shared) {
  return defineLooseRoute({
    path: `${API_PREFIX}/performance/overview`,
    query: overviewQuery(segments),
    document: {
      operationId: 'getPerformanceOverview',
      tag: 'Performance',
      summary: 'Forecast error and win rate over all settled events',
      ok: OverviewAnswer,
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const body = await remembered(`overview ${accountId}`, async () => {
        const [scores, signals] = await Promise.all([
          store.scores.list({ accountId }),
          store.signals.list({ accountId, settledOnly: true }),
        ]);
        return presentOverview(scores, signals, nowTs);
      });
      return ok(body);
    },
  });
}

function historyRoute({ context, segments, findAccountId, remembered }: Shared) {
  const { store } = context;
  return defineLooseRoute({
    path: `${API_PREFIX}/performance/history`,
    query: historyQuery(segments),
    document: {
      operationId: 'getPerformanceHistory',
      tag: 'Performance',
      summary: 'Forecast error of each settled event, and annotations',
      ok: HistoryAnswer,
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const year = await remembered(`history ${accountId} ${query.horizon}`, async () => {
        const fromTs = nowTs - MOST_DAYS * DAY_MS;
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

function calibrationRoute({ context, segments, findAccountId, remembered }: Shared) {
  return defineLooseRoute({
    path: `${API_PREFIX}/performance/calibration`,
    query: overviewQuery(segments),
    document: {
      operationId: 'getPerformanceCalibration',
      tag: 'Performance',
      summary: 'Predicted vs. observed probabilities',
      ok: CalibrationAnswer,
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const accounts = context.accounts.filter(
        (account) => accountId === undefined || account.accountId === accountId,
      );
      const body = await remembered(`calibration ${accountId}`, async () =>
        presentCalibration(await context.store.scores.list({ accountId }), accounts, HORIZONS_H, nowTs),
      );
      return ok({ ...body, timestamp: nowTs });
    },
  });
}

function ledgerRoute({ context, segments, findAccountId, remembered }: Shared) {
  return defineLooseRoute({
    path: `${API_PREFIX}/performance/ledger`,
    access: 'optional',
    query: overviewQuery(segments),
    document: {
      operationId: 'getPerformanceLedger',
      tag: 'Performance',
      summary: 'Paper trades on BUY signals and their results',
      description: 'Trades on settled events; PRO also sees trades on open events.',
      ok: LedgerAnswer,
    },
    async handle({ query, view, nowTs }) {
      const accountId = findAccountId(query.account);
      // An open trade is a signal, and signals need PRO.
      const settledOnly = view !== 'pro';
      const body = await remembered(`ledger ${view} ${accountId}`, async () =>
        presentLedger(
          await context.store.signals.list({ accountId, settledOnly }),
          listHalts(context, accountId),
          await readPlaces(context),
          nowTs,
        ),
      );
      return ok({ ...body, timestamp: nowTs });
    },
  });
}

function recordRoute(shared: Shared) {
  return defineLooseRoute({
    path: `${API_PREFIX}/performance/record.json`,
    query: recordQuery(shared.segments),
    document: {
      operationId: 'getPerformanceRecord',
      tag: 'Performance',
      summary: 'The complete record: forward and recomputed forecasts, with intervals and sample sizes',
      ok: RecordAnswer,
    },
    async handle({ query, nowTs }) {
      return ok({
        ...(await readRecord(shared, query.account, Number(query.horizon), nowTs)),
        timestamp: nowTs,
      });
    },
  });
}

function recordImageRoute(shared: Shared) {
  return defineLooseRoute({
    path: `${API_PREFIX}/performance/record.svg`,
    query: recordQuery(shared.segments),
    document: {
      operationId: 'getPerformanceRecordImage',
      tag: 'Performance',
      summary: 'The forward record as an embeddable image',
      ok: Type.String(),
      contentType: 'image/svg+xml',
    },
    async handle({ query, nowTs }) {
      const svg = drawRecordImage(await readRecord(shared, query.account, Number(query.horizon), nowTs));
      return {
        status: 200,
        content: { bytes: Buffer.from(svg), type: 'image/svg+xml' },
        headers: IMAGE_HEADERS,
      };
    },
  });
}

async function readRecord(
  { context, findAccountId, remembered }: Shared,
  segment: string | undefined,
  horizonH: number,
  nowTs: number,
) {
  const { store } = context;
  const accountId = findAccountId(segment);
  return remembered(`record ${accountId} ${horizonH}`, async () => {
    const [scores, signals, newestSeal, placeOf] = await Promise.all([
      store.scores.list({ accountId }),
      store.signals.list({ accountId, settledOnly: true }),
      store.seals.findNewest(),
      readPlaces(context),
    ]);
    const account = segment ?? null;
    return presentRecord({ scores, signals, newestSeal, horizonH, account, placeOf, nowTs });
  });
}

function listHalts(context: RouteContext, only: string | undefined): { account: string; reason: string }[] {
  return context.accounts.flatMap(({ accountId, segment }) => {
    const reason = context.board.find(accountId)?.evidence?.halt ?? null;
    const isAsked = only === undefined || only === accountId;
    return reason !== null && isAsked ? [{ account: segment, reason }] : [];
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
