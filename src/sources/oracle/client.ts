// The settlement oracle's counts for one account, with few requests: until the oracle syncs again, one call
// confirms every count.

import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { isStopped } from '../retry.ts';
import type { OracleSource, OracleTracking, OracleTrackings, SkippedItem } from '../source.ts';
import {
  createOracleCalls,
  noFigures,
  noneEnded,
  type OracleCallOptions,
  type OracleCalls,
} from './calls.ts';

export interface OracleSourceOptions extends OracleCallOptions {
  /** Pause between two calls; the oracle bans clients that call too fast. */
  callSpacingMs?: number;
}

const DEFAULT_CALL_SPACING_MS = SECOND_MS;
/** New trackings are checked at least this often, even if the oracle has not synced. */
const LIST_EVERY_MS = 5 * MINUTE_MS;
/** Counts of an ended window change only through late corrections. */
const ENDED_EVERY_MS = 30 * MINUTE_MS;
/** Attempts to read an ended tracking that fails. */
const ENDED_ATTEMPTS = 3;
/** Result of the last full read. */
interface Look {
  lookedTs: number;
  listed: readonly OracleTracking[];
  details: Map<string, { tracking: OracleTracking; askedTs: number }>;
}

export function createOracleSource(options: OracleSourceOptions): OracleSource {
  const { clock, callSpacingMs = DEFAULT_CALL_SPACING_MS } = options;
  const calls = createOracleCalls(options);
  let last: Look | null = null;
  let turn = 0;

  /** Reads one running tracking, in rotation, for its count and whether the oracle has synced again. */
  async function confirm(
    look: Look,
    endedSinceTs: number,
    signal: AbortSignal,
  ): Promise<OracleTrackings | null> {
    const nowTs = clock.now();
    if (nowTs - look.lookedTs >= LIST_EVERY_MS) return null;
    const wanted = choose(look.listed, endedSinceTs, nowTs);
    if (wanted.some(({ trackingId }) => !look.details.has(trackingId))) return null;
    const running = wanted.filter(({ isActive }) => isActive);
    const one = running[turn++ % Math.max(1, running.length)];
    if (!one) return null;
    const before = calls.lastSyncTs();
    const detail = await calls.fetchDetail(one, signal);
    if (!detail || calls.lastSyncTs() !== before) return null;
    // If the oracle never reports its syncs, read counts one by one; if it stopped doing so, do not trust it.
    if (before !== null && detail.lastSyncTs === null) return null;
    look.details.set(one.trackingId, { tracking: detail, askedTs: nowTs });
    return assemble(look, wanted, nowTs, []);
  }

  /** The list has no counts, so each relevant tracking is requested separately. */
  async function lookAtAll(endedSinceTs: number, signal: AbortSignal): Promise<OracleTrackings> {
    const { trackings: listed, skipped } = await calls.listTrackings(signal);
    const nowTs = clock.now();
    const look: Look = { lookedTs: nowTs, listed, details: new Map(last?.details) };
    const wanted = choose(listed, endedSinceTs, nowTs);
    let failure: unknown = null;
    for (const tracking of inTurn(look, wanted)) {
      const { detail, error } = await tryDetail(tracking, signal);
      look.details.delete(tracking.trackingId);
      if (detail) look.details.set(tracking.trackingId, { tracking: detail, askedTs: nowTs });
      if (!detail || isWithoutFigure(detail))
        skipped.push({ what: `tracking '${tracking.title}'`, reason: describeMissing(error) });
      failure = error ?? failure;
    }
    assertCounts(look, wanted);
    forget(look, wanted);
    if (failure !== null && look.details.size === 0) throw failure;
    last = look;
    return assemble(look, wanted, nowTs, skipped);
  }

  /** A tracking that fails or times out is reported; the others stay valid unless we must slow down. */
  async function tryDetail(
    tracking: OracleTracking,
    signal: AbortSignal,
  ): Promise<{ detail: OracleTracking | null; error: unknown }> {
    try {
      await sleep(clock, callSpacingMs, signal);
      return { detail: await calls.fetchDetail(tracking, signal), error: null };
    } catch (error) {
      if (isStopped(signal) || (error instanceof SourceError && error.status === 429)) throw error;
      return { detail: null, error };
    }
  }

  return {
    lastSyncTs: calls.lastSyncTs,
    syncError: calls.syncError,
    fetchPosts: calls.fetchPosts,
    fetchEnded: createEndedReader(calls, clock, callSpacingMs),
    async fetchTrackings(endedSinceTs, signal) {
      const confirmed = last && (await confirm(last, endedSinceTs, signal));
      return confirmed ?? lookAtAll(endedSinceTs, signal);
    },
  };
}

function createEndedReader(
  calls: OracleCalls,
  clock: Clock,
  callSpacingMs: number,
): OracleSource['fetchEnded'] {
  const endedFailures = new Map<string, number>();

  /** A tracking that keeps failing must not block the others: in the end it is reported without a count. */
  function isGivenUp({ trackingId }: OracleTracking, error: unknown): boolean {
    if (!(error instanceof SourceError) || error.status === 429) return false;
    const times = (endedFailures.get(trackingId) ?? 0) + 1;
    endedFailures.set(trackingId, times);
    return error.status === 404 || error.status === 410 || times >= ENDED_ATTEMPTS;
  }

  return async (endedSinceTs, isKnown, onTracking, signal) => {
    const { trackings } = await calls.listTrackings(signal);
    const ended = trackings.filter(({ window, isActive }) => !isActive && window.endTs >= endedSinceTs);
    const open = ended.filter(({ trackingId }) => !isKnown(trackingId));
    const failed: OracleTracking[] = [];
    for (const tracking of open) {
      await sleep(clock, callSpacingMs, signal);
      signal.throwIfAborted();
      try {
        const detail = await calls.fetchDetail(tracking, signal);
        await onTracking(detail ?? tracking);
      } catch (error) {
        if (signal.aborted || !isGivenUp(tracking, error)) throw error;
        failed.push(tracking);
      }
    }
    // If all of them fail, the oracle is at fault, not a single tracking.
    if (failed.length > 1 && failed.length === ended.length) throw noneEnded(failed.length);
    for (const tracking of failed) await onTracking(tracking);
  };
}

/** Trackings that are due, unknown ones first, because a slow oracle may return only a few in time. */
function inTurn(look: Look, wanted: readonly OracleTracking[]): OracleTracking[] {
  const due = wanted.filter((one) => isDue(look, one));
  return due.sort((a, b) => Number(look.details.has(a.trackingId)) - Number(look.details.has(b.trackingId)));
}

/** Counts of an ended window are cached for a while. */
function isDue({ details, lookedTs }: Look, { trackingId, isActive }: OracleTracking): boolean {
  const known = details.get(trackingId);
  return isActive || !known || lookedTs - known.askedTs >= ENDED_EVERY_MS;
}

/** If some running trackings lack a count, the caller decides; if all do, the oracle's format has changed. */
function assertCounts({ details }: Look, wanted: readonly OracleTracking[]): void {
  const read = wanted.flatMap(({ trackingId }) => details.get(trackingId)?.tracking ?? []);
  const running = read.filter(({ isActive }) => isActive);
  if (running.length > 0 && running.every(isWithoutFigure)) throw noFigures(running.length);
}

function isWithoutFigure({ isActive, count }: OracleTracking): boolean {
  return isActive && count === null;
}

function describeMissing(error: unknown): string {
  return error === null ? 'its count cannot be read (stats.total)' : errorMessage(error);
}

/** Running trackings, and recently ended ones. */
function choose(
  listed: readonly OracleTracking[],
  endedSinceTs: number,
  nowTs: number,
): readonly OracleTracking[] {
  return listed.filter(({ window, isActive }) =>
    isActive ? window.startTs <= nowTs : window.endTs >= endedSinceTs,
  );
}

function assemble(
  look: Look,
  wanted: readonly OracleTracking[],
  nowTs: number,
  skipped: SkippedItem[],
): OracleTrackings {
  const detailed = wanted.flatMap(({ trackingId }) => look.details.get(trackingId)?.tracking ?? []);
  const ahead = look.listed.filter(({ window }) => window.startTs > nowTs);
  return { trackings: [...detailed, ...ahead], skipped };
}

function forget(look: Look, wanted: readonly OracleTracking[]): void {
  const kept = new Set(wanted.map(({ trackingId }) => trackingId));
  for (const id of look.details.keys()) if (!kept.has(id)) look.details.delete(id);
}
