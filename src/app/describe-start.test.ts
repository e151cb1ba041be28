import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../runtime/clock.ts';
import { createBoard } from '../state/board.ts';
import type { AccountSnapshot } from '../state/snapshot.ts';
import { waitForFirstAnswers } from './describe-start.ts';

function snapshot(
  accountId: string,
  version: number,
  updatedTs: readonly (number | null)[],
): AccountSnapshot {
  return {
    accountId,
    version,
    feeds: updatedTs.map((ts) => ({ updatedTs: ts })),
  } as unknown as AccountSnapshot;
}

describe("waiting for the feeds' first responses", () => {
  function begin() {
    const clock = createManualClock(0);
    const board = createBoard();
    const stopping = new AbortController();
    let isOver = false;
    const wait = () =>
      void waitForFirstAnswers(board, ['a', 'b'], stopping.signal, clock).then(() => (isOver = true));
    return { clock, board, stopping, wait, isOver: () => isOver };
  }

  it('ends when every feed of every account has responded', async () => {
    const { clock, board, wait, isOver } = begin();
    wait();
    board.replace(snapshot('a', 1, [5, 5]));
    board.replace(snapshot('b', 1, [5, null]));
    await clock.advanceAsync(100);
    assert.equal(isOver(), false);
    board.replace(snapshot('b', 2, [5, 6]));
    await clock.advanceAsync(0);
    assert.equal(isOver(), true);
  });

  it('ends immediately if an earlier run saved responses', async () => {
    const { clock, board, wait, isOver } = begin();
    board.replace(snapshot('a', 1, [5]));
    board.replace(snapshot('b', 1, [5]));
    wait();
    await clock.advanceAsync(0);
    assert.equal(isOver(), true);
  });

  it('ends when the service stops', async () => {
    const { clock, stopping, wait, isOver } = begin();
    wait();
    stopping.abort();
    await clock.advanceAsync(0);
    assert.equal(isOver(), true);
  });

  it('does not wait forever for a stale feed', async () => {
    const { clock, wait, isOver } = begin();
    wait();
    await clock.advanceAsync(14_999);
    assert.equal(isOver(), false);
    await clock.advanceAsync(1);
    assert.equal(isOver(), true);
  });
});
