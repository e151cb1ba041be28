// Endpoints 17 to 20: the calling key's usage. The buffer is flushed first, so that the numbers are complete.

import { envelope, MaybeTs, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { Type } from '../../contract/schema.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import type { UsageRow, UsageTotals } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { recordOf, round6, six } from '../records/record.ts';
import type { UsageRecorder } from '../usage/usage-recorder.ts';

/** The largest time a Date can hold, in seconds. */
const LAST_SECOND = 8.64e12;

const ErrorRate = Type.Number({ minimum: 0, maximum: 1, description: 'Fraction from 0 to 1' });

const UsageSummary = recordOf<UsageTotals & { days: number }>()({
  days: [Type.Integer(), ({ days }) => days],
  total_requests: [Type.Integer(), ({ requests }) => requests],
  total_errors: [Type.Integer(), ({ errors }) => errors],
  error_rate: [ErrorRate, ({ errors, requests }) => share(errors, requests)],
  avg_response_ms: [Type.Number(), ({ responseMsTotal, requests }) => share(responseMsTotal, requests)],
  total_bandwidth_bytes: [Type.Integer(), ({ bytes }) => bytes],
});

const EndpointUsage = recordOf<UsageTotals & { endpoint: string; method: string }>()({
  endpoint: [Type.String(), ({ endpoint }) => endpoint],
  method: [Type.String(), ({ method }) => method],
  requests: [Type.Integer(), ({ requests }) => requests],
  errors: [Type.Integer(), ({ errors }) => errors],
  error_rate: [ErrorRate, ({ errors, requests }) => share(errors, requests)],
  avg_response_ms: [Type.Number(), ({ responseMsTotal, requests }) => share(responseMsTotal, requests)],
  bandwidth_bytes: [Type.Integer(), ({ bytes }) => bytes],
});

const UsageErrorRecord = recordOf<UsageRow>()({
  endpoint: [Type.String(), ({ endpoint }) => endpoint],
  method: [Type.String(), ({ method }) => method],
  timestamp: [Ts, ({ ts }) => ts],
  status_code: [Type.Integer(), ({ status }) => status],
  response_ms: six(({ responseMs }) => responseMs),
  message: [Type.Union([Type.String(), Type.Null()]), ({ message }) => message],
});

const UsageBuffer = recordOf<UsageRecorder>()({
  size: [Type.Integer(), ({ ring }) => ring.size],
  capacity: [Type.Integer(), ({ ring }) => ring.capacity],
  dropped: [Type.Integer(), ({ ring }) => ring.dropped],
  last_flush_ts: [MaybeTs, ({ lastFlushTs }) => lastFlushTs],
});

const UsageTracking = recordOf<UsageRecorder>()({
  enabled: [Type.Boolean(), ({ settings }) => settings.isEnabled],
  flush_interval_ms: [Type.Integer(), ({ settings }) => settings.flushIntervalMs],
  retention_days: [Type.Integer(), ({ settings }) => settings.retentionDays],
});

const UsageStats = recordOf<UsageRecorder>()({
  buffer: [UsageBuffer.schema, UsageBuffer.present],
  tracking: [UsageTracking.schema, UsageTracking.present],
});

export function usageRoutes(context: RouteContext): Route[] {
  const { recorder, store } = context;

  function flushThen<T>(read: () => Promise<T>): Promise<T> {
    return context.withDeadline(recorder.flush().then(read));
  }

  const summary = defineRoute({
    path: `${API_PREFIX}/usage/summary`,
    access: 'INTERNAL',
    query: Type.Object({
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 7 })),
    }),
    document: {
      operationId: 'getUsageSummary',
      tag: 'Usage',
      summary: "The calling key's usage totals",
      ok: objectEnvelope('UsageSummaryAnswer', UsageSummary.schema),
    },
    async handle({ query, identity, nowTs }) {
      const untilTs = context.wallClock.now() + 1;
      const fromTs = toWholeSecond(untilTs - query.days! * DAY_MS);
      const totals = await flushThen(() => store.usage.totals(identity!.keyId, fromTs, toWholeHour(untilTs)));
      return okUncached({ timestamp: nowTs, data: UsageSummary.present({ ...totals, days: query.days! }) });
    },
  });

  const byEndpoint = defineRoute({
    path: `${API_PREFIX}/usage/by-endpoint`,
    access: 'INTERNAL',
    query: Type.Object({
      start: Type.Integer({ description: 'Unix seconds' }),
      end: Type.Integer({ description: 'Unix seconds, inclusive' }),
    }),
    document: {
      operationId: 'getUsageByEndpoint',
      tag: 'Usage',
      summary: "The calling key's usage by endpoint",
      ok: envelope('UsageByEndpointAnswer', EndpointUsage.schema),
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
      return okUncached({ timestamp: nowTs, data: rows.map(EndpointUsage.present) });
    },
  });

  const errors = defineRoute({
    path: `${API_PREFIX}/usage/errors`,
    access: 'INTERNAL',
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    }),
    document: {
      operationId: 'listUsageErrors',
      tag: 'Usage',
      summary: "The calling key's recent errors, newest first",
      ok: envelope('UsageErrorsAnswer', UsageErrorRecord.schema),
    },
    async handle({ query, identity, nowTs }) {
      const rows = await flushThen(() => store.usage.recentErrors(identity!.keyId, query.limit!));
      return okUncached({ timestamp: nowTs, data: rows.map(UsageErrorRecord.present) });
    },
  });

  const stats = defineRoute({
    path: `${API_PREFIX}/usage/stats`,
    access: 'INTERNAL',
    document: {
      operationId: 'getUsageStats',
      tag: 'Usage',
      summary: 'State of the usage buffer and tracking settings',
      ok: objectEnvelope('UsageStatsAnswer', UsageStats.schema),
    },
    handle: ({ nowTs }) => okUncached({ timestamp: nowTs, data: UsageStats.present(recorder) }),
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

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : round6(part / whole);
}
