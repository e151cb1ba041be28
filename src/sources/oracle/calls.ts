// Oracle API calls for one account, and when the oracle last synced.

import type { Account } from '../../domain/account.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { isAhead } from '../plausibility.ts';
import type { OraclePost, OracleSource, OracleTracking, OracleTrackings, SkippedItem } from '../source.ts';
import { isStatusId } from '../status-id.ts';
import {
  asArray,
  asRecord,
  readCount,
  readFlag,
  readName,
  readText,
  readTs,
  ShapeError,
  type WireRecord,
} from '../wire-reader.ts';

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

// Converts oracle payloads.

export function parseTrackings(values: readonly unknown[]): {
  trackings: OracleTracking[];
  skipped: SkippedItem[];
} {
  const trackings: OracleTracking[] = [];
  const skipped: SkippedItem[] = [];
  for (const value of values) {
    const wire = readTracking(value);
    if (wire) trackings.push(toTracking(wire));
    else skipped.push({ what: nameOf(value), reason: 'id, window or sync time is missing or invalid' });
  }
  return { trackings, skipped };
}

export function parseTracking(value: unknown): OracleTracking | null {
  const wire = readTracking(value);
  return wire && toTracking(wire);
}

function toTracking(wire: TrackingWire): OracleTracking {
  return {
    trackingId: wire.id,
    title: wire.title,
    marketSlug: parseMarketSlug(wire.marketLink),
    window: { startTs: wire.startTs, endTs: roundUpEnd(wire.endTs) },
    count: wire.total,
    lastSyncTs: wire.lastSyncTs,
    syncError: wire.syncError,
    isActive: wire.isActive,
  };
}

/** The oracle writes end times as …:59:59 or …:59; the window itself ends on the hour. */
function roundUpEnd(endTs: number): number {
  const nextHourTs = Math.ceil(endTs / HOUR_MS) * HOUR_MS;
  return nextHourTs - endTs <= MINUTE_MS ? nextHourTs : endTs;
}

export function parseMarketSlug(link: string | null): string | null {
  const match = /\/event\/([a-z0-9_-]{1,200})(?:[/?#]|$)/i.exec(link ?? '');
  return match ? match[1]!.toLowerCase() : null;
}

/** Unusable posts are skipped and reported: if the oracle leads, each one is missing from the count. */
export function parseOraclePosts(
  values: readonly unknown[],
  onSkipped: (item: SkippedItem) => void = () => {},
): OraclePost[] {
  const posts = values.flatMap((value) => {
    const wire = readOraclePost(value);
    if (!wire) {
      onSkipped({
        what: 'an oracle post',
        reason: 'it has no usable id or time',
      });
      return [];
    }
    const { createdTs, importedTs } = wire;
    return [
      { postId: wire.platformId, createdTs, importedTs, text: wire.content, ...guessKind(wire.content) },
    ];
  });
  return posts.sort((left, right) => left.createdTs - right.createdTs);
}

/** The oracle gives no flags: a repost has a prefix, and a mention at the start may mean a reply. */
function guessKind(text: string | null): Pick<OraclePost, 'isRetweet' | 'mayBeReply'> {
  // A post without text may be of any kind.
  return {
    isRetweet: /^RT(?: @|: http)/.test(text ?? ''),
    mayBeReply: text === null || /^\s*@\w/.test(text),
  };
}

function nameOf(value: unknown): string {
  const title = readText(asRecord(value) ?? {}, 'title');
  return title ? `tracking '${title.slice(0, 100)}'` : 'a tracking';
}

// Payloads we read from the settlement oracle: {success, data, message}; one legacy form has no envelope.

const MAX_ERROR_LENGTH = 200;

type TrackingWire = NonNullable<ReturnType<typeof readTracking>>;

/** The content of the envelope; undefined if the oracle reports a failure. */
export function readEnvelope(answer: unknown): unknown {
  const record = asRecord(answer);
  if (!record) return Array.isArray(answer) ? answer : undefined;
  return record.success === false ? undefined : record.data;
}

function readEnvelopeMessage(answer: unknown): string | null {
  const record = asRecord(answer);
  return record && (readName(record, 'message') ?? readName(record, 'error'));
}

/** null if id, title or window is missing. */
function readTracking(value: unknown) {
  const record = asRecord(value);
  if (!record) return null;
  const id = readName(record, 'id');
  const startTs = readTs(record, 'startDate');
  const endTs = readTs(record, 'endDate');
  if (!id || startTs === null || endTs === null || endTs <= startTs) return null;
  const user = asRecord(record.user);
  // If we ignored an unreadable sync time, a stalled oracle would look fresh.
  if (user && isGiven(user.lastSync) && readTs(user, 'lastSync') === null) return null;
  return {
    id,
    title: (readText(record, 'title') ?? '').trim(),
    startTs,
    endTs,
    marketLink: readName(record, 'marketLink'),
    isActive: readFlag(record, 'isActive') ?? true,
    total: readTotal(asRecord(record.stats)),
    lastSyncTs: user && readTs(user, 'lastSync'),
    syncError: user && readSyncError(user.lastSyncError),
  };
}

/** Why the oracle's last sync failed, in its own words; null if it succeeded. */
function readSyncError(value: unknown): string | null {
  if (!isGiven(value) || value === '' || value === false) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_ERROR_LENGTH);
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function readTotal(stats: WireRecord | null): number | null {
  return stats && (readCount(stats, 'total') ?? readCount(stats, 'cumulative'));
}

function readOraclePost(value: unknown) {
  const record = asRecord(value);
  const platformId = record && readName(record, 'platformId');
  const createdTs = record && readTs(record, 'createdAt');
  if (!record || !platformId || !isStatusId(platformId) || createdTs === null) return null;
  return {
    platformId,
    content: readText(record, 'content'),
    createdTs,
    importedTs: readTs(record, 'importedAt'),
  };
}
