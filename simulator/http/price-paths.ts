// An event's past prices: the mids of all its buckets at any time since it was listed. The crowd's estimate is
// what costs time, and every bucket of an event needs the same ones, so they are kept per event.

import type { ListedEvent, MarketPrice } from '../market/listed-event.ts';
import { roundTo } from '../market/quotes.ts';
import type { SimulatorState } from '../simulator-state.ts';

/** Mid of each bucket's Yes share; null once its market has closed. */
export type PriceRow = readonly (number | null)[];

/** Enough for the events that clients read at the same time; a week of minutes has 10,080 rows. */
const EVENTS_KEPT = 24;
const ROWS_KEPT = 12_000;

const paths = new WeakMap<SimulatorState, Map<number, Map<number, PriceRow>>>();

export function readPriceRow(state: SimulatorState, event: ListedEvent, ts: number): PriceRow {
  const rows = rowsOf(state, event);
  const known = rows.get(ts);
  if (known) return known;
  const row = state.bookOf(event).prices(event, ts).map(toMid);
  if (rows.size < ROWS_KEPT) rows.set(ts, row);
  return row;
}

function rowsOf(state: SimulatorState, { eventId }: ListedEvent): Map<number, PriceRow> {
  const events = paths.get(state) ?? new Map<number, Map<number, PriceRow>>();
  paths.set(state, events);
  const rows = events.get(eventId) ?? new Map<number, PriceRow>();
  events.delete(eventId);
  if (events.size >= EVENTS_KEPT) events.delete(events.keys().next().value!);
  events.set(eventId, rows);
  return rows;
}

function toMid({ bid, ask, mid, closedTs }: MarketPrice): number | null {
  if (closedTs !== null) return null;
  return roundTo(bid !== null && ask !== null ? (bid + ask) / 2 : mid);
}

/** The part of an event's life of which prices can be computed. */
export function pastSpan(
  state: SimulatorState,
  event: ListedEvent,
  nowTs: number,
): { fromTs: number; toTs: number } {
  const settledTs = state.bookOf(event).settledTs(event, nowTs) ?? nowTs;
  return {
    fromTs: Math.max(event.listedTs, state.options.anchorTs),
    toTs: Math.min(settledTs, nowTs),
  };
}
