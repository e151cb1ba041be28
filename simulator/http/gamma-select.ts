// Selects the events of a listing query: which ones, in which order, from which cursor.

import type { ListedEvent } from '../market/listed-event.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure } from './answer.ts';

export const MAX_PAGE = 100;

export function allEvents(state: SimulatorState, nowTs: number): ListedEvent[] {
  return [...state.countEvents.list(nowTs), ...state.cryptoEvents.list(nowTs)];
}

export function selectEvents(state: SimulatorState, query: URLSearchParams, nowTs: number): ListedEvent[] {
  const found = allEvents(state, nowTs).filter((event) => isWanted(state, event, query, nowTs));
  return sortEvents(found, query);
}

/** Index of the first event after the cursor; null for an invalid cursor. */
export function findAfter(events: readonly ListedEvent[], cursor: string | null): number | null {
  if (cursor === null) return 0;
  const eventId = /^event:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  const index = events.findIndex((event) => String(event.eventId) === eventId);
  return index < 0 ? null : index + 1;
}

export function writeCursor(last: ListedEvent): string {
  return Buffer.from(`event:${last.eventId}`).toString('base64url');
}

export function refused(error: string): Answer {
  return failure(422, { type: 'validation error', error });
}

function isWanted(state: SimulatorState, event: ListedEvent, query: URLSearchParams, nowTs: number): boolean {
  const among = (name: string, values: readonly string[]) =>
    !query.has(name) || values.includes(query.get(name)!);
  const flagIs = (name: string, value: () => boolean) =>
    !query.has(name) || (query.get(name) === 'true') === value();
  const within = (name: string, ts: number) =>
    (!query.has(`${name}_min`) || ts >= Date.parse(query.get(`${name}_min`)!)) &&
    (!query.has(`${name}_max`) || ts <= Date.parse(query.get(`${name}_max`)!));
  return (
    among('id', [String(event.eventId)]) &&
    among('series_id', [event.series.id]) &&
    among(
      'tag_id',
      event.tags.map((tag) => tag.id),
    ) &&
    within('end_date', event.endTs) &&
    flagIs('archived', () => event.isArchived) &&
    flagIs('closed', () => state.bookOf(event).settledTs(event, nowTs) !== null)
  );
}

/** Newest listing first by default. */
function sortEvents(events: ListedEvent[], query: URLSearchParams): ListedEvent[] {
  const keyOf: Record<string, (event: ListedEvent) => number> = {
    id: (event) => event.eventId,
    startDate: (event) => event.listedTs,
    endDate: (event) => event.endTs,
  };
  const key = keyOf[query.get('order') ?? 'startDate'] ?? keyOf.startDate!;
  const sign = query.get('ascending') === 'true' ? 1 : -1;
  return events.sort((left, right) => sign * (key(left) - key(right)) || left.eventId - right.eventId);
}
