// Caches the latest prices of each event: they move every two seconds, or less often where few trade, and every
// token needs all prices of its event.

import { SECOND_MS } from '../../src/domain/units.ts';
import type { ListedEvent, MarketPrice } from './listed-event.ts';

export const PRICE_STEP_MS = 2 * SECOND_MS;
const KEPT_EVENTS = 2_048;

type PriceEvent = (event: ListedEvent, ts: number) => readonly MarketPrice[];

export function rememberLatest(
  compute: PriceEvent,
  keptEvents = KEPT_EVENTS,
  stepMsOf: (event: ListedEvent) => number | undefined = () => undefined,
): PriceEvent {
  const latest = new Map<number, { ts: number; prices: readonly MarketPrice[] }>();
  return (event, askedTs) => {
    const stepMs = stepMsOf(event) ?? PRICE_STEP_MS;
    const ts = Math.floor(askedTs / stepMs) * stepMs;
    const known = latest.get(event.eventId);
    if (known?.ts === ts) return known.prices;
    const prices = compute(event, ts);
    latest.delete(event.eventId);
    if (latest.size >= keptEvents) latest.delete(latest.keys().next().value!);
    latest.set(event.eventId, { ts, prices });
    return prices;
  };
}
