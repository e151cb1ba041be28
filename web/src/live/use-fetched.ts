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

export interface FetchRules {
  /** null sends no request. */
  path: string | null;
  query?: Query;
  /** Polling period while the tab is visible. */
  everyMs?: number;
  /** Debounce, e.g. for a slider. */
  settleMs?: number;
}

export function useFetched<T>({ path, query = {}, everyMs, settleMs = 0 }: FetchRules): Fetched<T> {
  const { key, refused } = useAccess();
  const [answer, setAnswer] = useState<{ data: T | null; error: ServiceError | null }>({
    data: null,
    error: null,
  });
  const [isLoading, setLoading] = useState(path !== null);
  const [attempt, setAttempt] = useState(0);
  const lastPath = useRef(path);
  const identity = JSON.stringify([path, query, key, refused]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: identity covers path, query and key.
  useEffect(() => {
    if (lastPath.current !== path) setAnswer({ data: null, error: null });
    lastPath.current = path;
    if (path === null) return;
    const stopped = new AbortController();
    setLoading(true);
    const timer = setTimeout(async () => {
      const next = await load<T>(path, query, stopped.signal);
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

async function load<T>(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<{ data: T | null; error: ServiceError | null }> {
  try {
    return { data: await fetchJson<T>(path, query, { signal }), error: null };
  } catch (error) {
    return { data: null, error: toServiceError(error) };
  }
}
