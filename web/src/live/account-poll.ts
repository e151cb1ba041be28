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
        const pause = pauseAfter(error, get().state.heardTs);
        waitMs = pause.waitMs;
        change({ line: pause.line });
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

/** How long to wait after a failure, and the state to show meanwhile. */
function pauseAfter(error: unknown, heardTs: number | null): { waitMs: number; line: Line } {
  const failure = error instanceof ServiceError ? error : null;
  const nowTs = Date.now();
  if (failure?.status === 429) {
    const waitMs = (failure.retryAfterS ?? 60) * 1000;
    return { waitMs, line: { kind: 'limited', retryTs: nowTs + waitMs } };
  }
  const reason = failure?.message ?? 'The service cannot be reached.';
  const retryTs = nowTs + AFTER_FAILURE_MS;
  return { waitMs: AFTER_FAILURE_MS, line: { kind: 'down', reason, retryTs, sinceTs: heardTs ?? nowTs } };
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
