// First start: backfills the account source by source, each starting where the previous one ended. Runs once
// and independently for each account. A failed read is retried a few times, then in rounds as long as the
// source may still respond; it resumes where it stopped.

import { EDITABLE_MS, markPossibleEdits, markVersionsOf, withinPage } from '../../domain/possible-edit.ts';
import type { Post } from '../../domain/post.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { backoffMs } from '../../runtime/poll-loop.ts';
import type { Random } from '../../runtime/random.ts';
import type { TurnQueue } from '../../runtime/turn-queue.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import { createOraclePostSource } from '../../sources/oracle/posts-source.ts';
import type { AccountSources, PostSource, SkippedItem } from '../../sources/source.ts';
import type { Store } from '../../store/ports.ts';
import type { AccountRecorder, MarkPosts } from '../recorder/account-recorder.ts';

export interface BackfillOptions {
  sources: AccountSources;
  recorder: AccountRecorder;
  store: Store;
  clock: Clock;
  random: Random;
  logger: Logger;
  signal: AbortSignal;
  /** Lets only some accounts read at once. */
  turns: TurnQueue;
  /** Called after every batch, so that the cost is recorded. */
  onRead?: () => Promise<void>;
  /** Called when every source was tried; `isReady` if all periods are covered or no more posts will come. */
  onRound?: (isReady: boolean) => void;
}

/** Log messages; a terminal shows progress from the first until one of the others. */
export const PAST_COMING = 'backfill started';
export const PAST_IN = 'backfill complete';
export const PAST_INCOMPLETE = 'backfill incomplete';

/** Free sources: everything back to the first settled events, because their forecasts are recomputed. */
const HISTORY_DAYS = 3 * 365 + 100;
/** Paid sources: enough for every slow component of the forecast; older posts carry little weight. */
const PAID_HISTORY_DAYS = 400;
const RETRY = { periodMs: 2 * SECOND_MS, maxBackoffMs: MINUTE_MS };
/** Failures allowed per source in the first round (about three minutes); a successful batch resets them. */
const MAX_FAILURES = 8;
/** If the backfill takes longer than this, counts are reported as incomplete. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Retries until the backfill is complete; otherwise counts of open windows would stay too low for weeks. */
export async function backfill(options: BackfillOptions): Promise<void> {
  const { recorder, clock, logger, signal } = options;
  const { accountId, segment } = recorder.account;
  const marker = `backfill:${accountId}`;
  const report = (isMissing: boolean) => recorder.note({ kind: 'past-set', isMissing });
  let lateReport: Promise<void> = Promise.resolve();
  const cancel = clock.after(PATIENCE_MS, () => {
    lateReport = report(true);
  });
  try {
    if ((await findMarker(options, marker)) !== undefined) return options.onRound?.(true);
    logger.info({ account: segment }, PAST_COMING);
    await walkInRounds(options, marker, report);
  } finally {
    cancel();
    if (!signal.aborted) {
      // The report may be queued behind slow writes; applied after this check, it would stay until a restart.
      await lateReport;
      const isMissing = recorder.snapshot().isPastMissing;
      if (isMissing && (await findMarker(options, marker)) !== undefined) await report(false);
    }
  }
}

/** Retries, without a restart, a source that was down during the whole first round. */
async function walkInRounds(
  options: BackfillOptions,
  marker: string,
  report: (isMissing: boolean) => Promise<void>,
): Promise<void> {
  const { recorder, store, clock, signal } = options;
  let round: Round = {
    nowTs: clock.now(),
    settled: new Map(),
    tries: MAX_FAILURES,
    onFailure: () => report(true),
  };
  let wasReady: boolean | null = null;
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  for (;;) {
    const result = await Promise.race([options.turns.enter(1, () => walk(options, round)), aborted]);
    if (signal.aborted || !result) return;
    if (result.isWhole)
      await retryWhileStoreDown(options, () => store.cursors.put(marker, String(clock.now())));
    if ((recorder.snapshot().isPastMissing ?? false) === result.isCovered) await report(!result.isCovered);
    const isReady = result.isCovered || !result.isToCome;
    if (wasReady === null || result.isWhole) logRound(options, result);
    if (isReady !== wasReady || !result.isToCome) options.onRound?.(isReady);
    if (!result.isToCome) return;
    wasReady = isReady;
    // The gap has already been reported, so do not log every minute that a source is still down.
    round = { ...round, tries: 1, onFailure: async () => {} };
    await pause(options, MAX_FAILURES, result.error);
  }
}

function logRound({ recorder, logger }: BackfillOptions, { isWhole, isToCome }: WalkResult): void {
  const facts = { account: recorder.account.segment, posts: recorder.snapshot().totalPosts };
  if (isWhole) logger.info(facts, PAST_IN);
  else logger.warn({ ...facts, retry: isToCome ? 'now' : 'at the next start' }, PAST_INCOMPLETE);
}

function findMarker(options: BackfillOptions, marker: string): Promise<string | undefined> {
  return retryWhileStoreDown(options, () => options.store.cursors.find(marker));
}

/** Retries while the store is down, because the backfill can neither start nor end without it. */
async function retryWhileStoreDown<T>(
  options: BackfillOptions,
  ask: () => Promise<T>,
): Promise<T | 'stopped'> {
  for (let failures = 1; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (options.signal.aborted) return 'stopped';
      await pause(options, failures, error);
    }
  }
}

interface WalkResult {
  /** Every source returned everything it has. */
  isWhole: boolean;
  /** The last source reached the end, so every period has a source. */
  isCovered: boolean;
  /** A source that failed may still respond. */
  isToCome: boolean;
  /** Why the last source failed, and when it may be retried. */
  error: unknown;
}

interface Round {
  nowTs: number;
  /** Sources that are done or have failed permanently; not polled again. */
  settled: Map<string, ReadResult>;
  /** Consecutive failures allowed per source. */
  tries: number;
  onFailure: () => Promise<void>;
}

async function walk(options: BackfillOptions, round: Round): Promise<WalkResult> {
  const result: WalkResult = { isWhole: true, isCovered: true, isToCome: false, error: null };
  const sinceTs = round.nowTs - HISTORY_DAYS * DAY_MS;
  let untilTs = round.nowTs;
  let edge: readonly Post[] = [];
  const stages = planStages(options, round.nowTs, sinceTs);
  for (const [index, { key, source, sinceTs: stageTs, isExtra = false }] of stages.entries()) {
    if (options.signal.aborted) break;
    if (untilTs <= stageTs) continue;
    const known = round.settled.get(key);
    const range = { key, sinceTs: stageTs, untilTs, edge, hasNext: index + 1 < stages.length };
    const read = known ?? (await readSource(options, source, range, round));
    if (read.isWhole || read.isLasting) round.settled.set(key, read);
    else Object.assign(result, { isToCome: true, error: read.error });
    edge = read.edge;
    // History that is only available from a paid source does not count as a gap.
    result.isCovered = read.isWhole || (isExtra && result.isCovered);
    result.isWhole &&= read.isWhole;
    untilTs = Math.min(untilTs, read.oldestTs);
  }
  return result;
}

interface Stage {
  key: string;
  source: PostSource;
  sinceTs: number;
  /** Used only for posts older than those of the free sources. */
  isExtra?: boolean;
}

/** Longer than most oracle stalls. Paid sources read this first, because they have flags and deletions. */
const PAID_FIRST_MS = 4 * DAY_MS;

/** Paid sources read the last few days, free ones the rest; then paid ones fill in what is still missing. */
function planStages(options: BackfillOptions, nowTs: number, sinceTs: number): Stage[] {
  const all = pastSources(options);
  const paid = all.filter((source) => (source.spend?.() ?? null) !== null);
  const free = all.filter((source) => !paid.includes(source));
  const paidSinceTs = nowTs - PAID_HISTORY_DAYS * DAY_MS;
  if (paid.length === 0 || free.length === 0)
    return all.map((source) => ({
      key: source.name,
      source,
      sinceTs: free.includes(source) ? sinceTs : paidSinceTs,
    }));
  return [
    ...paid.map((source) => ({ key: `${source.name} recent`, source, sinceTs: nowTs - PAID_FIRST_MS })),
    ...free.map((source) => ({ key: source.name, source, sinceTs })),
    ...paid.map((source) => ({ key: source.name, source, sinceTs: paidSinceTs, isExtra: true })),
  ];
}

/** The oracle's list reaches further back than most platforms allow; it comes last unless it is listed. */
function pastSources({ sources, clock }: BackfillOptions): PostSource[] {
  const listed = [...sources.posts];
  if (listed.some(({ kind }) => kind === 'oracle')) return listed;
  const { account, oracle } = sources;
  return [...listed, createOraclePostSource({ account, oracle, clock })];
}

interface PastRange {
  /** Identifies the stage: a source read in two stages has two checkpoints. */
  key: string;
  sinceTs: number;
  untilTs: number;
  /** Last posts of the previous source. */
  edge: readonly Post[];
  /** If another source is available, a failing source is left for the next round. */
  hasNext: boolean;
}

interface ReadResult {
  oldestTs: number;
  isWhole: boolean;
  /** True if retrying cannot help. */
  isLasting: boolean;
  error: unknown;
  /** Its oldest hour of posts: the next source may list an edited post near the boundary under another id. */
  edge: readonly Post[];
}

type Progress = Omit<ReadResult, 'isWhole' | 'isLasting' | 'error'> & {
  failures: number;
  skipped: SkippedItem[];
};

/** Resumes where the last attempt ended, until the source is done or has failed too often. */
async function readSource(
  options: BackfillOptions,
  source: PostSource,
  range: PastRange,
  { tries, onFailure }: Round,
): Promise<ReadResult> {
  const { recorder, logger, signal } = options;
  const progress: Progress = { oldestTs: range.untilTs, edge: [], failures: 0, skipped: [] };
  for (;;) {
    progress.skipped = [];
    try {
      await readOn(options, source, range, progress);
      return { ...progress, isWhole: true, isLasting: false, error: null };
    } catch (error) {
      const isLasting = error instanceof SourceError && !error.isRetryable;
      if (signal.aborted) return { ...progress, isWhole: false, isLasting, error };
      progress.failures += 1;
      await onFailure();
      const facts = { account: recorder.account.segment, source: source.name, error: errorMessage(error) };
      const isPassedOver = range.hasNext && error instanceof SourceError;
      if (isLasting || isPassedOver || progress.failures >= tries) {
        if (tries > 1) logger.warn(facts, 'backfill from this source failed; using the next');
        return { ...progress, isWhole: false, isLasting, error };
      }
      logger.warn(facts, 'backfill from this source interrupted; retrying');
      await pause(options, progress.failures, error);
    } finally {
      await reportSkipped(options, source, progress.skipped);
    }
  }
}

async function readOn(
  { recorder, store, signal, onRead }: BackfillOptions,
  source: PostSource,
  range: PastRange,
  progress: Progress,
): Promise<void> {
  const checkpoint = `backfill:${recorder.account.accountId}:${range.key}`;
  const reachedTs = Number((await store.cursors.find(checkpoint)) ?? range.untilTs);
  progress.oldestTs = Math.min(progress.oldestTs, reachedTs);
  const reading = { sinceTs: range.sinceTs, untilTs: progress.oldestTs };
  const onSkipped = (items: readonly SkippedItem[]) => void progress.skipped.push(...items);
  const pages = readAhead(source.fetchHistory(reading, onSkipped, signal));
  for await (const { batch, around } of source.knows.edits ? withoutTails(pages) : carryTails(pages)) {
    const mark: MarkPosts | undefined = source.knows.edits
      ? undefined
      : (posts, known) => markWithin(around, posts, known, range.edge);
    await recorder.capture(batch, 'history', source.name, mark);
    noteBatch(progress, batch);
    // Saved only once the posts are durable; a crash in between reads one batch again.
    await store.cursors.put(checkpoint, String(progress.oldestTs));
    await onRead?.();
    progress.failures = 0;
    await takeBackgroundTurn();
  }
}

interface PastBatch {
  batch: readonly Post[];
  /** The batch with all posts that its posts could be edits of, as far as the source lists them. */
  around: readonly Post[];
}

async function* withoutTails(pages: AsyncIterable<readonly Post[]>): AsyncGenerator<PastBatch> {
  for await (const batch of pages) yield { batch, around: batch };
}

/** Pages go back in time: the oldest hour of each one waits for the next page, which may lack its first versions. */
async function* carryTails(pages: AsyncIterable<readonly Post[]>): AsyncGenerator<PastBatch> {
  let around: readonly Post[] = [];
  let tail: readonly Post[] = [];
  for await (const page of pages) {
    const fromTs = Math.min(...page.map(({ createdTs }) => createdTs));
    const upTo = (posts: readonly Post[], ts: number) => posts.filter(({ createdTs }) => createdTs <= ts);
    const batch = [...page, ...tail].filter(({ createdTs }) => createdTs > fromTs + EDITABLE_MS);
    tail = upTo([...page, ...tail], fromTs + EDITABLE_MS);
    around = [...page, ...around];
    if (batch.length > 0) yield { batch, around };
    around = upTo(around, fromTs + 2 * EDITABLE_MS);
  }
  if (tail.length > 0) yield { batch: tail, around };
}

function markWithin(
  around: readonly Post[],
  posts: readonly Post[],
  known: readonly Post[],
  edge: readonly Post[],
): readonly Post[] {
  const marked = markPossibleEdits(around, withinPage(known, around));
  const edits = new Set(marked.filter(({ mayBeEdit }) => mayBeEdit).map(({ postId }) => postId));
  return markVersionsOf(posts, edge).map((post) =>
    edits.has(post.postId) ? { ...post, mayBeEdit: true } : post,
  );
}

function noteBatch(progress: Progress, batch: readonly Post[]): void {
  const oldestTs = batch.reduce((oldest, post) => Math.min(oldest, post.createdTs), progress.oldestTs);
  progress.oldestTs = oldestTs;
  progress.edge = [...progress.edge, ...batch].filter((post) => post.createdTs <= oldestTs + EDITABLE_MS);
}

/** Reports items that a source could not provide; they are permanently missing. */
async function reportSkipped(
  { recorder, logger }: BackfillOptions,
  source: PostSource,
  skipped: readonly SkippedItem[],
): Promise<void> {
  const [first] = skipped;
  if (!first) return;
  const example = `${first.what}: ${first.reason}`.slice(0, 200);
  logger.warn(
    { account: recorder.account.segment, source: source.name, items: skipped.length, example },
    'unusable history skipped',
  );
  const text = `${source.name}: ${skipped.length} item(s) in its history could not be used (${example})`;
  await recorder.note({ kind: 'remark-set', about: `past of ${source.name}`, text });
}

async function pause(options: BackfillOptions, failures: number, error: unknown): Promise<void> {
  const { clock, random, signal } = options;
  await sleep(clock, Math.round(backoffMs({ ...RETRY, random }, failures, error)), signal);
}

// Fetches the next item of a sequence while the current one is processed. Reading and writing page by page
// then takes the longer of the two times instead of their sum.

export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      // A failure is thrown when the item is awaited, and dropped if it never is.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
