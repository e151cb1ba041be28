// Logs when a feed becomes stale and when it recovers, using the same rule as API responses.

import { isStale, nameFeed } from '../../domain/feed.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import type { Service } from '../service.ts';

const CHECK_EVERY_MS = 5_000;

export function createFeedWatchdog(
  board: BoardReader,
  accountIds: readonly string[],
  clock: Clock,
  logger: Logger,
): Service {
  const staleSinceTs = new Map<string, number>();

  function check(): void {
    const nowTs = clock.now();
    for (const accountId of accountIds) {
      for (const status of board.find(accountId)?.feeds ?? []) {
        const name = `${accountId}/${nameFeed(status)}`;
        const isStaleNow = status.updatedTs !== null && isStale(status, nowTs);
        const sinceTs = staleSinceTs.get(name);
        if (isStaleNow && sinceTs === undefined) {
          staleSinceTs.set(name, nowTs);
          logger.warn({ feed: name, problem: status.problem, updatedTs: status.updatedTs }, 'feed stale');
        } else if (!isStaleNow && sinceTs !== undefined) {
          staleSinceTs.delete(name);
          logger.info({ feed: name, staleMs: nowTs - sinceTs }, 'feed recovered');
        }
      }
    }
  }

  const checking = createRepeat({ clock, pauseMs: CHECK_EVERY_MS, run: check });
  return { start: () => void checking.start(), stop: checking.stop };
}
