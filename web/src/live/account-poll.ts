// Polls an account that has no stream: which requests, how often, and how long to wait after a failure.

import { getAccess, isPro } from '../api/access.ts';
import type { CountersRecord, Envelope, PostRecord, PredictionRecord } from '../api/records.ts';
import { fetchJson, ServiceError } from '../api/request.ts';
import { type AccountState, applyCounters, mergePosts, setClock } from './account-state.ts';
import type { Line, ViewStore } from './view-store.ts';

/** Keeps two accounts, each with counters and two other endpoints, within both 100-per-hour allowances. */
const PUBLIC_POLL_MS = 150_000;
const PRO_POLL_MS = 10_000;
const AFTER_FAILURE_MS = 15_000;

export interface Polling {
  start(): void;
  stop(): void;
}

export function createPolling({ get, change }: ViewStore, onHeard: () => void): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function poll(): Promise<void> {
    if (isStopped) return;
    const everyMs = choosePollPeriod();
    let waitMs = everyMs;
    if (!document.hidden) {
      try {
        const state = await fetchAccount(get().state);
        onHeard();
        change({ state, line: { kind: 'polling', everyMs } });
      } catch (error) {
        const pause = pauseAfter(error);
        waitMs = pause.waitMs;
        change({ line: describePause(pause, get().state.heardTs) });
      }
    }
    timer = setTimeout(() => void poll(), waitMs);
  }

  return {
    start: () => void poll(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function choosePollPeriod(): number {
  return isPro(getAccess().tier) ? PRO_POLL_MS : PUBLIC_POLL_MS;
}

interface Pause {
  waitMs: number;
  isLimited: boolean;
  reason: string;
}

function pauseAfter(error: unknown): Pause {
  const failure = error instanceof ServiceError ? error : null;
  const isLimited = failure?.status === 429;
  return {
    waitMs: isLimited ? (failure.retryAfterS ?? 60) * 1000 : AFTER_FAILURE_MS,
    isLimited,
    reason: failure?.message ?? 'The service cannot be reached.',
  };
}

function describePause({ waitMs, isLimited, reason }: Pause, heardTs: number | null): Line {
  const nowTs = Date.now();
  const retryTs = nowTs + waitMs;
  if (isLimited) return { kind: 'limited', retryTs };
  return { kind: 'down', reason, retryTs, sinceTs: heardTs ?? nowTs };
}

export function takeCounters(state: AccountState, answer: Envelope<CountersRecord[]>): AccountState {
  const nowTs = Date.now();
  const clock = setClock(state.clock, answer.timestamp, nowTs);
  const dated = { ...state, clock, heardTs: nowTs, meta: [] };
  return applyCounters(dated, answer.data, nowTs);
}

async function fetchAccount(state: AccountState): Promise<AccountState> {
  const [meta, prediction, posts] = await Promise.all([
    fetchJson<Envelope<CountersRecord[]>>(`/meta/${state.account}`),
    fetchJson<Envelope<PredictionRecord[]>>(`/prediction/${state.account}`),
    fetchJson<Envelope<PostRecord[]>>(`/meta/${state.account}/tweets`),
  ]);
  const counted = takeCounters(state, meta);
  return {
    ...counted,
    tier: getAccess().tier,
    prediction: prediction.data,
    posts: mergePosts(state.posts, posts.data),
  };
}
