// Tracks which bucket of each event paid, rereading until the platform's record is final.

import { errorMessage } from '../../runtime/errors.ts';
import type { HttpTransport } from '../http-transport.ts';
import { isStopped } from '../retry.ts';
import { findWinningLabel } from './parse.ts';
import { fetchPayouts, type Payouts } from './resolutions.ts';
import type { ListedEventWire } from './wire.ts';

export interface WinnerBook {
  /** Reads results that are not final yet. Returns why some remain unknown; null if all records were read. */
  read(events: readonly ListedEventWire[], signal: AbortSignal): Promise<string | null>;
  find(event: ListedEventWire): string | null;
}

const NOTHING: Payouts = new Map();

export function createWinnerBook(data: HttpTransport): WinnerBook {
  const winners = new Map<number, string>();

  function note(events: readonly ListedEventWire[], payouts: Payouts): void {
    for (const event of events) {
      const label = findWinningLabel(event, payouts);
      if (label !== null) winners.set(event.id, label);
    }
  }

  return {
    async read(events, signal) {
      note(events, NOTHING);
      const open = events.filter(({ id }) => !winners.has(id));
      if (open.length === 0) return null;
      try {
        const ids = open.map(({ id }) => id);
        note(open, await fetchPayouts(data, ids, signal));
        return null;
      } catch (error) {
        if (isStopped(signal)) throw error;
        return `resolutions of ${open.length} event(s) cannot be read: ${errorMessage(error)}`;
      }
    },
    find: ({ id }) => winners.get(id) ?? null,
  };
}
