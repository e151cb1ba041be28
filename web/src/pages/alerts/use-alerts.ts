// The key's channels, rules and recent alerts, reloaded after each change.

import { useRef, useState } from 'react';
import type { AlertRecord, ChannelRecord, Envelope, RuleRecord } from '../../api/records.ts';
import { describeError, fetchJson } from '../../api/request.ts';
import { type Fetched, useFetched } from '../../live/use-fetched.ts';

const REFRESH_MS = 15_000;

export interface AlertsState {
  channels: Fetched<Envelope<ChannelRecord[]>>;
  rules: Fetched<Envelope<RuleRecord[]>>;
  notices: Fetched<Envelope<AlertRecord[]>>;
  /** Why the last change failed. */
  problem: string | null;
  /** Confirmation of the last change. */
  done: string | null;
  /** Undoes the last change; null if it cannot be undone. */
  undo: (() => Promise<unknown>) | null;
  /** Runs a change, then reloads; returns null if it failed, or if another one is not finished. */
  change<T>(work: () => Promise<T>, words: string, undo?: () => Promise<unknown>): Promise<T | null>;
}

export function useAlerts(): AlertsState {
  const channels = useFetched<Envelope<ChannelRecord[]>>({ path: '/channels', everyMs: REFRESH_MS });
  const rules = useFetched<Envelope<RuleRecord[]>>({ path: '/rules' });
  const notices = useFetched<Envelope<AlertRecord[]>>({
    path: '/notices',
    query: { limit: 20 },
    everyMs: REFRESH_MS,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const [undo, setUndo] = useState<AlertsState['undo']>(null);
  const isBusy = useRef(false);

  async function change<T>(
    work: () => Promise<T>,
    words: string,
    reverse?: () => Promise<unknown>,
  ): Promise<T | null> {
    // A second click while the service is slow.
    if (isBusy.current) return null;
    isBusy.current = true;
    setProblem(null);
    setDone(null);
    setUndo(null);
    try {
      const result = await work();
      setDone(words);
      setUndo(() => reverse ?? null);
      return result;
    } catch (error) {
      setProblem(describeError(error));
      return null;
    } finally {
      isBusy.current = false;
      for (const list of [channels, rules, notices]) list.reload();
    }
  }
  return { channels, rules, notices, problem, done, undo, change };
}

export function remove(path: string): Promise<unknown> {
  return fetchJson(path, {}, { method: 'DELETE' });
}
