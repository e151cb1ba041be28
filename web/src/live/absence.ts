// Works out what happened while disconnected. A restarted service responds before it has fetched the posts
// made in the meantime, so "nothing was missed" is certain only after our own feed has been read again.

import { type AccountState, toServerTs } from './account-state.ts';

/** A disconnected period, by this machine's clock. */
export interface Absence {
  before: AccountState;
  fromTs: number;
  backTs: number;
}

/** What happened during an absence. */
export interface Missed {
  awayMs: number;
  posts: number;
  countDelta: number;
  /** True once posts have been read up to the reconnect, which makes the list final. */
  isWhole: boolean;
}

export function computeMissed({ before, fromTs, backTs }: Absence, after: AccountState): Missed {
  const known = new Set(before.posts.map((post) => post.tweet_id));
  const untilTs = toServerTs(after.clock, backTs);
  const arrived = after.posts.filter((post) => !known.has(post.tweet_id));
  const missed = arrived.filter((post) => post.created_ts <= untilTs);
  const since = arrived.filter((post) => post.created_ts > untilTs && post.is_counted === true);
  const rises = after.meta.map((record) => {
    const earlier = before.meta.find((candidate) => candidate.event_id === record.event_id);
    return (record.real_counter ?? 0) - (earlier?.real_counter ?? record.real_counter ?? 0);
  });
  return {
    awayMs: backTs - fromTs,
    posts: missed.length,
    countDelta: Math.max(0, Math.max(0, ...rises) - since.length),
    isWhole: isReadUpTo(after, untilTs),
  };
}

function isReadUpTo({ meta, feeds }: AccountState, untilTs: number): boolean {
  const own = meta[0]?.feeds?.own ?? feeds.own;
  return own === undefined || (own.updated_ts ?? 0) >= untilTs;
}

export interface AbsenceWatch {
  begin(absence: Absence): void;
  /** Call after every change to the account's state. */
  look(): void;
  end(): void;
}

interface WatchOptions {
  getState(): AccountState;
  show(missed: Missed): void;
  /** Fetches feed ages, which the stream sends only on changes. */
  refresh(): Promise<void>;
}

/** The replay after a reconnect arrives within this time. */
const SETTLE_MS = 800;
const LONGEST_PAUSE_MS = 15_000;

export function createAbsenceWatch({ getState, show, refresh }: WatchOptions): AbsenceWatch {
  let absence: Absence | null = null;
  let isSettled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): Missed | null {
    if (!absence || !isSettled) return null;
    const missed = computeMissed(absence, getState());
    show(missed);
    return missed;
  }

  async function ask(pauseMs: number): Promise<void> {
    isSettled = true;
    const asked = absence;
    await refresh();
    if (absence !== asked) return;
    const isWhole = look()?.isWhole ?? true;
    // Posts counted in the response may still be in transit.
    timer = isWhole ? setTimeout(end, SETTLE_MS) : setTimeout(() => void ask(longer(pauseMs)), pauseMs);
  }

  function end(): void {
    absence = null;
    isSettled = false;
    clearTimeout(timer);
  }

  return {
    begin(next) {
      end();
      absence = next;
      timer = setTimeout(() => void ask(SETTLE_MS), SETTLE_MS);
    },
    look: () => void look(),
    end,
  };
}

function longer(pauseMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
}
