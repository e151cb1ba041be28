// Price history of a token: from the market's data service, otherwise from its order-book service. Neither
// allows more than 15 days at a time, and the latter needs steps of at least 12 hours for closed markets.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { Query } from '../http-transport.ts';
import type { JsonReads } from '../paced-reads.ts';
import { isStopped } from '../retry.ts';
import type { FetchPastPrices, PastPrice } from '../source.ts';
import type { WireRecord } from '../wire-reader.ts';
import { asArray, asRecord, readFlag, readName, ShapeError, toNumber, toPrice } from '../wire-reader.ts';
import { isNotGranted, unexpectedShape } from './wire.ts';

const SLICE_MS = 15 * DAY_MS;
const FINE_STEP_MS = HOUR_MS;
/** The finest step that the data service keeps for ever. */
const LASTING_STEP_MS = 3 * HOUR_MS;
/** The service keeps steps below an hour for 90 days; the margin covers different clocks. */
const FINE_KEPT_MS = 85 * DAY_MS;
/** The order-book service's finest step for closed markets. */
const CLOSED_STEP_MS = 12 * HOUR_MS;
/** A slice has 361 hourly points; needing more pages than this is an error. */
const MAX_PAGES = 50;

interface Span {
  startTs: number;
  endTs: number;
}

export function createPriceHistory(
  services: { clob: JsonReads; data: JsonReads },
  clock: Pick<Clock, 'now'>,
): FetchPastPrices {
  let isDataGranted = true;

  async function fromData(
    tokenId: string,
    span: Span,
    stepMs: number,
    signal: AbortSignal,
  ): Promise<PastPrice[]> {
    if (!isDataGranted) return [];
    try {
      return await inSlices(span, (slice) => fetchDataSlice(services.data, tokenId, slice, stepMs, signal));
    } catch (error) {
      // A busy service is tried again later: the other one has only coarse steps.
      if (isStopped(signal) || isPassing(error)) throw error;
      if (isNotGranted(error)) isDataGranted = false;
      return [];
    }
  }

  return async (tokenId, span, signal) => {
    const isYoung = clock.now() - span.startTs <= FINE_KEPT_MS;
    for (const stepMs of isYoung ? [FINE_STEP_MS, LASTING_STEP_MS] : [LASTING_STEP_MS]) {
      const found = await fromData(tokenId, span, stepMs, signal);
      if (found.length > 0) return found;
    }
    return fromBooks(services.clob, tokenId, span, isYoung, signal);
  };
}

function isPassing(error: unknown): boolean {
  return error instanceof SourceError && error.isRetryable && !(error instanceof ShapeError);
}

async function fromBooks(
  clob: JsonReads,
  tokenId: string,
  span: Span,
  isYoung: boolean,
  signal: AbortSignal,
): Promise<PastPrice[]> {
  for (const stepMs of isYoung ? [FINE_STEP_MS, CLOSED_STEP_MS] : [CLOSED_STEP_MS]) {
    const points = await inSlices(span, async ({ startTs, endTs }) => {
      const query = { ...boundsOf(startTs, endTs, 'Ts'), fidelity: String(stepMs / MINUTE_MS) };
      return parseHistory(await clob.getJson('/prices-history', { market: tokenId, ...query }, signal));
    });
    if (points.length > 0) return points;
  }
  return [];
}

async function fetchDataSlice(
  data: JsonReads,
  tokenId: string,
  { startTs, endTs }: Span,
  stepMs: number,
  signal: AbortSignal,
): Promise<PastPrice[]> {
  const fixed: Query = {
    token_id: tokenId,
    ...boundsOf(startTs, endTs, ''),
    bucket_seconds: String(stepMs / SECOND_MS),
  };
  const points: PastPrice[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const read = readDataPage(await data.getJson('/v2/prices-history', { ...fixed, cursor }, signal));
    points.push(...read.points);
    if (read.nextCursor === null) return points.sort((left, right) => left.ts - right.ts);
    if (read.nextCursor === cursor) break;
    cursor = read.nextCursor;
  }
  throw unexpectedShape("the price history's cursor");
}

async function inSlices(
  { startTs, endTs }: Span,
  fetchSlice: (slice: Span) => Promise<PastPrice[]>,
): Promise<PastPrice[]> {
  const points = new Map<number, PastPrice>();
  for (let fromTs = startTs; fromTs < endTs; fromTs += SLICE_MS) {
    const slice = await fetchSlice({ startTs: fromTs, endTs: Math.min(endTs, fromTs + SLICE_MS) });
    // A point on the boundary of two slices appears in both.
    for (const point of slice) points.set(point.ts, point);
  }
  return [...points.values()];
}

function boundsOf(startTs: number, endTs: number, suffix: string): Query {
  return {
    [`start${suffix}`]: String(Math.ceil(startTs / 1000)),
    [`end${suffix}`]: String(Math.floor(endTs / 1000)),
  };
}

export function parseHistory(value: unknown): PastPrice[] {
  return readPoints(asArray(asRecord(value)?.history), ({ t, p }) => [t, p]);
}

function readDataPage(value: unknown): { points: PastPrice[]; nextCursor: string | null } {
  const envelope = asRecord(value) ?? {};
  const pagination = asRecord(envelope.pagination) ?? {};
  const list = envelope.data === null ? [] : asArray(envelope.data);
  const points = readPoints(list, ({ timestamp, price }) => [timestamp, price]);
  const nextCursor = readName(pagination, 'next_cursor');
  return { points, nextCursor: readFlag(pagination, 'has_more') === false ? null : nextCursor };
}

/** Drops invalid points. If no point of a non-empty list is valid, the format has changed. */
function readPoints(
  list: readonly unknown[] | null,
  pick: (point: WireRecord) => [unknown, unknown],
): PastPrice[] {
  if (!list) throw unexpectedShape('the price history');
  const points = list.flatMap((point) => {
    const [time, value] = pick(asRecord(point) ?? {});
    const [second, price] = [toNumber(time), toPrice(value)];
    const isTime = second !== null && Number.isSafeInteger(second) && second > 0;
    return isTime && price !== null ? [{ ts: second * 1000, price }] : [];
  });
  if (points.length === 0 && list.length > 0) throw unexpectedShape('the price history');
  return points;
}
