// Presents a key's usage.

import type { UsageRow, UsageTotals } from '../../store/ports.ts';
import { round6 } from '../records/record.ts';
import type { UsageRecorder } from '../usage/usage-recorder.ts';

export function presentSummary(days: number, totals: UsageTotals, nowTs: number) {
  return {
    timestamp: nowTs,
    data: {
      days,
      total_requests: totals.requests,
      total_errors: totals.errors,
      error_rate: share(totals.errors, totals.requests),
      avg_response_ms: share(totals.responseMsTotal, totals.requests),
      total_bandwidth_bytes: totals.bytes,
    },
  };
}

export function presentByEndpoint(
  rows: readonly (UsageTotals & { endpoint: string; method: string })[],
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    data: rows.map((row) => ({
      endpoint: row.endpoint,
      method: row.method,
      requests: row.requests,
      errors: row.errors,
      error_rate: share(row.errors, row.requests),
      avg_response_ms: share(row.responseMsTotal, row.requests),
      bandwidth_bytes: row.bytes,
    })),
  };
}

export function presentErrors(rows: readonly UsageRow[], nowTs: number) {
  return {
    timestamp: nowTs,
    data: rows.map((row) => ({
      endpoint: row.endpoint,
      method: row.method,
      timestamp: row.ts,
      status_code: row.status,
      response_ms: round6(row.responseMs),
      message: row.message,
    })),
  };
}

export function presentStats(recorder: UsageRecorder, nowTs: number) {
  const { ring, settings } = recorder;
  return {
    timestamp: nowTs,
    data: {
      buffer: {
        size: ring.size,
        capacity: ring.capacity,
        dropped: ring.dropped,
        last_flush_ts: recorder.lastFlushTs,
      },
      tracking: {
        enabled: settings.isEnabled,
        flush_interval_ms: settings.flushIntervalMs,
        retention_days: settings.retentionDays,
      },
    },
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : round6(part / whole);
}
