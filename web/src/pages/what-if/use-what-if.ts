// Asks what if, each time an assumption changes: the newest question wins, and the last answer stays until then.

import { useEffect, useState } from 'react';
import type { WhatIfBody, WhatIfRecord } from '../../api/records.ts';
import { fetchJson, ServiceError } from '../../api/request.ts';

/** A hand that drags a slider asks this often at most. */
const SETTLE_MS = 30;

export interface Imagined {
  answer: WhatIfRecord | null;
  error: ServiceError | null;
}

export function useWhatIf(account: string, body: WhatIfBody): Imagined {
  const [imagined, setImagined] = useState<Imagined>({ answer: null, error: null });
  const text = JSON.stringify(body);
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
        const failure = error instanceof ServiceError ? error : new ServiceError(0, String(error), [], null);
        setImagined((known) => ({ ...known, error: failure }));
      }
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [account, text]);
  return imagined;
}
