// Keeps one account's state current: listens to the stream, polls slowly without one, and reports what was
// missed after a reconnect.

import type { StreamEvent } from '../../../packages/client-js/src/index.ts';
import { authHeaders, confirmTier, getAccess, markRefused, noteAllowance } from '../api/access.ts';
import type { CountersRecord, Envelope, PredictionRecord } from '../api/records.ts';
import { API_BASE, fetchJson } from '../api/request.ts';
import { createAbsenceWatch, type Missed } from './absence.ts';
import { choosePollPeriod, describePause, fetchAccount, pauseAfter, takeCounters } from './account-poll.ts';
import { type AccountState, applyMessage, createAccountState } from './account-state.ts';
import { type EventStream, openEventStream, type StreamState } from './event-stream.ts';
import { type Line, SILENT_AFTER_MS } from './line.ts';
import { watchVisibility } from './visibility.ts';

export interface AccountView {
  state: AccountState;
  line: Line;
  missed: Missed | null;
}

export interface AccountFeed {
  get(): AccountView;
  subscribe(listener: () => void): () => void;
  retryNow(): void;
  dismissMissed(): void;
  close(): void;
}

/** Messages that arrive in a burst are shown together. */
const BATCH_MS = 40;
/** While nothing changes the stream does not report feed ages, so they are fetched this often. */
const AGE_REFRESH_MS = 60_000;
const LEARN_PAUSE_MS = 120_000;
const SILENCE_CHECK_MS = 250;

export function openAccountFeed(account: string, speed = 1): AccountFeed {
  let view: AccountView = {
    state: createAccountState(account, speed),
    line: { kind: 'connecting' },
    missed: null,
  };
  let cutAt: { state: AccountState; ts: number } | null = null;
  /** Time of the last arrival, keep-alive comments included, by this machine's clock. */
  let heardTs: number | null = null;
  let notifyTimer: ReturnType<typeof setTimeout> | undefined;
  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let nextLearnTs = 0;
  const listeners = new Set<() => void>();
  const absence = createAbsenceWatch({
    getState: () => view.state,
    show: (missed) => change({ missed }),
    refresh: refreshAges,
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

  function change(next: Partial<AccountView>): void {
    if (isClosed) return;
    view = { ...view, ...next };
    notifyTimer ??= setTimeout(() => {
      notifyTimer = undefined;
      for (const listener of listeners) listener();
    }, BATCH_MS);
  }

  function noteHeard(): void {
    heardTs = Date.now();
    if (view.line.kind === 'silent') comeBack();
  }

  function checkSilence(): void {
    const { line } = view;
    if (heardTs === null || document.hidden || (line.kind !== 'live' && line.kind !== 'polling')) return;
    const allowedMs = SILENT_AFTER_MS + (line.kind === 'polling' ? line.everyMs : 0);
    if (Date.now() - heardTs < allowedMs) return;
    cutAt ??= { state: view.state, ts: heardTs };
    change({ line: { kind: 'silent', sinceTs: heardTs } });
  }

  function takeMessage(message: StreamEvent): void {
    const { event } = message;
    const state = applyMessage(view.state, message, Date.now());
    if (event === 'snapshot' && state.tier) confirmTier(state.tier);
    change({ state });
    absence.look();
    if (event === 'counters') void learnBuckets();
  }

  /** An event that opened after the snapshot arrives without buckets; they are fetched at a limited rate. */
  async function learnBuckets(): Promise<void> {
    const known = new Set(view.state.prediction.map((record) => record.event_id));
    const isWhole = view.state.meta.every((record) => known.has(record.event_id));
    if (isWhole || Date.now() < nextLearnTs) return;
    nextLearnTs = Date.now() + LEARN_PAUSE_MS;
    try {
      const answer = await fetchJson<Envelope<PredictionRecord[]>>(`/prediction/${account}`);
      change({ state: { ...view.state, prediction: answer.data } });
    } catch {
      // Retried at the next counter change.
    }
  }

  function followStream(state: StreamState): void {
    if (state.kind === 'open') {
      heardTs = Date.now();
      comeBack();
    } else if (state.kind === 'absent') void poll();
    else if (state.kind === 'waiting' || state.kind === 'limited') change({ line: cut(state) });
    else if (state.kind === 'refused') {
      markRefused();
      change({ line: { kind: 'refused' } });
    }
    // While disconnected, the page says so until the stream is open again.
    else if (!cutAt) change({ line: { kind: 'connecting', sinceTs: heardTs ?? undefined } });
  }

  function cut(state: Extract<StreamState, { kind: 'waiting' | 'limited' }>): Line {
    cutAt ??= { state: view.state, ts: heardTs ?? Date.now() };
    if (state.kind === 'limited') return state;
    return { kind: 'down', reason: state.reason, retryTs: state.retryTs, sinceTs: cutAt.ts };
  }

  function comeBack(): void {
    change({ line: { kind: 'live' } });
    if (!cutAt) return;
    const { state, ts } = cutAt;
    cutAt = null;
    if (state.heardTs !== null) absence.begin({ before: state, fromTs: ts, backTs: Date.now() });
  }

  async function refreshAges(): Promise<void> {
    if (view.line.kind !== 'live' || document.hidden) return;
    const left = getAccess().allowances.counters;
    if (left && left.remaining < 20) return;
    try {
      const answer = await fetchJson<Envelope<CountersRecord[]>>(`/meta/${account}`);
      change({ state: takeCounters(view.state, answer) });
    } catch {
      // The stream is authoritative; a failed refresh only lets the displayed age grow.
    }
  }

  async function poll(): Promise<void> {
    if (isClosed) return;
    const everyMs = choosePollPeriod();
    let waitMs = everyMs;
    if (!document.hidden) {
      try {
        const state = await fetchAccount(view.state);
        heardTs = Date.now();
        cutAt = null;
        change({ state, line: { kind: 'polling', everyMs } });
      } catch (error) {
        const pause = pauseAfter(error);
        waitMs = pause.waitMs;
        change({ line: describePause(pause, view.state.heardTs) });
      }
    }
    pollTimer = setTimeout(() => void poll(), waitMs);
  }

  const retryNow = () => stream.retryNow(view.line.kind === 'silent');
  const stopWatching = watchVisibility({ onHidden: stream.pause, onShown: stream.resume });
  window.addEventListener('online', retryNow);
  return {
    get: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retryNow,
    dismissMissed() {
      absence.end();
      change({ missed: null });
    },
    close() {
      isClosed = true;
      window.removeEventListener('online', retryNow);
      stopWatching();
      clearInterval(ageTimer);
      clearInterval(silenceTimer);
      absence.end();
      for (const timer of [notifyTimer, pollTimer]) clearTimeout(timer);
      stream.close();
    },
  };
}
