// A response from the service as React state; the last good response stays while the next one loads.

import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchJson, type Query, type ServiceError, toServiceError } from '../api/request.ts';
import { canPass, useRetry } from '../api/use-retry.ts';
import { useAccess } from './live-context.tsx';

export interface Fetched<T> {
  data: T | null;
  error: ServiceError | null;
  isLoading: boolean;
  reload: () => void;
}

interface Pace {
  query?: Query;
  /** Polling period while the tab is visible. */
  everyMs?: number;
  /** Debounce, e.g. for a slider. */
  settleMs?: number;
}

export interface FetchRules extends Pace {
  /** null sends no request. */
  path: string | null;
}

export function useFetched<T>({ path, ...pace }: FetchRules): Fetched<T> {
  const { data, ...rest } = useFetchedAll<T>({ ...pace, paths: path === null ? null : [path] });
  return { ...rest, data: data?.[0] ?? null };
}

interface Answer<T> {
  data: readonly T[] | null;
  error: ServiceError | null;
}

/** Several responses as one: all of them, or the error of one. */
export function useFetchedAll<T>(rules: Pace & { paths: readonly string[] | null }): Fetched<readonly T[]> {
  const { paths, query = {}, everyMs, settleMs = 0 } = rules;
  const { key, refused } = useAccess();
  const [answer, setAnswer] = useState<Answer<T>>({ data: null, error: null });
  const [isLoading, setLoading] = useState(paths !== null);
  const [attempt, setAttempt] = useState(0);
  const path = paths === null ? null : paths.join(' ');
  const lastPath = useRef(path);
  const identity = JSON.stringify([path, query, key, refused]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: identity covers path, query and key.
  useEffect(() => {
    if (lastPath.current !== path) setAnswer({ data: null, error: null });
    lastPath.current = path;
    if (paths === null) return;
    const stopped = new AbortController();
    setLoading(true);
    const timer = setTimeout(async () => {
      const next = await load<T>(paths, query, stopped.signal);
      if (stopped.signal.aborted) return;
      setLoading(false);
      setAnswer((known) => (next.error && canPass(next.error) ? { ...known, error: next.error } : next));
    }, settleMs);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [identity, attempt]);

  useEffect(() => {
    if (!everyMs || path === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, path, reload]);

  useRetry(answer.error, reload);

  return { ...answer, isLoading, reload };
}

async function load<T>(paths: readonly string[], query: Query, signal: AbortSignal): Promise<Answer<T>> {
  try {
    const data = await Promise.all(paths.map((path) => fetchJson<T>(path, query, { signal })));
    return { data, error: null };
  } catch (error) {
    return { data: null, error: toServiceError(error) };
  }
}
