// Counts of the settlement oracle for one account, asked for gently: while the oracle has not looked at the platform
// again, one call confirms every figure.

import type { Account } from '../../domain/account.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { sleep } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { isAhead } from '../future-posts.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { isStopped } from '../retry.ts';
import type { OracleSource, OracleTracking, OracleTrackings, SkippedItem } from '../source.ts';
import { asArray } from '../wire-reader.ts';
import { noFigures, noneEnded, noTrackings, unexpectedShape } from './errors.ts';
import { parseOraclePosts, parseTracking, parseTrackings } from './parse.ts';
import { readEnvelope } from './wire.ts';

export interface OracleSourceOptions {
  account: Account;
  /** As the oracle spells it: X or TRUTH_SOCIAL. */
  platform: string;
  http: HttpTransport;
  clock: Clock;
  /** Pause between two calls of one look; the oracle bans hasty readers. */
  callSpacingMs?: number;
}

const DEFAULT_CALL_SPACING_MS = SECOND_MS;
/** New trackings are looked for at least so often, however still the oracle is. */
const LIST_EVERY_MS = 5 * MINUTE_MS;
/** Figures of an ended window change with late back-fills only. */
const ENDED_EVERY_MS = 30 * MINUTE_MS;
/** So often an ended tracking that fails is asked for again. */
const ENDED_ATTEMPTS = 3;
/** Beyond this the answer may be the cache's and not the oracle's: two looks at the platform were missed. */
const SUSPECT_AFTER_MS = 10 * MINUTE_MS;

/** What the last full look found. */
interface Look {
  lookedTs: number;
  listed: readonly OracleTracking[];
  details: Map<string, { tracking: OracleTracking; askedTs: number }>;
}

export function createOracleSource(options: OracleSourceOptions): OracleSource {
  const { clock, callSpacingMs = DEFAULT_CALL_SPACING_MS } = options;
  let last: Look | null = null;
  let lastSyncTs: number | null = null;
  let turn = 0;
  const endedFailures = new Map<string, number>();

  function noteSync(tracking: OracleTracking | null): void {
    const syncTs = tracking?.lastSyncTs ?? null;
    if (syncTs !== null && !isAhead(syncTs, clock.now())) lastSyncTs = Math.max(syncTs, lastSyncTs ?? 0);
  }

  /** The oracle sits behind a cache; a changing parameter gets past it, and is sent only where that can help. */
  function query(given: Query): Query {
    const nowTs = clock.now();
    const isSuspect = lastSyncTs !== null && nowTs - lastSyncTs > SUSPECT_AFTER_MS;
    return isSuspect ? { ...given, _t: nowTs } : given;
  }

  async function fetchList(path: string, given: Query, signal: AbortSignal): Promise<readonly unknown[]> {
    const answer = await options.http.getJson(path, query({ platform: options.platform, ...given }), signal);
    const list = asArray(readEnvelope(answer));
    if (!list) throw unexpectedShape(path, answer);
    return list;
  }

  async function fetchDetail(tracking: OracleTracking, signal: AbortSignal): Promise<OracleTracking | null> {
    const path = `/trackings/${encodeURIComponent(tracking.trackingId)}`;
    const answer = await options.http.getJson(path, query({ includeStats: true }), signal);
    const data = readEnvelope(answer);
    if (data === undefined) throw unexpectedShape(`tracking '${tracking.title}'`, answer);
    const detail = parseTracking(data);
    noteSync(detail);
    return detail;
  }

  async function listTrackings(signal: AbortSignal): Promise<OracleTrackings> {
    const found = parseTrackings(await fetchList(userPath(options, '/trackings'), {}, signal));
    if (found.trackings.length === 0) throw noTrackings(found.skipped.length);
    return found;
  }

  /** One running tracking, in turn. Its figure is news; so is, for all the others, whether the oracle looked again. */
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
    const before = lastSyncTs;
    const detail = await fetchDetail(one, signal);
    if (!detail || lastSyncTs !== before) return null;
    // An oracle that never says when it looked is asked about one after the other; one that stopped saying is not trusted.
    if (before !== null && detail.lastSyncTs === null) return null;
    look.details.set(one.trackingId, { tracking: detail, askedTs: nowTs });
    return assemble(look, wanted, nowTs, []);
  }

  /** The list carries no figures, so each tracking of interest is asked for by itself. */
  async function lookAtAll(endedSinceTs: number, signal: AbortSignal): Promise<OracleTrackings> {
    const { trackings: listed, skipped } = await listTrackings(signal);
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
    assertFigures(look, wanted);
    forget(look, wanted);
    if (failure !== null && look.details.size === 0) throw failure;
    last = look;
    return assemble(look, wanted, nowTs, skipped);
  }

  /**
   * One that fails, or comes too late for the look, is told and the others stand all the same, unless we are told to slow
   * down or to stop.
   */
  async function tryDetail(
    tracking: OracleTracking,
    signal: AbortSignal,
  ): Promise<{ detail: OracleTracking | null; error: unknown }> {
    try {
      await sleep(clock, callSpacingMs, signal);
      return { detail: await fetchDetail(tracking, signal), error: null };
    } catch (error) {
      if (isStopped(signal) || (error instanceof SourceError && error.status === 429)) throw error;
      return { detail: null, error };
    }
  }

  /** One that fails time and again must not keep all others waiting: it is told without a figure in the end. */
  function isGivenUp({ trackingId }: OracleTracking, error: unknown): boolean {
    if (!(error instanceof SourceError) || error.status === 429) return false;
    const times = (endedFailures.get(trackingId) ?? 0) + 1;
    endedFailures.set(trackingId, times);
    return error.status === 404 || error.status === 410 || times >= ENDED_ATTEMPTS;
  }

  return {
    lastSyncTs: () => lastSyncTs,
    async fetchTrackings(endedSinceTs, signal) {
      const confirmed = last && (await confirm(last, endedSinceTs, signal));
      return confirmed ?? lookAtAll(endedSinceTs, signal);
    },
    async fetchEnded(endedSinceTs, isKnown, onTracking, signal) {
      const { trackings } = await listTrackings(signal);
      const ended = trackings.filter(({ window, isActive }) => !isActive && window.endTs >= endedSinceTs);
      const open = ended.filter(({ trackingId }) => !isKnown(trackingId));
      const failed: OracleTracking[] = [];
      for (const tracking of open) {
        await sleep(clock, callSpacingMs, signal);
        signal.throwIfAborted();
        try {
          const detail = await fetchDetail(tracking, signal);
          await onTracking(detail ?? tracking);
        } catch (error) {
          if (signal.aborted || !isGivenUp(tracking, error)) throw error;
          failed.push(tracking);
        }
      }
      // None at all is the oracle's trouble, not that of one tracking.
      if (failed.length > 1 && failed.length === ended.length) throw noneEnded(failed.length);
      for (const tracking of failed) await onTracking(tracking);
    },
    async fetchPosts(window, signal, onSkipped) {
      // Instants, hence no time zone beside them.
      const bounds = {
        startDate: new Date(window.startTs).toISOString(),
        endDate: new Date(window.endTs - 1).toISOString(),
      };
      const posts = parseOraclePosts(await fetchList(userPath(options, '/posts'), bounds, signal), onSkipped);
      return posts.filter((post) => post.createdTs >= window.startTs && post.createdTs < window.endTs);
    },
  };
}

/** Those that are due, what is not known first: a slow oracle may answer for a few only before the time is over. */
function inTurn(look: Look, wanted: readonly OracleTracking[]): OracleTracking[] {
  const due = wanted.filter((one) => isDue(look, one));
  return due.sort((a, b) => Number(look.details.has(a.trackingId)) - Number(look.details.has(b.trackingId)));
}

/** Figures of an ended window are kept for a while. */
function isDue({ details, lookedTs }: Look, { trackingId, isActive }: OracleTracking): boolean {
  const known = details.get(trackingId);
  return isActive || !known || lookedTs - known.askedTs >= ENDED_EVERY_MS;
}

/** A running tracking has a figure: one that lacks it is left to the caller, all of them are a change of the oracle's. */
function assertFigures({ details }: Look, wanted: readonly OracleTracking[]): void {
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

/** Running trackings, and those that ended lately. */
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

function userPath(options: OracleSourceOptions, tail: string): string {
  return `/users/${encodeURIComponent(options.account.handle)}${tail}`;
}
