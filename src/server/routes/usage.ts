// Endpoints 17 to 20: the calling key's usage. The buffer is flushed first, so that the numbers are complete.

import { FaultError, valueFault } from '../../contract/faults.ts';
import {
  UsageByEndpointAnswer,
  UsageByEndpointQuery,
  UsageErrorsAnswer,
  UsageErrorsQuery,
  UsageStatsAnswer,
  UsageSummaryAnswer,
  UsageSummaryQuery,
} from '../../contract/service.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentByEndpoint, presentErrors, presentStats, presentSummary } from '../views/usage.ts';

/** The largest time a Date can hold, in seconds. */
const LAST_SECOND = 8.64e12;

export function usageRoutes(context: RouteContext): Route[] {
  const { recorder, store } = context;

  function flushThen<T>(read: () => Promise<T>): Promise<T> {
    return context.withDeadline(recorder.flush().then(read));
  }

  const summary = defineLooseRoute({
    path: `${API_PREFIX}/usage/summary`,
    access: 'INTERNAL',
    query: UsageSummaryQuery,
    document: {
      operationId: 'getUsageSummary',
      tag: 'Usage',
      summary: "The calling key's usage totals",
      ok: UsageSummaryAnswer,
    },
    async handle({ query, identity, nowTs }) {
      const untilTs = context.wallClock.now() + 1;
      const fromTs = toWholeSecond(untilTs - query.days! * DAY_MS);
      const totals = await flushThen(() => store.usage.totals(identity!.keyId, fromTs, toWholeHour(untilTs)));
      return okUncached(presentSummary(query.days!, totals, nowTs));
    },
  });

  const byEndpoint = defineLooseRoute({
    path: `${API_PREFIX}/usage/by-endpoint`,
    access: 'INTERNAL',
    query: UsageByEndpointQuery,
    document: {
      operationId: 'getUsageByEndpoint',
      tag: 'Usage',
      summary: "The calling key's usage by endpoint",
      ok: UsageByEndpointAnswer,
    },
    async handle({ query, identity, nowTs }) {
      if (query.end < query.start) {
        throw new FaultError([valueFault(['query', 'end'], 'end must not be before start')]);
      }
      const fromTs = clampSeconds(query.start) * SECOND_MS;
      const untilTs = (clampSeconds(query.end) + 1) * SECOND_MS;
      const isToNow = untilTs > context.wallClock.now();
      const rows = await flushThen(() =>
        store.usage.byEndpoint(identity!.keyId, fromTs, isToNow ? toWholeHour(untilTs) : untilTs),
      );
      return okUncached(presentByEndpoint(rows, nowTs));
    },
  });

  const errors = defineLooseRoute({
    path: `${API_PREFIX}/usage/errors`,
    access: 'INTERNAL',
    query: UsageErrorsQuery,
    document: {
      operationId: 'listUsageErrors',
      tag: 'Usage',
      summary: "The calling key's recent errors, newest first",
      ok: UsageErrorsAnswer,
    },
    async handle({ query, identity, nowTs }) {
      const rows = await flushThen(() => store.usage.recentErrors(identity!.keyId, query.limit!));
      return okUncached(presentErrors(rows, nowTs));
    },
  });

  const stats = defineLooseRoute({
    path: `${API_PREFIX}/usage/stats`,
    access: 'INTERNAL',
    document: {
      operationId: 'getUsageStats',
      tag: 'Usage',
      summary: 'State of the usage buffer and tracking settings',
      ok: UsageStatsAnswer,
    },
    handle: ({ nowTs }) => okUncached(presentStats(recorder, nowTs)),
  });

  return [summary, byEndpoint, errors, stats];
}

/** Rounds up, so that the current hour is read as one sum, not row by row; there are no future rows. */
function toWholeHour(ts: number): number {
  return Math.ceil(ts / HOUR_MS) * HOUR_MS;
}

/** Usage is stored as one sum per second. */
function toWholeSecond(ts: number): number {
  return Math.floor(ts / SECOND_MS) * SECOND_MS;
}

function clampSeconds(seconds: number): number {
  return Math.min(LAST_SECOND - 1, Math.max(-LAST_SECOND, seconds));
}
