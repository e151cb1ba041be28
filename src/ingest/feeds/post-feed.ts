// Our own count: the account's posts from an ordered list of sources. The first healthy source leads and is
// polled as often as allowed; the others are polled occasionally to fill in what the leader missed.

import { markPossibleEdits } from '../../domain/possible-edit.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { createPollLoop, type PollLoop } from '../../runtime/poll-loop.ts';
import { FEEDS } from '../../sources/feeds.ts';
import type { PostPage, PostSource, SkippedItem } from '../../sources/source.ts';
import type { CursorStore } from '../../store/ports.ts';
import { type AccountRecorder, type MarkPosts, reportProblem } from '../recorder/account-recorder.ts';
import type { Service } from '../service.ts';
import type { IngestTools } from './feed-loop.ts';
import { createPushFeed, type PushFeed } from './push-feed.ts';
import {
  chooseLeader,
  describeFallback,
  describeSources,
  heardTs,
  isWell,
  openHealth,
  type SourceHealth,
  staleAfterMs,
} from './source-health.ts';

export interface PostFeedOptions extends IngestTools {
  /** In order of preference. */
  sources: readonly PostSource[];
  recorder: AccountRecorder;
  cursors: CursorStore;
  usePush: boolean;
  /** Called after every response with posts, so that the cost is recorded. */
  onRead?: () => Promise<void>;
}

/**
 * While push is alive, polling only fills in what push may have dropped; less often with more accounts, because X
 * allows an app 11 reads a second.
 */
const PUSH_REPAIR_PERIOD_MS = 10_000;
/** How often a non-leading source is polled for missed posts. */
const REPAIR_PERIOD_MS = 5 * MINUTE_MS;

/** How often the time of a source's last response is published if nothing else changed. */
const REPUBLISH_MS = 5_000;

export interface PostFeed extends Service {
  /** The first healthy source with the required capability. */
  findSource(can: (source: PostSource) => boolean): PostSource | null;
}

export function createPostFeed(options: PostFeedOptions): PostFeed {
  const { recorder, clock, timeScale, crowding = 1 } = options;
  const pushRepairPeriodMs = PUSH_REPAIR_PERIOD_MS * Math.max(1, crowding);
  const health = options.sources.map((source) => openHealth(source, clock.now()));
  const lastPollTs = new Map<PostSource, number>();
  const push = new Map<PostSource, PushFeed>();
  const loops: PollLoop[] = [];
  const report = createSourceReport(options);
  let heardUpToTs = Number.NEGATIVE_INFINITY;
  let startTs = Number.NEGATIVE_INFINITY;

  const leads = (source: PostSource) => chooseLeader(health, clock.now(), timeScale)?.source === source;

  function update(source: PostSource, change: Partial<SourceHealth>): void {
    const index = health.findIndex((entry) => entry.source === source);
    const before = chooseLeader(health, clock.now(), timeScale)?.source;
    health[index] = { ...health[index]!, ...change };
    const leader = chooseLeader(health, clock.now(), timeScale)?.source;
    // Poll a new leader immediately.
    if (leader && leader !== before) loops[options.sources.indexOf(leader)]?.wake();
    void report(health);
  }

  function isDue(source: PostSource): boolean {
    const sinceMs = clock.now() - (lastPollTs.get(source) ?? Number.NEGATIVE_INFINITY);
    if (leads(source)) {
      // Without polls, push keeps the feed fresh only while the stream is actually alive.
      const isPushed = push.get(source)?.isAlive() ?? false;
      return !isPushed || sinceMs >= pushRepairPeriodMs;
    }
    const entry = health.find((candidate) => candidate.source === source)!;
    return !isWell(entry, clock.now(), timeScale) || sinceMs >= REPAIR_PERIOD_MS;
  }

  /** Reports that posts are known up to now, if this source leads. */
  async function reportFresh(source: PostSource, problem: string | null): Promise<void> {
    if (!leads(source)) return;
    const entry = health.find((candidate) => candidate.source === source)!;
    heardUpToTs = Math.max(heardUpToTs, heardTs(entry) ?? startTs);
    await recorder.feedAnswered('own', {
      problem,
      asofTs: heardUpToTs,
      from: { source: source.name, lagMs: source.lagMs, staleAfterMs: staleAfterMs(source, timeScale) },
    });
  }

  async function runOnce(source: PostSource, poll: SourcePoll, signal: AbortSignal): Promise<void> {
    const stream = push.get(source);
    if (stream) await reportProblem(recorder, `silent push ${source.name}`, stream.problem());
    if (!isDue(source)) {
      if (stream?.isAlive()) update(source, { answeredTs: clock.now() });
      return reportFresh(source, null);
    }
    const page = await poll.ask(signal);
    lastPollTs.set(source, clock.now());
    const problem = page.problem ?? page.skipped[0]?.reason ?? null;
    update(source, {
      answeredTs: clock.now(),
      asofTs: page.asofTs ?? null,
      problem,
      isStopped: false,
    });
    await reportFresh(source, problem);
  }

  function onError(source: PostSource, error: unknown): void {
    const problem = errorMessage(error);
    update(source, { problem, isStopped: error instanceof SourceError && error.needsOperator });
    if (leads(source)) void recorder.note({ kind: 'feed-troubled', feed: 'own', problem });
  }

  for (const source of options.sources) {
    const poll = createSourcePoll(options, source);
    if (options.usePush && source.openStream) push.set(source, createPushFeed({ ...options, source }));
    loops.push(
      createPollLoop({
        ...options,
        periodMs: source.periodMs,
        timeoutMs: FEEDS.own.timeoutMs * timeScale * (source.periodMs > FEEDS.own.timeoutMs ? 3 : 1),
        maxBackoffMs: FEEDS.own.maxBackoffMs,
        runOnce: (signal) => runOnce(source, poll, signal),
        onError: (error) => onError(source, error),
      }),
    );
  }

  return {
    findSource: (can) =>
      health.find((entry) => isWell(entry, clock.now(), timeScale) && can(entry.source))?.source ?? null,
    start() {
      startTs = clock.now();
      for (const loop of loops) loop.start();
      for (const feed of push.values()) feed.start();
      void report(health);
    },
    async stop() {
      await Promise.all([...loops, ...push.values()].map((one) => one.stop()));
    },
  };
}

/** Publishes the health of the sources on the board, and logs changes. */
function createSourceReport({
  recorder,
  clock,
  logger,
  timeScale,
}: PostFeedOptions): (health: readonly SourceHealth[]) => Promise<void> {
  let reportedText = '';
  let reportedTs = Number.NEGATIVE_INFINITY;
  let loggedText = '';
  return async (health) => {
    const statuses = describeSources(health, clock.now(), timeScale);
    const text = JSON.stringify(statuses.map(({ answeredTs: _, ...status }) => status));
    const isNews = text !== reportedText;
    if (!isNews && clock.now() - reportedTs < REPUBLISH_MS * timeScale) return;
    reportedText = text;
    reportedTs = clock.now();
    await recorder.note({ kind: 'sources-set', sources: statuses });
    if (!isNews) return;
    const fallback = describeFallback(statuses);
    const states = statuses.map(({ name, state }) => `${name} ${state}`).join(', ');
    if (states !== loggedText) {
      loggedText = states;
      logger.info(
        { account: recorder.account.segment, sources: states, problem: fallback },
        'post source status changed',
      );
    }
    await recorder.note({ kind: 'notice-set', about: 'post sources', text: fallback });
  };
}

interface SourcePoll {
  ask(signal: AbortSignal): Promise<PostPage & { captured: CapturedPost[] }>;
}

/** Polls one source and saves its cursor, so that a restart resumes there. */
function createSourcePoll(options: PostFeedOptions, source: PostSource): SourcePoll {
  const { recorder, cursors, onRead } = options;
  const reportSkipped = createSkipLog(options, source);
  const cursorName = `posts:${recorder.account.accountId}:${source.name}`;
  let cursor: string | null | undefined;
  return {
    async ask(signal) {
      cursor ??= (await cursors.find(cursorName)) ?? null;
      const page = await source.fetchLatest(cursor, signal);
      // Without a saved cursor the newest page is history, so it says nothing about our capture delay.
      const how = cursor === null ? 'history' : 'live';
      const mark: MarkPosts | undefined = source.knows.edits
        ? undefined
        : (posts, known) => markPossibleEdits(posts, known, source.keepsGone);
      const captured = await recorder.capture(page.posts, how, source.name, mark);
      if (page.posts.length > 0) await onRead?.();
      reportSkipped(page.skipped);
      await reportFuture(recorder, source, page);
      // Saved only once the posts are durable: a crash in between repeats the request, which is harmless.
      if (page.cursor !== null && page.cursor !== cursor) {
        await cursors.put(cursorName, page.cursor);
        cursor = page.cursor;
      }
      return { ...page, captured };
    },
  };
}

const LOGGED_SKIPS = 500;

/** Logs each skipped element only once. */
function createSkipLog({ recorder, logger }: PostFeedOptions, source: PostSource) {
  const logged = new Set<string>();
  return (skipped: readonly SkippedItem[]): void => {
    for (const { what, reason, isFuture } of skipped) {
      const text = isFuture ? what : `${what}: ${reason}`;
      if (logged.has(text) || logged.size >= LOGGED_SKIPS) continue;
      logged.add(text);
      logger.warn({ account: recorder.account.segment, source: source.name, what, reason }, 'item skipped');
    }
  };
}

/** Posts dated in the future mean a wrong source or clock, so report them to the operator. */
async function reportFuture(recorder: AccountRecorder, source: PostSource, page: PostPage): Promise<void> {
  const about = `future posts of ${source.name}`;
  const lie = page.skipped.find(({ isFuture }) => isFuture);
  const text = lie ? `${source.name}: ${lie.reason}` : null;
  await reportProblem(recorder, about, text);
}
