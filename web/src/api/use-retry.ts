// Retries temporary failures after the service's Retry-After, and immediately when back online.

import { useEffect } from 'react';
import type { ServiceError } from './request.ts';

const RETRY_MS = 10_000;

/** Outages and exhausted allowances are temporary. */
export function canPass({ status }: ServiceError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export function useRetry(error: ServiceError | null, again: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure has its own wait.
  useEffect(() => {
    if (!error || !canPass(error)) return;
    const waitMs = error.retryAfterS ? error.retryAfterS * 1000 : RETRY_MS;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, waitMs);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [error]);
}
