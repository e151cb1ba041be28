// `backtest --kinds`: which kinds of post the oracle counted, learned from its hourly counts, and what bounds and
// forecasts gain when they include it. Forecasts of a window use only what was known before it began.

import { profileOfLetter } from '../domain/account-profile.ts';
import {
  type DisputedKinds,
  findDisputed,
  type KindCounts,
  type KindLesson,
  kindOf,
  learnKinds,
  POST_KINDS,
  type PostKind,
  type SettledKinds,
} from '../domain/counted-kinds.ts';
import { isCountedBy } from '../domain/counting-rule.ts';
import type { CountWindow } from '../domain/market-event.ts';
import { MINUTE_MS } from '../domain/units.ts';
import { type OracleFinal, parseOracleCounts } from '../forecast/backtest/oracle-file.ts';
import { listWindows, type WalkStep, walkForward } from '../forecast/backtest/walk-forward.ts';
import { thinDistribution } from '../forecast/distribution/deletions.ts';
import { shiftDistribution } from '../forecast/distribution/distribution.ts';
import { settleDistribution } from '../forecast/distribution/settlement-risk.ts';
import { getAccountParameters } from '../forecast/parameters.ts';
import { crps, logScore } from '../forecast/scoring/proper-scores.ts';
import { getMarketZone } from '../forecast/time/market-zone.ts';
import type { ContestedPosts } from '../forecast/types.ts';
import { UsageError } from '../runtime/errors.ts';
import { parseBacktestOptions, planWindows, readBacktestOptions } from './backtest-options.ts';
import { type FileAccess, readParsed } from './files.ts';
import { formatTable } from './text-table.ts';

interface KindPost {
  createdTs: number;
  kind: PostKind;
  isCounted: boolean;
}

/** A post that the oracle does not show after this long is not just late. */
const IMPORT_LAG_MS = 30 * MINUTE_MS;

export function runKindsBacktest(args: readonly string[], io: FileAccess): void {
  const { replies: repliesFile } = readBacktestOptions(args);
  const options = parseBacktestOptions(args);
  if (repliesFile === undefined || options.oracleFile === undefined)
    throw new UsageError('--kinds needs --posts, --replies and --oracle');
  const account = profileOfLetter(options.accountId);
  const rule = account.countingRule;
  const replies = readParsed(io, repliesFile, parseReplies);
  const posts = readParsed(io, options.postsFile, (text) => parseKinds(text, replies)).map((post) => ({
    ...post,
    isCounted: isCountedBy(rule, post),
    kind: kindOf(post),
  }));
  const hours = readParsed(io, options.oracleFile, parseOracleCounts);
  const evidence = hours.map((one) => toEvidence(one, posts));
  const lessons = new Map<number, KindLesson>();
  const learnUntil = (ts: number) => {
    const known = evidence.filter(({ window }) => window.endTs <= ts);
    const lesson = lessons.get(ts) ?? learnKinds(rule, known);
    lessons.set(ts, lesson);
    return lesson;
  };
  io.print(`${formatLesson(learnUntil(Number.POSITIVE_INFINITY))}\n`);
  const parameters = getAccountParameters(account);
  const zone = getMarketZone(parameters.marketTimeZone);
  const history = {
    createdTs: Float64Array.from(posts, ({ createdTs }) => createdTs),
    isCounted: Uint8Array.from(posts, ({ isCounted }) => Number(isCounted)),
  };
  const countOracle = (fromTs: number, untilTs: number) =>
    hours.reduce((sum, { window, count }) => {
      return sum + (window.startTs >= fromTs && window.endTs <= untilTs ? count : 0);
    }, 0);
  const isCovered = ({ startTs, endTs }: CountWindow) =>
    hours.some(({ window }) => window.startTs === startTs) &&
    hours.some(({ window }) => window.endTs === endTs);
  const windows = listWindows(planWindows(options, history, zone), zone).filter(isCovered);
  const study = { posts, countOracle, learnUntil };
  io.print(`${formatBounds(windows.map((window) => boundWindow(window, study)))}\n`);
  const plan = { history, parameters, windows, leadsHours: options.leadsHours, withOthers: false };
  const findFinal = ({ startTs, endTs }: CountWindow) => countOracle(startTs, endTs);
  const scores = [...walkForward({ ...plan, findFinal })].map((step) => scoreStep(step, study));
  io.print(formatScores(scores));
}

interface Study {
  posts: readonly KindPost[];
  countOracle(fromTs: number, untilTs: number): number;
  learnUntil(ts: number): KindLesson;
}

function inside({ startTs, endTs }: CountWindow, posts: readonly KindPost[]): KindPost[] {
  return posts.filter(({ createdTs }) => createdTs >= startTs && createdTs < endTs);
}

function toEvidence({ window, count }: OracleFinal, posts: readonly KindPost[]): SettledKinds {
  const groups = Map.groupBy(inside(window, posts), ({ kind }) => kind);
  const kinds: KindCounts = Object.fromEntries([...groups].map(([kind, group]) => [kind, group.length]));
  return { window, posts: kinds, oracle: count };
}

interface BoundedWindow {
  own: number;
  oracle: number;
  low: number;
  high: number;
  expected: number;
}

function boundWindow(window: CountWindow, { posts, countOracle, learnUntil }: Study): BoundedWindow {
  const disputed = findDisputed(learnUntil(window.startTs));
  const mine = inside(window, posts);
  const own = mine.filter(({ isCounted }) => isCounted).length;
  const count = (kind: PostKind) => mine.filter((post) => post.kind === kind).length;
  const ownThread = disputed?.ownRejected ? count('ownThread') : 0;
  const otherThread = disputed?.otherAccepted ? count('otherThread') : 0;
  const { ownRejected = 0, otherAccepted = 0 } = disputed ?? {};
  const expected = own - ownThread * ownRejected + otherThread * otherAccepted;
  const oracle = countOracle(window.startTs, window.endTs);
  return { own, oracle, low: own - ownThread, high: own + otherThread, expected };
}

interface StepScore {
  leadHours: number;
  before: { log: number; crps: number };
  after: { log: number; crps: number };
}

/** Scores the forecast with the oracle's count at the time, without and with the contested posts. */
function scoreStep(
  { window, leadHours, asofTs, countSoFar, final, forecast }: WalkStep,
  study: Study,
): StepScore {
  const count = Math.min(countSoFar, study.countOracle(window.startTs, asofTs));
  const oracle = { count, deletedSinceLastCatchUp: 0 };
  const disputed = findDisputed(study.learnUntil(window.startTs));
  const seen = inside({ startTs: window.startTs, endTs: asofTs }, study.posts);
  const contested = disputed && describeContested(disputed, study.posts, seen, asofTs, countSoFar - count);
  const coming = shiftDistribution(forecast.distribution, -countSoFar);
  const kept = contested
    ? shiftDistribution(
        thinDistribution(coming, { comingKept: contested.comingKept, standing: [] }),
        countSoFar,
      )
    : forecast.distribution;
  const score = (distribution: typeof kept) => ({
    log: logScore(distribution, final),
    crps: crps(distribution, final),
  });
  return {
    leadHours,
    before: score(settleDistribution(forecast.distribution, countSoFar, oracle)),
    after: score(settleDistribution(kept, countSoFar, { ...oracle, ...(contested && { contested }) })),
  };
}

function describeContested(
  { ownRejected, otherAccepted }: DisputedKinds,
  all: readonly KindPost[],
  seen: readonly KindPost[],
  asofTs: number,
  behind: number,
): ContestedPosts {
  const isFresh = ({ createdTs }: KindPost) => createdTs > asofTs - IMPORT_LAG_MS;
  const own = seen.filter(({ kind }) => kind === 'ownThread');
  const waiting = own.filter(isFresh).length;
  const freshCounted = seen.filter((post) => post.isCounted && isFresh(post)).length;
  const past = all.filter(({ createdTs, isCounted }) => isCounted && createdTs < asofTs);
  const ownShare = past.filter(({ kind }) => kind === 'ownThread').length / Math.max(1, past.length);
  return {
    waiting,
    missed: Math.min(own.length - waiting, Math.max(0, behind - freshCounted)),
    rejected: ownRejected,
    uncounted: seen.filter((post) => post.kind === 'otherThread' && isFresh(post)).length,
    accepted: otherAccepted,
    comingKept: 1 - ownShare * ownRejected,
  };
}

function formatLesson({ windows, unexplained, records }: KindLesson): string {
  const rows = records.map(({ kind, posts, ours, low, high, share }) => [
    POST_KINDS[kind],
    posts,
    ours,
    low === high ? String(low) : `${low} to ${high}`,
    share.toFixed(3),
  ]);
  const table = formatTable(['kind', 'posts', 'counted by us', 'by the oracle', 'share'], rows);
  return `${windows} settled windows, ${unexplained} unexplained\n${table}`;
}

function formatBounds(windows: readonly BoundedWindow[]): string {
  const within = (low: (one: BoundedWindow) => number, high: (one: BoundedWindow) => number) =>
    windows.filter((one) => one.oracle >= low(one) && one.oracle <= high(one)).length;
  const meanOf = (value: (one: BoundedWindow) => number) =>
    (windows.reduce((sum, one) => sum + value(one), 0) / Math.max(1, windows.length)).toFixed(2);
  const rows = [
    [
      'our rule',
      within(
        (one) => one.own,
        (one) => one.own,
      ),
      meanOf((one) => Math.abs(one.own - one.oracle)),
      '0.00',
    ],
    [
      'with learned kinds',
      within(
        (one) => one.low,
        (one) => one.high,
      ),
      meanOf((one) => Math.abs(one.expected - one.oracle)),
      meanOf((one) => one.high - one.low),
    ],
  ];
  const header = ['at the close', `oracle within bounds, of ${windows.length}`, 'mean error', 'mean width'];
  return formatTable(header, rows);
}

function formatScores(scores: readonly StepScore[]): string {
  const groups = [...Map.groupBy(scores, ({ leadHours }) => leadHours)].sort(([a], [b]) => a - b);
  const rows = groups.map(([leadHours, steps]) => {
    const mean = (value: (step: StepScore) => number) =>
      (steps.reduce((sum, step) => sum + value(step), 0) / steps.length).toFixed(3);
    return [
      leadHours,
      steps.length,
      ...[mean((one) => one.before.log), mean((one) => one.after.log)],
      ...[mean((one) => one.before.crps), mean((one) => one.after.crps)],
    ];
  });
  const header = ['hours before', 'forecasts', 'log loss', 'with kinds', 'CRPS', 'with kinds'];
  return formatTable(header, rows);
}

type ReplyFlags = { isSelfReply: boolean; isOwnThread: boolean };

/** tweet_id, is_self_reply, root_is_own_post. */
function parseReplies(text: string): Map<string, ReplyFlags> {
  const rows = parseTable(text, ['tweet_id', 'is_self_reply', 'root_is_own_post']);
  return new Map(
    rows.map(([id, isSelf, isOwn]) => [id!, { isSelfReply: isSelf === '1', isOwnThread: isOwn === '1' }]),
  );
}

function parseKinds(text: string, replies: ReadonlyMap<string, ReplyFlags>) {
  const rows = parseTable(text, ['tweet_id', 'created_ts', 'is_reply', 'is_quote', 'is_retweet']);
  const posts = rows.map(([id, createdTs, isReply, isQuote, isRetweet]) => {
    const reply = isReply === '1' ? replies.get(id!) : undefined;
    const conversation: 'own' | 'other' = reply?.isOwnThread ? 'own' : 'other';
    return {
      createdTs: Number(createdTs),
      isReply: isReply === '1',
      isSelfReply: reply?.isSelfReply ?? false,
      isQuote: isQuote === '1',
      isRetweet: isRetweet === '1',
      isCommunity: false,
      conversation,
    };
  });
  return posts.sort((left, right) => left.createdTs - right.createdTs);
}

function parseTable(text: string, columns: readonly string[]): string[][] {
  const [header = '', ...lines] = text.trim().split(/\r?\n/);
  const names = header.split(',');
  const places = columns.map((name) => names.indexOf(name));
  const missing = columns.filter((_, i) => places[i]! < 0);
  if (missing.length > 0) throw new Error(`line 1: missing column ${missing.join(', ')}`);
  return lines.map((line) => {
    const cells = line.split(',');
    return places.map((place) => cells[place] ?? '');
  });
}
