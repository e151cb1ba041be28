// Loads an account's events page by page.

import { useEffect, useRef, useState } from 'react';
import type { PastEventRecord } from '../../api/records.ts';
import { fetchJson, type ServiceError, toServiceError } from '../../api/request.ts';
import { useRetry } from '../../api/use-retry.ts';
import { useAccess } from '../../live/live-context.tsx';

const PAGE = 25;

interface Page {
  data: PastEventRecord[];
  next_cursor: string | null;
}

interface Listed {
  /** null until the first page is loaded. */
  events: readonly PastEventRecord[] | null;
  cursor: string | null;
  error: ServiceError | null;
}

export interface PastEventList extends Listed {
  /** Loads the next page, or the first one again if it failed. */
  loadMore: () => void;
}

const NOTHING: Listed = { events: null, cursor: null, error: null };

export function usePastEvents(account: string): PastEventList {
  const { refused } = useAccess();
  const [listed, setListed] = useState(NOTHING);
  const reading = useRef(new AbortController());

  async function load({ events, cursor }: Listed): Promise<void> {
    const { signal } = reading.current;
    const query = { limit: PAGE, cursor: cursor ?? undefined };
    try {
      const page = await fetchJson<Page>(`/history/${account}/events`, query, { signal });
      if (signal.aborted) return;
      setListed({ events: [...(events ?? []), ...page.data], cursor: page.next_cursor, error: null });
    } catch (error) {
      if (!signal.aborted) setListed((now) => ({ ...now, error: toServiceError(error) }));
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new account or key means a new list.
  useEffect(() => {
    reading.current = new AbortController();
    setListed(NOTHING);
    void load(NOTHING);
    return () => reading.current.abort();
  }, [account, refused]);
  const loadMore = () => void load(listed);
  useRetry(listed.error, loadMore);
  return { ...listed, loadMore };
}
