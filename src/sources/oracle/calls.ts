// Oracle API calls for one account, and when the oracle last synced.

import type { Account } from '../../domain/account.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SourceError } from '../../runtime/errors.ts';
import { isAhead } from '../future-posts.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import type { OracleSource, OracleTracking, OracleTrackings } from '../source.ts';
import { asArray, ShapeError } from '../wire-reader.ts';
import { parseOraclePosts, parseTracking, parseTrackings } from './parse.ts';
import { readEnvelope, readEnvelopeMessage } from './wire.ts';

export interface OracleCallOptions {
  account: Account;
  /** As the oracle spells it: X or TRUTH_SOCIAL. */
  platform: string;
  http: HttpTransport;
  clock: Clock;
}

/** Past this age at least two syncs were missed, so the response may come from a cache. */
const SUSPECT_AFTER_MS = 10 * MINUTE_MS;

export interface OracleCalls extends Pick<OracleSource, 'lastSyncTs' | 'syncError' | 'fetchPosts'> {
  listTrackings(signal: AbortSignal): Promise<OracleTrackings>;
  fetchDetail(tracking: OracleTracking, signal: AbortSignal): Promise<OracleTracking | null>;
}

export function createOracleCalls(options: OracleCallOptions): OracleCalls {
  const { clock } = options;
  let lastSyncTs: number | null = null;
  let syncError: string | null = null;

  function noteSync(tracking: OracleTracking | null): void {
    const syncTs = tracking?.lastSyncTs ?? null;
    if (tracking) syncError = tracking.syncError;
    if (syncTs !== null && !isAhead(syncTs, clock.now())) lastSyncTs = Math.max(syncTs, lastSyncTs ?? 0);
  }

  /** A changing parameter bypasses the oracle's cache; it is sent only if that can help. */
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

  return {
    lastSyncTs: () => lastSyncTs,
    syncError: () => syncError,
    listTrackings,
    fetchDetail,
    async fetchPosts(window, signal, onSkipped) {
      // Absolute times, so no time zone is needed.
      const bounds = {
        startDate: new Date(window.startTs).toISOString(),
        endDate: new Date(window.endTs - 1).toISOString(),
      };
      const posts = parseOraclePosts(await fetchList(userPath(options, '/posts'), bounds, signal), onSkipped);
      return posts.filter((post) => post.createdTs >= window.startTs && post.createdTs < window.endTs);
    },
  };
}

function userPath(options: OracleCallOptions, tail: string): string {
  return `/users/${encodeURIComponent(options.account.handle)}${tail}`;
}

function unexpectedShape(what: string, answer: unknown): SourceError {
  const said = readEnvelopeMessage(answer);
  return new ShapeError(`oracle: ${what} has an unexpected shape${said ? ` (${said.slice(0, 200)})` : ''}`);
}

/** An account with settled events has trackings, so an empty list is a fault, even on the first read. */
function noTrackings(unreadable: number): SourceError {
  if (unreadable > 0)
    return new ShapeError(`oracle: none of ${unreadable} trackings can be read (id, startDate, endDate)`);
  return new SourceError('oracle: the list of trackings is empty', { isRetryable: true });
}

export function noFigures(asked: number): SourceError {
  return new ShapeError(`oracle: none of ${asked} running trackings has a count (stats.total)`);
}

export function noneEnded(asked: number): SourceError {
  return new SourceError(`oracle: none of ${asked} ended trackings can be read`, { isRetryable: true });
}
