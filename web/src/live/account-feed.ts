// Keeps one account's state current: follows the stream, and polls slowly if there is none.

import type { StreamEvent } from '../../../packages/client-js/src/index.ts';
import { authHeaders, confirmTier, getAccess, markRefused, noteAllowance } from '../api/access.ts';
import type { CountersRecord, Envelope, PredictionRecord } from '../api/records.ts';
import { API_BASE, fetchJson } from '../api/request.ts';
import { createPolling, takeCounters } from './account-poll.ts';
import { applyMessage, createAccountState } from './account-state.ts';
import { type EventStream, openEventStream, type StreamState } from './event-stream.ts';
import {
  type AccountView,
  createViewStore,
  type Line,
  SILENT_AFTER_MS,
  type ViewStore,
} from './view-store.ts';

export interface AccountFeed {
  get(): AccountView;
  subscribe(listener: () => void): () => void;
  retryNow(): void;
  close(): void;
}

/** How often to fetch feed ages, which the stream does not send while nothing changes. */
const AGE_REFRESH_MS = 60_000;
const SILENCE_CHECK_MS = 250;

export function openAccountFeed(account: string, speed = 1): AccountFeed {
  const view = createViewStore(createAccountState(account, speed));
  const { get, change } = view;
  const { learnBuckets, refreshAges } = createAccountRefresh(account, view);
  let cutTs: number | null = null;
  /** Time of the last message or keep-alive comment, by this machine's clock. */
  let heardTs: number | null = null;
  const polling = createPolling(view, () => {
    heardTs = Date.now();
    cutTs = null;
  });
  const stream: EventStream = openEventStream({
    url: `${API_BASE}/stream/${account}`,
    headers: authHeaders,
    onMessage: takeMessage,
    onHeard: noteHeard,
    onState: (state) => followStream(state),
    onResponse: (response) => noteAllowance(`/stream/${account}`, response.headers),
  });
  const ageTimer = setInterval(() => void refreshAges(), AGE_REFRESH_MS);
  const silenceTimer = setInterval(checkSilence, SILENCE_CHECK_MS);

  function noteHeard(): void {
    heardTs = Date.now();
    if (get().line.kind === 'silent') comeBack();
  }

  function checkSilence(): void {
    if (heardTs === null || !isSilent(get().line, heardTs)) return;
    cutTs ??= heardTs;
    change({ line: { kind: 'silent', sinceTs: heardTs } });
  }

  function takeMessage(message: StreamEvent): void {
    const { event } = message;
    const state = applyMessage(get().state, message, Date.now());
    if (event === 'snapshot' && state.tier) confirmTier(state.tier);
    change({ state });
    if (event === 'counters') void learnBuckets();
  }

  function followStream(state: StreamState): void {
    if (state.kind === 'open') {
      heardTs = Date.now();
      comeBack();
    } else if (state.kind === 'absent') polling.start();
    else if (state.kind === 'waiting' || state.kind === 'limited') change({ line: cut(state) });
    else if (state.kind === 'refused') {
      markRefused();
      change({ line: { kind: 'refused' } });
    }
    // After a disconnect, keep showing it until the stream is open again.
    else if (cutTs === null) change({ line: { kind: 'connecting', sinceTs: heardTs ?? undefined } });
  }

  function cut(state: Extract<StreamState, { kind: 'waiting' | 'limited' }>): Line {
    cutTs ??= heardTs ?? Date.now();
    if (state.kind === 'limited') return state;
    return { kind: 'down', reason: state.reason, retryTs: state.retryTs, sinceTs: cutTs };
  }

  function comeBack(): void {
    cutTs = null;
    change({ line: { kind: 'live' } });
  }

  const retryNow = () => stream.retryNow(get().line.kind === 'silent');
  const stopWatching = watchVisibility({ onHidden: stream.pause, onShown: stream.resume });
  window.addEventListener('online', retryNow);
  return {
    get,
    subscribe: view.subscribe,
    retryNow,
    close() {
      window.removeEventListener('online', retryNow);
      stopWatching();
      clearInterval(ageTimer);
      clearInterval(silenceTimer);
      polling.stop();
      view.close();
      stream.close();
    },
  };
}

function isSilent(line: Line, heardTs: number): boolean {
  if (document.hidden || (line.kind !== 'live' && line.kind !== 'polling')) return false;
  return Date.now() - heardTs >= SILENT_AFTER_MS + (line.kind === 'polling' ? line.everyMs : 0);
}

const HIDDEN_FOR_MS = 60_000;

/** A tab hidden this long releases its connection, because a browser has only six. */
function watchVisibility({ onHidden, onShown }: { onHidden: () => void; onShown: () => void }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(onHidden, HIDDEN_FOR_MS);
    else onShown();
  };
  document.addEventListener('visibilitychange', follow);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', follow);
  };
}

const LEARN_PAUSE_MS = 120_000;
const MIN_ALLOWANCE = 20;

interface AccountRefresh {
  learnBuckets(): Promise<void>;
  refreshAges(): Promise<void>;
}

function createAccountRefresh(account: string, { get, change }: ViewStore): AccountRefresh {
  let nextLearnTs = 0;
  return {
    /** An event that opens after the snapshot arrives without buckets; fetches them at a limited rate. */
    async learnBuckets() {
      const { prediction, meta } = get().state;
      const known = new Set(prediction.map((record) => record.event_id));
      const isWhole = meta.every((record) => known.has(record.event_id));
      if (isWhole || Date.now() < nextLearnTs) return;
      nextLearnTs = Date.now() + LEARN_PAUSE_MS;
      try {
        const answer = await fetchJson<Envelope<PredictionRecord[]>>(`/prediction/${account}`);
        change({ state: { ...get().state, prediction: answer.data } });
      } catch {
        // Retried at the next counter change.
      }
    },
    async refreshAges() {
      if (get().line.kind !== 'live') return;
      const left = getAccess().allowances.counters;
      if (document.hidden || (left && left.remaining < MIN_ALLOWANCE)) return;
      try {
        const answer = await fetchJson<Envelope<CountersRecord[]>>(`/meta/${account}`);
        change({ state: takeCounters(get().state, answer) });
      } catch {
        // The stream is authoritative; a failed refresh only lets the displayed age grow.
      }
    },
  };
}
