// An account's advice by event and bucket, from /signals.

import type { Envelope, EventSignalsRecord } from '../api/records.ts';
import type { ServiceError } from '../api/request.ts';
import { useFetched } from './use-fetched.ts';

/** Shared by every list of advice, so that lists on a page agree. */
export const ADVICE_REFRESH_MS = 5_000;

export type BucketAdvice = EventSignalsRecord['signals'][number] & Pick<EventSignalsRecord, 'market_url'>;

/** Advice by bucket. */
export function useAdvice(account: string, eventId: number, isPro: boolean) {
  const { record, error } = useEventSignals(account, eventId, isPro);
  const advice: ReadonlyMap<string, BucketAdvice> | null =
    record &&
    new Map(record.signals.map((signal) => [signal.bucket, { ...signal, market_url: record.market_url }]));
  return { advice, error };
}

interface EventSignals {
  /** null until loaded, without a PRO key, and after an error: old advice is none. */
  record: EventSignalsRecord | null;
  error: ServiceError | null;
}

export function useEventSignals(account: string, eventId: number, isPro: boolean): EventSignals {
  const { data, error } = useFetched<Envelope<EventSignalsRecord[]>>({
    path: isPro ? `/signals/${account}` : null,
    everyMs: ADVICE_REFRESH_MS,
  });
  const record = error ? undefined : data?.data.find(({ event_id }) => event_id === eventId);
  return { record: record ?? null, error };
}
