// A poll loop for one registered feed of one account; it reports freshness and problems to the board.

import type { VenueId } from '../../domain/contract.ts';
import type { FeedName } from '../../domain/feed.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createPollLoop, type PollLoop } from '../../runtime/poll-loop.ts';
import type { Random } from '../../runtime/random.ts';
import { FEEDS, type FeedSpec, type RegisteredFeed } from '../../sources/feeds.ts';
import type { AccountRecorder, FeedReport } from '../recorder/account-recorder.ts';

export interface IngestTools {
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Clock speed relative to real time: network calls take real seconds at any simulator speed. */
  timeScale: number;
  /** How many times longer the pauses between polls are, because many accounts share a venue; 1 by default. */
  crowding?: number;
}

export interface FeedLoopOptions extends IngestTools {
  feed: RegisteredFeed;
  /** Feeds that the board shows with their freshness; other feeds only log. */
  shownAs: FeedName[];
  /** Set for the feed of an additional venue. */
  venue?: VenueId;
  recorder: AccountRecorder;
  pollPeriodMs?: number;
  /** Returns null, a problem found in a valid response (a held count, a partial page), or a full report. */
  runOnce: (signal: AbortSignal) => Promise<string | null | FeedReport>;
  /** Called with the error of a failed attempt. */
  onProblem?: (problem: string) => void;
}

/** Never so long that the feed would look stale. */
export function stretchPeriodMs(periodMs: number, { staleAfterMs }: FeedSpec, crowding = 1): number {
  return Math.max(periodMs, Math.min(periodMs * crowding, staleAfterMs / 3));
}

export function createFeedLoop(options: FeedLoopOptions): PollLoop {
  const { recorder, feed, venue } = options;
  const spec = FEEDS[feed];
  const name = `${recorder.account.segment}/${feed}`;
  let lastProblem: string | null = null;

  function logProblem(problem: string | null): void {
    if (problem === lastProblem) return;
    lastProblem = problem;
    if (problem === null) options.logger.info({ feed: name }, 'feed healthy');
    else options.logger.warn({ feed: name, problem }, 'feed failing');
  }

  return createPollLoop({
    ...options,
    periodMs: stretchPeriodMs(options.pollPeriodMs ?? spec.pollPeriodMs, spec, options.crowding),
    timeoutMs: spec.timeoutMs * options.timeScale,
    maxBackoffMs: spec.maxBackoffMs,
    runOnce: async (signal) => {
      const given = await options.runOnce(signal);
      const report = typeof given === 'string' || given === null ? { problem: given } : given;
      logProblem(report.alarm ?? report.problem ?? null);
      for (const shown of options.shownAs) await recorder.feedAnswered(shown, { ...report, venue });
    },
    onError: (error) => {
      const problem = errorMessage(error);
      logProblem(problem);
      options.onProblem?.(problem);
      for (const shown of options.shownAs)
        void recorder.note({ kind: 'feed-troubled', feed: shown, venue, problem });
    },
  });
}
