// An account's advice by event and bucket, from /signals.

import type { Envelope, EventSignalsRecord } from '../api/records.ts';
import { useFetched } from './use-fetched.ts';

/** Shared by every list of advice, so that lists on a page agree. */
export const ADVICE_REFRESH_MS = 5_000;

export type BucketAdvice = EventSignalsRecord['signals'][number] & Pick<EventSignalsRecord, 'market_url'>;

/** null like useEventSignals. */
export function useAdvice(
  account: string,
  eventId: number,
  isPro: boolean,
): ReadonlyMap<string, BucketAdvice> | null {
  const record = useEventSignals(account, eventId, isPro);
  if (!record) return null;
  const { signals, market_url } = record;
  return new Map(signals.map((signal) => [signal.bucket, { ...signal, market_url }]));
}

/** null until loaded, while it cannot be loaded (old advice is none), and without a PRO key. */
export function useEventSignals(account: string, eventId: number, isPro: boolean): EventSignalsRecord | null {
  const { data, error } = useFetched<Envelope<EventSignalsRecord[]>>({
    path: isPro ? `/signals/${account}` : null,
    everyMs: ADVICE_REFRESH_MS,
  });
  if (error) return null;
  return data?.data.find(({ event_id }) => event_id === eventId) ?? null;
}
