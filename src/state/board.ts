// The live board: the current snapshot of every account, with change notifications.

import type { AccountId } from '../domain/account.ts';
import { expectInvariant } from '../runtime/invariants.ts';
import { findFallenCounts } from './changes.ts';
import type { AccountSnapshot, CryptoSnapshot } from './snapshot.ts';

export type SnapshotListener = (next: AccountSnapshot, previous: AccountSnapshot | undefined) => void;

/** Read interface; the same for an api replica and a single process. */
export interface BoardReader {
  find(accountId: AccountId): AccountSnapshot | undefined;
  findCrypto(): CryptoSnapshot | undefined;
  /** Subscribes to one account, or to all. Returns a function that unsubscribes. */
  listen(listener: SnapshotListener, accountId?: AccountId): () => void;
}

export interface Board extends BoardReader {
  publish(snapshot: AccountSnapshot): void;
  publishCrypto(snapshot: CryptoSnapshot): void;
}

export function createBoard(): Board {
  const snapshots = new Map<AccountId, AccountSnapshot>();
  const toAll = new Set<SnapshotListener>();
  /** Listeners per account; a single list would call every listener for every account. */
  const toOne = new Map<AccountId, Set<SnapshotListener>>();
  let crypto: CryptoSnapshot | undefined;

  function listenersOf(accountId: AccountId): Set<SnapshotListener> {
    const known = toOne.get(accountId) ?? new Set();
    toOne.set(accountId, known);
    return known;
  }

  return {
    find: (accountId) => snapshots.get(accountId),
    findCrypto: () => crypto,
    listen(listener, accountId) {
      const listeners = accountId === undefined ? toAll : listenersOf(accountId);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(snapshot) {
      const previous = snapshots.get(snapshot.accountId);
      // A replica may receive an older version after a newer one; keep the newer.
      if (previous && previous.version >= snapshot.version) return;
      if (previous) expectGrowth(previous, snapshot);
      snapshots.set(snapshot.accountId, snapshot);
      for (const listener of listenersOf(snapshot.accountId)) listener(snapshot, previous);
      for (const listener of toAll) listener(snapshot, previous);
    },
    publishCrypto(snapshot) {
      crypto = snapshot;
    },
  };
}

/** Skips counts that deletions can lower; the recorder checks those, because it knows the deletions. */
function expectGrowth(previous: AccountSnapshot, next: AccountSnapshot): void {
  const fallen = findFallenCounts(previous, next).find(({ losesDeleted }) => !losesDeleted);
  expectInvariant('count-fell', !fallen, () => ({ accountId: next.accountId, ...fallen }));
}
