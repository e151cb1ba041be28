// The live board: the current snapshot of every account. Publishes steps: a snapshot and what changed.

import type { AccountId } from '../domain/account.ts';
import { replaceWith, type Step } from './changes.ts';
import type { AccountSnapshot, CryptoSnapshot } from './snapshot.ts';

export type StepListener = (step: Step) => void;

/** Read interface; the same for an api replica and a single process. */
export interface BoardReader {
  find(accountId: AccountId): AccountSnapshot | undefined;
  findCrypto(): CryptoSnapshot | undefined;
  /** Subscribes to one account, or to all. Returns a function that unsubscribes. */
  listen(listener: StepListener, accountId?: AccountId): () => void;
}

export interface Board extends BoardReader {
  publish(step: Step): void;
  /** Publishes a snapshot that does not follow from the last one by an observation. */
  replace(snapshot: AccountSnapshot): void;
  publishCrypto(snapshot: CryptoSnapshot): void;
}

export function createBoard(): Board {
  const snapshots = new Map<AccountId, AccountSnapshot>();
  const toAll = new Set<StepListener>();
  /** Listeners per account; a single list would call every listener for every account. */
  const toOne = new Map<AccountId, Set<StepListener>>();
  let crypto: CryptoSnapshot | undefined;

  function listenersOf(accountId: AccountId): Set<StepListener> {
    const known = toOne.get(accountId) ?? new Set();
    toOne.set(accountId, known);
    return known;
  }

  function publish(step: Step): void {
    const { accountId, version } = step.snapshot;
    const previous = snapshots.get(accountId);
    // A replica may receive an older version after a newer one; keep the newer.
    if (previous && previous.version >= version) return;
    snapshots.set(accountId, step.snapshot);
    for (const listener of listenersOf(accountId)) listener(step);
    for (const listener of toAll) listener(step);
  }

  return {
    find: (accountId) => snapshots.get(accountId),
    findCrypto: () => crypto,
    listen(listener, accountId) {
      const listeners = accountId === undefined ? toAll : listenersOf(accountId);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish,
    replace: (snapshot) => publish(replaceWith(snapshot)),
    publishCrypto(snapshot) {
      crypto = snapshot;
    },
  };
}
