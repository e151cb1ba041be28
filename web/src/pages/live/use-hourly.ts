// Loads an event's hourly breakdown when the event is opened, and occasionally after new posts.

import { useEffect, useRef, useState } from 'react';
import { isPro } from '../../api/access.ts';
import type { Envelope, HourlyRecord } from '../../api/records.ts';
import { fetchJson, ServiceError } from '../../api/request.ts';
import { useAccess } from '../../live/live-context.tsx';
import { getZoneName } from '../../words/zone.ts';

export interface Hourly {
  record: HourlyRecord | null;
  problem: string | null;
  /** The service has no breakdown for this event, so the page omits the heat map. */
  isAbsent: boolean;
}

const PUBLIC_PAUSE_MS = 600_000;
const PRO_PAUSE_MS = 20_000;

export function useHourly(account: string, eventId: number, newestPostId: string | undefined): Hourly {
  const { tier, key } = useAccess();
  const [hourly, setHourly] = useState<Hourly>({ record: null, problem: null, isAbsent: false });
  const askedAt = useRef({ ts: 0, key: '' });
  const pauseMs = isPro(tier) ? PRO_PAUSE_MS : PUBLIC_PAUSE_MS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new post triggers the next request.
  useEffect(() => {
    const identity = `${account} ${eventId} ${key}`;
    const isSame = askedAt.current.key === identity;
    const waitMs = isSame ? Math.max(0, askedAt.current.ts + pauseMs - Date.now()) : 0;
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      askedAt.current = { ts: Date.now(), key: identity };
      const next = await loadHourly(account, eventId, stopped.signal);
      if (next) setHourly((known) => (next.problem && known.record ? known : next));
    }, waitMs);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [account, eventId, key, newestPostId, pauseMs]);
  return hourly;
}

async function loadHourly(account: string, eventId: number, signal: AbortSignal): Promise<Hourly | null> {
  try {
    const query = { event_id: eventId, tz: getZoneName() };
    const answer = await fetchJson<Envelope<HourlyRecord[]>>(`/meta/${account}/hourly`, query, { signal });
    return { record: answer.data[0] ?? null, problem: null, isAbsent: false };
  } catch (error) {
    if (signal.aborted) return null;
    const isAbsent = error instanceof ServiceError && error.status === 404;
    return { record: null, problem: error instanceof Error ? error.message : String(error), isAbsent };
  }
}
