// First start: brings in the account's past, from the platform as far as it reaches, and beyond that the
// counted posts that the oracle keeps. Done once; what fails or crashes in the middle starts again and repeats harmlessly.

import type { Post } from '../domain/post.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import { backoffMs } from '../runtime/backoff.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import { errorMessage, SourceError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import type { AccountSources, OraclePost } from '../sources/source.ts';
import type { Store } from '../store/ports.ts';
import type { AccountRecorder } from './account-recorder.ts';

export interface BackfillOptions {
  sources: AccountSources;
  recorder: AccountRecorder;
  store: Store;
  clock: Clock;
  random: Random;
  logger: Logger;
  signal: AbortSignal;
}

/** What the log says; a terminal shows progress between the two. */
export const PAST_COMING = 'bringing in the past, once';
export const PAST_IN = 'the past is in';

/** Enough for every slow component of the forecast; older posts would weigh nothing. */
const HISTORY_DAYS = 400;
const ORACLE_CHUNK_DAYS = 30;
/** So many chunks without a post and the oracle has nothing older. */
const EMPTY_CHUNKS_TO_STOP = 2;

const RETRY = { periodMs: 2 * SECOND_MS, maxBackoffMs: 5 * MINUTE_MS };
/** Counts that are still growing for so long are told to be short. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Until the past is in: open windows began in it, and their counts would stay short for weeks. */
export async function backfill(options: BackfillOptions): Promise<void> {
  const { recorder, clock } = options;
  const tell = (isMissing: boolean) => recorder.note({ kind: 'past-told', isMissing });
  const cancel = clock.after(PATIENCE_MS, () => void tell(true));
  const isIn = await tryUntilIn(options, () => tell(true));
  cancel();
  if (isIn && recorder.snapshot().isPastMissing) await tell(false);
}

async function tryUntilIn(options: BackfillOptions, onFailure: () => Promise<void>): Promise<boolean> {
  const { recorder, clock, random, logger, signal } = options;
  for (let failures = 1; ; failures++) {
    try {
      await backfillOnce(options, clock.now());
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      await onFailure();
      const facts = { account: recorder.account.segment, error: errorMessage(error) };
      if (error instanceof SourceError && !error.isRetryable) {
        logger.warn(facts, 'the past is not all in; the next start tries again');
        return false;
      }
      const pauseMs = Math.round(backoffMs({ ...RETRY, random }, failures, error));
      logger.warn({ ...facts, pauseMs }, 'the past is not all in; trying again');
      await sleep(clock, pauseMs, signal);
    }
  }
}

async function backfillOnce(options: BackfillOptions, nowTs: number): Promise<void> {
  const { recorder, store, logger } = options;
  const account = recorder.account;
  const marker = `backfill:${account.accountId}`;
  if ((await store.cursors.find(marker)) !== undefined) return;
  logger.info({ account: account.segment }, PAST_COMING);
  const oldestTs = await fromPlatform(options, nowTs);
  await fromOracle(options, nowTs, oldestTs);
  await store.cursors.put(marker, String(nowTs));
  logger.info({ account: account.segment, posts: recorder.snapshot().totalPosts }, PAST_IN);
}

async function fromPlatform(
  { sources, recorder, logger, signal }: BackfillOptions,
  nowTs: number,
): Promise<number> {
  let oldestTs = nowTs;
  const onProgress = ({ fetchedPosts }: { fetchedPosts: number }) =>
    logger.debug({ account: recorder.account.segment, fetchedPosts }, 'reading the past');
  for await (const batch of sources.posts.fetchHistory(nowTs - HISTORY_DAYS * DAY_MS, onProgress, signal)) {
    await recorder.capture(batch, 'history');
    for (const post of batch) oldestTs = Math.min(oldestTs, post.createdTs);
  }
  return oldestTs;
}

async function fromOracle(options: BackfillOptions, nowTs: number, untilTs: number): Promise<void> {
  const { sources, recorder, signal } = options;
  let emptyChunks = 0;
  for (let endTs = untilTs; endTs > nowTs - HISTORY_DAYS * DAY_MS && emptyChunks < EMPTY_CHUNKS_TO_STOP; ) {
    const startTs = endTs - ORACLE_CHUNK_DAYS * DAY_MS;
    const posts = await sources.oracle.fetchPosts({ startTs, endTs }, signal);
    emptyChunks = posts.length === 0 ? emptyChunks + 1 : 0;
    await recorder.capture(
      posts.map((post) => fromOraclePost(recorder.account.accountId, post)),
      'history',
    );
    endTs = startTs;
  }
}

/** What the oracle keeps, it counted: the post is taken as one that the rule counts. */
export function fromOraclePost(accountId: string, { postId, createdTs, text, isRetweet }: OraclePost): Post {
  return {
    accountId,
    postId,
    createdTs,
    text,
    isRetweet,
    isReply: false,
    isQuote: false,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: postId,
  };
}
