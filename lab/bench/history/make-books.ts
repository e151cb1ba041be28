// Order books for two accounts with four open events each, as busy as the simulator's: prices move by ticks;
// sizes and depths are random at every change, which compresses worse than real books.

import { type BookChange, type BookPiece, SLOT_MS } from '../../../src/domain/book.ts';
import { HOUR_MS } from '../../../src/domain/units.ts';
import type { Random } from '../../../src/runtime/random.ts';
import type { Store } from '../../../src/store/ports.ts';

const EVENTS = 8;
const BUCKETS = 12;
/** Changes per bucket, both sides combined. */
const CHANGES_AN_HOUR = 68;
const TICK = 0.01;

/** Records and compacts whole hours of every event, as the service does. */
export async function makeBooks(store: Store, fromTs: number, hours: number, random: Random): Promise<void> {
  const places = Array.from({ length: EVENTS * BUCKETS }, () => Math.ceil(random.uniform() * 60));
  for (let hour = 0; hour < hours; hour++) {
    const hourTs = fromTs + hour * HOUR_MS;
    for (let eventId = 1; eventId <= EVENTS; eventId++) {
      const piece = drawHour(eventId, hourTs, places, random);
      await store.books.record([piece], hourTs + HOUR_MS);
      await store.books.compact(eventId, hourTs);
    }
  }
}

/** `places`: each bucket's price in ticks, updated in place. */
export function drawHour(eventId: number, hourTs: number, places: number[], random: Random): BookPiece {
  const changes: BookChange[] = [];
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    for (let i = 0; i < CHANGES_AN_HOUR / 2; i++) {
      const place = (eventId - 1) * BUCKETS + bucket;
      places[place] = Math.min(97, Math.max(1, places[place]! + Math.round(random.uniform() * 2 - 1)));
      changes.push(
        ...drawChange(bucket, hourTs + Math.floor(random.uniform() * HOUR_MS), places[place], random),
      );
    }
  }
  changes.sort((left, right) => left.observedTs - right.observedTs);
  const slots = Array.from({ length: HOUR_MS / SLOT_MS }, (_, i) => hourTs / SLOT_MS + i);
  return { eventId, hourTs, changes, slots };
}

/** A change of the Yes book and its mirror image in the No book. */
function drawChange(bucket: number, observedTs: number, ticks: number, random: Random): BookChange[] {
  const draw = () => Math.round(random.uniform() * 200_000) / 100;
  const near = { bidShares: draw(), askShares: draw(), bidDepth: draw() + 2_000, askDepth: draw() + 2_000 };
  const toPrice = (count: number) => Math.round(count * TICK * 100) / 100;
  const label = `${bucket * 20}-${bucket * 20 + 19}`;
  const times = { bucket: label, observedTs };
  const bid = toPrice(ticks);
  const ask = toPrice(ticks + 1);
  const mirrored = {
    ...{ bidShares: near.askShares, askShares: near.bidShares },
    ...{ bidDepth: near.askDepth, askDepth: near.bidDepth },
  };
  return [
    { ...times, side: 'yes', bid, ask, ...near, lastTradePrice: bid },
    {
      ...times,
      side: 'no',
      bid: toPrice(99 - ticks),
      ask: toPrice(100 - ticks),
      ...mirrored,
      lastTradePrice: ask,
    },
  ];
}
