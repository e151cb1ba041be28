// Usage sums per key, hour, endpoint and method, updated with every batch of rows in the same transaction.

import { HOUR_MS } from '../../domain/units.ts';
import type { Connection } from '../engine.ts';
import { USAGE_HOURS } from '../tables-callers.ts';
import { insertTuples } from './many-rows.ts';

export interface UsageTotals {
  requests: number;
  errors: number;
  responseMsTotal: number;
  bytes: number;
}

/** Totals for one endpoint and method. */
export type EndpointUsage = UsageTotals & { endpoint: string; method: string };

const SUMMED = ['requests', 'errors', 'response_ms', 'bytes'] as const;

const ADD_TO_KNOWN = `on conflict (key_id, hour_ts, endpoint, method)
  do update set ${SUMMED.map((name) => `${name} = usage_hours.${name} + excluded.${name}`).join(', ')}`;

/** A row of usage: ts, key, endpoint, method, status, responseMs, bytes, message, requests. */
export type UsageValues = [number, string, string, string, number, number, number, string | null, number];

/** Values in the order of USAGE_HOURS. */
type HourValues = [string, number, string, string, number, number, number, number];

export const FIRST_ERROR_STATUS = 400;

/**
 * Sums rows grouped by key into hours. The fixed order avoids deadlocks between writers. Values are tuples
 * because this handles thousands of rows per second.
 */
export function sumByHour(rows: Iterable<UsageValues>): HourValues[] {
  const sums: HourValues[] = [];
  let own: HourValues[] = [];
  for (const [ts, keyId, endpoint, method, status, responseMs, bytes, , requests] of rows) {
    const hourTs = Math.floor(ts / HOUR_MS) * HOUR_MS;
    const errors = status >= FIRST_ERROR_STATUS ? requests : 0;
    if (own[0]?.[0] !== keyId) {
      sums.push(...own.sort(compareHours));
      own = [];
    }
    const sum = own.find((each) => each[1] === hourTs && each[2] === endpoint && each[3] === method);
    if (!sum) {
      own.push([keyId, hourTs, endpoint, method, requests, errors, responseMs, bytes]);
      continue;
    }
    sum[4] += requests;
    sum[5] += errors;
    sum[6] += responseMs;
    sum[7] += bytes;
  }
  return [...sums, ...own.sort(compareHours)];
}

export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Compares sums of the same key. */
function compareHours(left: HourValues, right: HourValues): number {
  return left[1] - right[1] || compareTexts(left[2], right[2]) || compareTexts(left[3], right[3]);
}

export function addHours(connection: Connection, sums: readonly HourValues[]): Promise<void> {
  return insertTuples(connection, 'usage_hours', USAGE_HOURS.sqlTypes, sums, ADD_TO_KNOWN);
}

/** Splits a period into whole hours and the remainders at both ends. */
export function splitPeriod(fromTs: number, untilTs: number) {
  const firstHourTs = Math.ceil(fromTs / HOUR_MS) * HOUR_MS + 0;
  const lastHourTs = Math.floor(untilTs / HOUR_MS) * HOUR_MS + 0;
  if (firstHourTs >= lastHourTs) return { hours: null, ends: [[fromTs, untilTs]] as const };
  return {
    hours: [firstHourTs, lastHourTs] as const,
    ends: [
      [fromTs, firstHourTs],
      [lastHourTs, untilTs],
    ] as const,
  };
}

/** One row per endpoint and method, busiest first. */
export function mergeUsage(parts: readonly EndpointUsage[]): EndpointUsage[] {
  const merged = new Map<string, EndpointUsage>();
  for (const part of parts) {
    const name = JSON.stringify([part.endpoint, part.method]);
    const sum = merged.get(name);
    merged.set(name, sum ? { ...sum, ...addTotals(sum, part) } : { ...part });
  }
  return [...merged]
    .sort(
      ([leftName, left], [rightName, right]) =>
        right.requests - left.requests || (leftName < rightName ? -1 : 1),
    )
    .map(([, sum]) => sum);
}

export function addTotals(left: UsageTotals, right: UsageTotals): UsageTotals {
  return {
    requests: left.requests + right.requests,
    errors: left.errors + right.errors,
    responseMsTotal: left.responseMsTotal + right.responseMsTotal,
    bytes: left.bytes + right.bytes,
  };
}
