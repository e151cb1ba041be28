// X timelines and post look-ups.

import { compareIds } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { makeSnowflake, snowflakeTs } from '../platform-ids.ts';
import { type SimulatorPost, versionsAt } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, ok, readInteger, toIsoSeconds } from './answer.ts';
import { findReplyTo } from './others-post.ts';
import { disturbPage, forgeFuture, pageLength } from './page-faults.ts';
import { readGrant } from './x-dialect.ts';
import { invalid, notFound } from './x-problems.ts';
import { latestVersion, type PostVersion, toIncludes, toOthersTweet, toTweet } from './x-wire.ts';

const TIMELINE_CAP = 3200;

/** Longest time between a post and its last edit. */
const EDIT_REACH_MS = HOUR_MS;

export function readTimeline(
  state: SimulatorState,
  account: SimulatorAccount,
  query: URLSearchParams,
  nowTs: number,
): Answer {
  const maxResults = readInteger(query.get('max_results'), 10);
  if (maxResults < 5 || maxResults > 100) {
    return invalid(
      'max_results',
      `The \`max_results\` query parameter value [${query.get('max_results')}] is not between 5 and 100`,
    );
  }
  const found = findTimeline(account, query, nowTs);
  const length = pageLength(state.faults, Math.min(found.length, maxResults), nowTs);
  const page = found.slice(0, length);
  if (page.length === 0) return ok({ meta: { result_count: 0 } });
  const grant = readGrant(query);
  if ('status' in grant) return grant;
  const granted = [...grant.fields, ...grant.expansions];
  const shown = disturbPage(state.faults, page, nowTs);
  const meta = {
    result_count: shown.length,
    newest_id: page[0]!.id,
    oldest_id: page.at(-1)!.id,
    ...(found.length > length ? { next_token: makeToken(page.at(-1)!.id) } : {}),
  };
  const data = shown.map((entry) => toTweet(account.parameters, entry, granted, nowTs, grant.dialect));
  forgeFuture(state.faults, data, nowTs, (idTs, createdTs) => ({
    id: makeSnowflake(idTs, 1),
    created_at: toIsoSeconds(createdTs),
  }));
  const includes = toIncludes(data, grant.expansions);
  return { ...ok({ data, ...includes, meta }), served: page.map((entry) => entry.post) };
}

export function lookUpPosts(state: SimulatorState, query: URLSearchParams, nowTs: number): Answer {
  const ids = (query.get('ids') ?? '').split(',').filter(Boolean);
  if (ids.length === 0 || ids.length > 100 || ids.some((id) => !/^\d{1,19}$/.test(id))) {
    return invalid('ids', 'The `ids` query parameter must hold 1 to 100 post ids');
  }
  const grant = readGrant(query);
  if ('status' in grant) return grant;
  const granted = [...grant.fields, ...grant.expansions];
  const data: Record<string, unknown>[] = [];
  const errors: unknown[] = [];
  for (const id of ids) {
    const found = findVersion(state, id, nowTs);
    const reply = found ? null : findReplyTo(state, 'X', id, snowflakeTs(id));
    if (reply) data.push(toOthersTweet(reply, granted));
    else if (found) data.push(toTweet(found.account.parameters, found.entry, granted, nowTs, grant.dialect));
    else errors.push(notFound('ids', id));
  }
  return ok({
    ...(data.length ? { data, ...toIncludes(data, grant.expansions) } : {}),
    ...(errors.length ? { errors } : {}),
  });
}

/** Newest first, within the requested bounds and the platform's cap. */
function findTimeline(account: SimulatorAccount, query: URLSearchParams, nowTs: number): PostVersion[] {
  const { ledger } = account;
  const sinceId = query.get('since_id');
  const startTs = query.get('start_time') ? Date.parse(query.get('start_time')!) : null;
  const endTs = query.get('end_time') ? Date.parse(query.get('end_time')!) : null;
  const untilId = readToken(query.get('pagination_token')) ?? query.get('until_id');
  const excluded = (query.get('exclude') ?? '').split(',');
  const fromTs = Math.max(
    ledger.oldestTs,
    (sinceId ? snowflakeTs(sinceId) : (startTs ?? ledger.oldestTs)) - EDIT_REACH_MS,
  );
  const standing = latestShown(account, fromTs, nowTs)
    .map((post) => latestVersion(post, nowTs))
    .sort((left, right) => compareIds(right.id, left.id))
    .slice(0, TIMELINE_CAP);
  return standing.filter(
    ({ post, id, versionTs }) =>
      (!sinceId || compareIds(id, sinceId) > 0) &&
      (!untilId || compareIds(id, untilId) < 0) &&
      (startTs === null || versionTs >= startTs) &&
      (endTs === null || versionTs < endTs) &&
      !isExcluded(post, excluded),
  );
}

/** Newest first; slightly more than the cap, because an edit moves a post up. */
function latestShown({ ledger }: SimulatorAccount, fromTs: number, nowTs: number): SimulatorPost[] {
  const posts = ledger.range(fromTs, nowTs + 1);
  const shown: SimulatorPost[] = [];
  for (let i = posts.length - 1; i >= 0 && shown.length < TIMELINE_CAP + 100; i--) {
    if (ledger.isShownAt(posts[i]!, nowTs)) shown.push(posts[i]!);
  }
  return shown;
}

function isExcluded(post: SimulatorPost, excluded: readonly string[]): boolean {
  if (excluded.includes('replies') && (post.kind === 'reply' || post.kind === 'self-reply')) return true;
  return excluded.includes('retweets') && post.kind === 'repost';
}

/** Any version of an existing post can be looked up by its id. */
function findVersion(
  state: SimulatorState,
  id: string,
  nowTs: number,
): { account: SimulatorAccount; entry: PostVersion } | null {
  const ts = snowflakeTs(id);
  if (ts > nowTs + DAY_MS) return null;
  for (const account of state.accounts) {
    if (account.parameters.platform !== 'X') continue;
    for (const post of account.ledger.range(ts - EDIT_REACH_MS, ts + 1)) {
      const version = versionsAt(post, nowTs).findIndex((edit) => edit.id === id);
      if (version < 0 || !account.ledger.isShownAt(post, nowTs)) continue;
      return { account, entry: { post, version, id, versionTs: versionsAt(post, nowTs)[version]!.editedTs } };
    }
  }
  return null;
}

/** Opaque to clients: the last id in base 36. */
function makeToken(id: string): string {
  return `7140dibdnow9c7btw${BigInt(id).toString(36)}`;
}

function readToken(token: string | null): string | null {
  if (!token?.startsWith('7140dibdnow9c7btw')) return null;
  let value = 0n;
  for (const digit of token.slice(17)) value = value * 36n + BigInt(Number.parseInt(digit, 36) || 0);
  return value.toString();
}
