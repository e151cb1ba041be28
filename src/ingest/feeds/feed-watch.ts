// Lets time pass for every account, so that a feed goes stale at one instant for everybody, and logs when one does and
// when it answers again.

import { findFeed, nameFeed } from '../../domain/feed.ts';
import { SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import type { Change, Step } from '../../state/changes.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import type { Service } from '../service.ts';

export interface FeedWatchOptions {
  recorders: readonly AccountRecorder[];
  board: BoardReader;
  clock: Clock;
  logger: Logger;
  timeScale: number;
}

export function createFeedWatch({ recorders, board, clock, logger, timeScale }: FeedWatchOptions): Service {
  const staleSinceTs = new Map<string, number>();
  let stopListening: (() => void)[] = [];

  async function tick(): Promise<void> {
    await Promise.all(recorders.map((recorder) => recorder.note({ kind: 'clock' })));
  }

  function report({ snapshot, changes }: Step): void {
    for (const change of changes) if (change.kind === 'feed') reportFeed(snapshot, change);
  }

  function reportFeed(
    { accountId, feeds, takenTs }: Step['snapshot'],
    { feed, venue, now }: Extract<Change, { kind: 'feed' }>,
  ): void {
    const status = findFeed(feeds, feed, venue)!;
    const name = `${accountId}/${nameFeed(status)}`;
    const sinceTs = staleSinceTs.get(name);
    if (now === 'stale' && sinceTs === undefined && status.updatedTs !== null) {
      staleSinceTs.set(name, takenTs);
      logger.warn({ feed: name, problem: status.problem, updatedTs: status.updatedTs }, 'feed stale');
    } else if (now === 'fresh' && sinceTs !== undefined) {
      staleSinceTs.delete(name);
      logger.info({ feed: name, staleMs: takenTs - sinceTs }, 'feed recovered');
    }
  }

  const ticking = createRepeat({ clock, pauseMs: SECOND_MS * timeScale, run: tick });
  return {
    start() {
      stopListening = recorders.map(({ account }) => board.listen(report, account.accountId));
      void ticking.start();
    },
    async stop() {
      for (const stop of stopListening) stop();
      await ticking.stop();
    },
  };
}
