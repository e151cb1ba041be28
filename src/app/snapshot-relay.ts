// Sends the board to the workers. Snapshots share unchanged parts, so only changed fields are serialised,
// once for all workers. A slow worker skips versions instead of queueing them.

import type { Clock } from '../runtime/clock.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { BoardReader } from '../state/board.ts';
import type { AccountSnapshot, CryptoSnapshot } from '../state/snapshot.ts';
import type { ToWorker } from './worker-messages.ts';

/** `onSent` is called when the message has been sent. */
export type SendToWorker = (message: ToWorker, onSent: () => void) => void;

export interface SnapshotRelay {
  /** Sends all current snapshots, then every change, until the returned function is called. */
  join(send: SendToWorker): () => void;
  stop(): void;
}

export interface SnapshotRelayOptions {
  board: BoardReader;
  accountIds: readonly string[];
  clock: Clock;
}

/** Changes within this interval are sent as one message. */
const GAP_MS = 10;
/** The board does not announce crypto price changes, so they are polled. */
const CRYPTO_EVERY_MS = 250;

interface Follower {
  send: SendToWorker;
  sent: Map<string, AccountSnapshot>;
  crypto: CryptoSnapshot | undefined;
  inFlight: number;
}

export function createSnapshotRelay({ board, accountIds, clock }: SnapshotRelayOptions): SnapshotRelay {
  const followers = new Set<Follower>();
  const writeOut = createWriter();
  let isDue = false;
  let lastTs = 0;

  function sendToAll(): void {
    isDue = false;
    lastTs = clock.now();
    for (const follower of followers) report(follower);
  }

  function report(follower: Follower): void {
    if (follower.inFlight > 0) return;
    for (const accountId of accountIds) {
      const next = board.find(accountId);
      const previous = follower.sent.get(accountId);
      if (next === undefined || next === previous) continue;
      follower.sent.set(accountId, next);
      dispatch(follower, { kind: 'snapshot', accountId, fields: writeOut(previous, next) });
    }
    const crypto = board.findCrypto();
    if (crypto === undefined || crypto === follower.crypto) return;
    follower.crypto = crypto;
    dispatch(follower, { kind: 'crypto', body: JSON.stringify(crypto) });
  }

  function dispatch(follower: Follower, message: ToWorker): void {
    follower.inFlight += 1;
    follower.send(message, () => {
      follower.inFlight -= 1;
      if (followers.has(follower)) report(follower);
    });
  }

  const stopListening = board.listen(() => {
    if (isDue) return;
    isDue = true;
    clock.after(Math.max(0, lastTs + GAP_MS - clock.now()), sendToAll);
  });
  const looking = createRepeat({
    clock,
    firstPauseMs: CRYPTO_EVERY_MS,
    pauseMs: CRYPTO_EVERY_MS,
    run: sendToAll,
  });
  void looking.start();

  return {
    join(send) {
      const follower: Follower = { send, sent: new Map(), crypto: undefined, inFlight: 0 };
      followers.add(follower);
      report(follower);
      return () => void followers.delete(follower);
    },
    stop() {
      stopListening();
      void looking.stop();
      followers.clear();
    },
  };
}

/** All workers that are up to date need the same diff, so it is serialised once. */
function createWriter(): (previous: AccountSnapshot | undefined, next: AccountSnapshot) => string {
  const latest = new Map<
    string,
    { previous: AccountSnapshot | undefined; next: AccountSnapshot; text: string }
  >();
  return (previous, next) => {
    const known = latest.get(next.accountId);
    if (known && known.previous === previous && known.next === next) return known.text;
    const text = JSON.stringify(listChangedFields(previous, next));
    latest.set(next.accountId, { previous, next, text });
    return text;
  };
}

function listChangedFields(
  previous: AccountSnapshot | undefined,
  next: AccountSnapshot,
): Partial<AccountSnapshot> {
  if (!previous) return next;
  const names = Object.keys(next) as (keyof AccountSnapshot)[];
  return Object.fromEntries(
    names.filter((name) => next[name] !== previous[name]).map((name) => [name, next[name]]),
  );
}
