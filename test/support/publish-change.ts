// Publishes a changed snapshot as the step that an observation would have been.

import type { Board } from '../../src/state/board.ts';
import { listChanges } from '../../src/state/changes.ts';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';

export function publishChange(board: Board, accountId: string, change: Partial<AccountSnapshot>): void {
  const before = board.find(accountId)!;
  const snapshot = { ...before, version: before.version + 1, ...change };
  board.publish({ snapshot, changes: listChanges(before, snapshot, 'post') });
}
