// Counts of the settlement oracle for one account.

import type { Account } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { sleep } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import type { OracleSource, OracleTracking, OracleTrackings, SkippedItem } from '../source.ts';
import { asArray } from '../wire-reader.ts';
import { unexpectedShape } from './errors.ts';
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

const DEFAULT_CALL_SPACING_MS = 300;

export function createOracleSource(options: OracleSourceOptions): OracleSource {
  return {
    fetchTrackings: (endedSinceTs, signal) => fetchTrackings(options, endedSinceTs, signal),
    async fetchPosts(window, signal) {
      // Instants, hence no time zone beside them.
      const query = {
        startDate: new Date(window.startTs).toISOString(),
        endDate: new Date(window.endTs - 1).toISOString(),
      };
      const posts = parseOraclePosts(await fetchList(options, userPath(options, '/posts'), query, signal));
      return posts.filter((post) => post.createdTs >= window.startTs && post.createdTs < window.endTs);
    },
  };
}

/** The list carries no figures, so each tracking of interest is asked for by itself. */
async function fetchTrackings(
  options: OracleSourceOptions,
  endedSinceTs: number,
  signal: AbortSignal,
): Promise<OracleTrackings> {
  const listed = parseTrackings(await fetchList(options, userPath(options, '/trackings'), {}, signal));
  const nowTs = options.clock.now();
  const wanted = listed.trackings.filter(({ window, isActive }) =>
    isActive ? window.startTs <= nowTs : window.endTs >= endedSinceTs,
  );
  const ahead = listed.trackings.filter(({ window }) => window.startTs > nowTs);
  const detailed: OracleTracking[] = [];
  const skipped: SkippedItem[] = [...listed.skipped];
  let failure: unknown = null;
  for (const tracking of wanted) {
    try {
      const detail = await fetchDetail(options, tracking, signal);
      if (detail) detailed.push(detail);
      else skipped.push({ what: `tracking '${tracking.title}'`, reason: 'its figures cannot be read' });
    } catch (error) {
      // Told to slow down or to stop: no further call helps.
      if (signal.aborted || (error instanceof SourceError && error.status === 429)) throw error;
      failure = error;
      skipped.push({ what: `tracking '${tracking.title}'`, reason: errorMessage(error) });
    }
  }
  if (failure !== null && detailed.length === 0) throw failure;
  return { trackings: [...detailed, ...ahead], skipped };
}

async function fetchDetail(
  options: OracleSourceOptions,
  tracking: OracleTracking,
  signal: AbortSignal,
): Promise<OracleTracking | null> {
  await sleep(options.clock, options.callSpacingMs ?? DEFAULT_CALL_SPACING_MS, signal);
  const path = `/trackings/${encodeURIComponent(tracking.trackingId)}`;
  const answer = await options.http.getJson(path, fresh(options, { includeStats: true }), signal);
  const data = readEnvelope(answer);
  if (data === undefined) throw unexpectedShape(`tracking '${tracking.title}'`, answer);
  return parseTracking(data);
}

async function fetchList(
  options: OracleSourceOptions,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const answer = await options.http.getJson(
    path,
    fresh(options, { platform: options.platform, ...query }),
    signal,
  );
  const list = asArray(readEnvelope(answer));
  if (!list) throw unexpectedShape(path, answer);
  return list;
}

/** The oracle sits behind a cache: a changing parameter gets past it. */
function fresh(options: OracleSourceOptions, query: Query): Query {
  return { ...query, _t: options.clock.now() };
}

function userPath(options: OracleSourceOptions, tail: string): string {
  return `/users/${encodeURIComponent(options.account.handle)}${tail}`;
}
