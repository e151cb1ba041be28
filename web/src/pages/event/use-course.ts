// Loads an event's whole history page by page: hourly, and in finer steps around the linked moment.

import { useEffect, useRef, useState } from 'react';
import type { CoursePoint, CourseRecord } from '../../api/records.ts';
import { fetchJson, type Query, type ServiceError, toServiceError } from '../../api/request.ts';
import { useRetry } from '../../api/use-retry.ts';
import { useAccess } from '../../live/live-context.tsx';

export interface Course {
  course: CourseRecord | null;
  error: ServiceError | null;
}

/** The most that the service returns at once. */
const PAGE = 300;
const PAST_PRICES_MS = 2_000;
const MAX_ATTEMPTS = 5;
const AROUND_MS = 6 * 3_600_000;

export function useCourse(account: string, eventId: string, momentTs: number | null): Course {
  const { key, refused } = useAccess();
  const [state, setState] = useState<Course>({ course: null, error: null });
  const [attempt, setAttempt] = useState(0);
  const shown = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key changes the view, and a retry reloads it.
  useEffect(() => {
    const stopped = new AbortController();
    const identity = `${account} ${eventId} ${momentTs} ${key}`;
    if (shown.current !== identity) setState({ course: null, error: null });
    shown.current = identity;
    loadCourse(account, eventId, momentTs, stopped.signal)
      .then((course) => setState({ course, error: null }))
      .catch((error: unknown) => {
        if (stopped.signal.aborted) return;
        setState({ course: null, error: toServiceError(error) });
      });
    return () => stopped.abort();
  }, [account, eventId, momentTs, key, refused, attempt]);
  useRetry(state.error, () => setAttempt((count) => count + 1));
  useEffect(() => {
    if (!isLoading(state.course) || attempt >= MAX_ATTEMPTS) return;
    const timer = setTimeout(() => setAttempt((count) => count + 1), PAST_PRICES_MS);
    return () => clearTimeout(timer);
  }, [state.course, attempt]);
  return state;
}

/** The market's own prices arrive after the first response. */
function isLoading(course: CourseRecord | null): boolean {
  return course?.past_prices_problem?.includes('loading') ?? false;
}

async function loadCourse(
  account: string,
  eventId: string,
  momentTs: number | null,
  signal: AbortSignal,
): Promise<CourseRecord> {
  const path = `/history/${account}/${encodeURIComponent(eventId)}`;
  const hourly = await loadPages(path, { step: 'hour' }, signal);
  if (momentTs === null) return hourly;
  const around = { step: 'all', from: Math.max(0, momentTs - AROUND_MS), to: momentTs + AROUND_MS };
  const finer = await loadPages(path, around, signal);
  return { ...hourly, points: mergePoints(hourly.points, finer.points) };
}

async function loadPages(path: string, query: Query, signal: AbortSignal): Promise<CourseRecord> {
  const points: CoursePoint[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { data } = await fetchJson<{ data: CourseRecord }>(
      path,
      { ...query, limit: PAGE, cursor },
      { signal },
    );
    points.push(...data.points);
    if (data.next_cursor === null) return { ...data, points };
    cursor = data.next_cursor;
  }
}

function mergePoints(some: readonly CoursePoint[], others: readonly CoursePoint[]): CoursePoint[] {
  const byTs = new Map([...some, ...others].map((point) => [point.timestamp, point]));
  return [...byTs.values()].sort((left, right) => left.timestamp - right.timestamp);
}
