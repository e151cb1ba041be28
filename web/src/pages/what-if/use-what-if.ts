// Requests a what-if on every change. The newest request wins; the last response is shown until it arrives.

import { useEffect, useState } from 'react';
import type { WhatIfBody, WhatIfRecord } from '../../api/records.ts';
import { fetchJson, type ServiceError, toServiceError } from '../../api/request.ts';
import { useRetry } from '../../api/use-retry.ts';

/** Minimum interval between requests while dragging a slider. */
const SETTLE_MS = 30;

export interface Imagined {
  answer: WhatIfRecord | null;
  error: ServiceError | null;
}

export function useWhatIf(account: string, body: WhatIfBody): Imagined {
  const [imagined, setImagined] = useState<Imagined>({ answer: null, error: null });
  const [attempt, setAttempt] = useState(0);
  const text = JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request.
  useEffect(() => {
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
        signal: stopped.signal,
      };
      try {
        const { data } = await fetchJson<{ data: WhatIfRecord }>(`/what-if/${account}`, {}, init);
        if (!stopped.signal.aborted) setImagined({ answer: data, error: null });
      } catch (error) {
        if (stopped.signal.aborted) return;
        setImagined((known) => ({ ...known, error: toServiceError(error) }));
      }
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [account, text, attempt]);
  useRetry(imagined.error, () => setAttempt((count) => count + 1));
  return imagined;
}
