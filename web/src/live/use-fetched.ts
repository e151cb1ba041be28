// A response from the service as React state. The last good response stays while the next one loads, unless it is
// about something else: another account, wallet or period.

import { useCallback, useEffect, useState } from 'react';
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

const NO_ANSWER = { data: null, error: null };

/** What a response is about. A slider or a chart's moving start only resizes it. */
function subjectOf(
  path: string | null,
  { bankroll: _, from: __, ...rest }: Query,
  key: string | null,
): string {
  return JSON.stringify([path, rest, key]);
}

/** Several responses as one: all of them, or the error of one. */
export function useFetchedAll<T>(rules: Pace & { paths: readonly string[] | null }): Fetched<readonly T[]> {
  const { paths, query = {}, everyMs, settleMs = 0 } = rules;
  const { key, refused } = useAccess();
  const [isLoading, setLoading] = useState(paths !== null);
  const [attempt, setAttempt] = useState(0);
  const path = paths === null ? null : paths.join(' ');
  const subject = subjectOf(path, query, key);
  const [last, setLast] = useState<Answer<T> & { subject: string }>({ subject, ...NO_ANSWER });
  const { data, error } = last.subject === subject ? last : NO_ANSWER;
  const identity = JSON.stringify([path, query, key, refused]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: identity covers path, query and key.
  useEffect(() => {
    if (paths === null) return;
    const stopped = new AbortController();
    setLoading(true);
    const timer = setTimeout(async () => {
      const next = await load<T>(paths, query, stopped.signal);
      if (stopped.signal.aborted) return;
      setLoading(false);
      setLast((known) =>
        known.subject === subject && next.error && canPass(next.error)
          ? { ...known, error: next.error }
          : { subject, ...next },
      );
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

  useRetry(error, reload);

  return { data, error, isLoading, reload };
}

async function load<T>(paths: readonly string[], query: Query, signal: AbortSignal): Promise<Answer<T>> {
  try {
    const data = await Promise.all(paths.map((path) => fetchJson<T>(path, query, { signal })));
    return { data, error: null };
  } catch (error) {
    return { data: null, error: toServiceError(error) };
  }
}
