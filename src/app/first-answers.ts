// The very first start has nothing to show until its feeds have responded; later starts use saved state.

import { type Clock, systemClock } from '../runtime/clock.ts';
import type { BoardReader } from '../state/board.ts';

const WAIT_AT_MOST_MS = 5_000;

/**
 * Resolves when every feed of every account has responded at least once, in this run or an earlier one, or
 * after a timeout or on abort.
 */
export function waitForFirstAnswers(
  board: BoardReader,
  accountIds: readonly string[],
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  const haveAnswered = () =>
    accountIds.every((id) => board.find(id)?.feeds.every((feed) => feed.updatedTs !== null));
  if (signal.aborted || haveAnswered()) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      leave();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(WAIT_AT_MOST_MS, finish);
    const leave = board.listen(() => {
      if (haveAnswered()) finish();
    });
    signal.addEventListener('abort', finish);
  });
}
