// Records every order-book change for the archive, in batches. A killed process loses unwritten changes; the
// price history still has the best prices for those seconds.

import { type BookChange, type BookPiece, hourOf, SLOT_MS, slotOf } from '../../domain/book.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { SeenQuote } from '../../sources/source.ts';
import type { Store } from '../../store/ports.ts';
import type { Service } from '../service.ts';
import type { AccountRecorder } from './account-recorder.ts';

export interface BookRecorder extends Service {
  note(quote: SeenQuote): void;
  /** Confirms that the prices of these tokens are current. */
  confirm(tokenIds: readonly string[]): void;
}

export interface BookRecorderOptions {
  recorders: readonly Pick<AccountRecorder, 'snapshot'>[];
  books: Pick<Store['books'], 'record'>;
  clock: Clock;
  logger: Logger;
  timeScale: number;
}

/** About a day for two accounts; if the store rejects writes for longer, the oldest changes are dropped. */
const MAX_WAITING = 200_000;

interface Place {
  eventId: number;
  bucket: string;
  side: 'yes' | 'no';
}

export function createBookRecorder(options: BookRecorderOptions): BookRecorder {
  const { books, clock, logger } = options;
  const last = new Map<string, SeenQuote>();
  let waiting: SeenQuote[] = [];
  let confirmed: { tokenIds: readonly string[]; ts: number }[] = [];

  async function flush(): Promise<void> {
    if (waiting.length === 0 && confirmed.length === 0) return;
    const [quotes, confirmations] = [waiting, confirmed];
    [waiting, confirmed] = [[], []];
    const places = mapTokens(options.recorders);
    try {
      await books.record(toPieces(places, quotes, confirmations), clock.now());
      for (const tokenId of last.keys()) if (!places.has(tokenId)) last.delete(tokenId);
    } catch (error) {
      waiting = [...quotes, ...waiting].slice(-MAX_WAITING);
      confirmed = [...confirmations, ...confirmed].slice(-MAX_WAITING);
      throw error;
    }
  }

  const flushing = createRepeat({
    clock,
    firstPauseMs: SLOT_MS * options.timeScale,
    pauseMs: SLOT_MS * options.timeScale,
    run: flush,
    onError: (error) => logger.warn({ error: errorMessage(error) }, 'order books not archived; retrying'),
  });

  return {
    note(quote) {
      const before = last.get(quote.tokenId);
      if (before && isSameBook(before, quote)) return;
      last.set(quote.tokenId, quote);
      waiting.push(quote);
    },
    confirm(tokenIds) {
      const ts = clock.now();
      const before = confirmed.at(-1);
      if (before && slotOf(before.ts) === slotOf(ts)) return;
      confirmed.push({ tokenIds, ts });
    },
    start: () => void flushing.start(),
    async stop() {
      await flushing.stop();
      await flush().catch((error: unknown) =>
        logger.warn({ error: errorMessage(error) }, 'final order books not archived'),
      );
    },
  };
}

function mapTokens(recorders: BookRecorderOptions['recorders']): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { event } of recorders.flatMap((recorder) => recorder.snapshot().events)) {
    for (const { label, yesTokenId, noTokenId } of event.buckets) {
      places.set(yesTokenId, { eventId: event.eventId, bucket: label, side: 'yes' });
      places.set(noTokenId, { eventId: event.eventId, bucket: label, side: 'no' });
    }
  }
  return places;
}

/** One piece per event and hour. */
function toPieces(
  places: ReadonlyMap<string, Place>,
  quotes: readonly SeenQuote[],
  confirmations: readonly { tokenIds: readonly string[]; ts: number }[],
): BookPiece[] {
  const pieces = new Map<
    string,
    { eventId: number; hourTs: number; changes: BookChange[]; slots: number[] }
  >();
  const pieceOf = (eventId: number, ts: number) => {
    const key = `${eventId} ${hourOf(ts)}`;
    if (!pieces.has(key)) pieces.set(key, { eventId, hourTs: hourOf(ts), changes: [], slots: [] });
    return pieces.get(key)!;
  };
  for (const quote of quotes) {
    const place = places.get(quote.tokenId);
    if (place) pieceOf(place.eventId, quote.observedTs).changes.push(toChange(place, quote));
  }
  for (const { tokenIds, ts } of confirmations) {
    const eventIds = new Set(tokenIds.flatMap((tokenId) => places.get(tokenId)?.eventId ?? []));
    for (const eventId of eventIds) pieceOf(eventId, ts).slots.push(slotOf(ts));
  }
  return [...pieces.values()];
}

function toChange({ bucket, side }: Place, quote: SeenQuote): BookChange {
  const { observedTs, bid, ask, bidShares, askShares, lastTradePrice, depth } = quote;
  const near = { bidDepth: depth?.bidShares ?? null, askDepth: depth?.askShares ?? null };
  return { bucket, side, observedTs, bid, ask, bidShares, askShares, ...near, lastTradePrice };
}

function isSameBook(left: SeenQuote, right: SeenQuote): boolean {
  return (
    left.bid === right.bid &&
    left.ask === right.ask &&
    left.bidShares === right.bidShares &&
    left.askShares === right.askShares &&
    left.lastTradePrice === right.lastTradePrice &&
    left.depth?.bidShares === right.depth?.bidShares &&
    left.depth?.askShares === right.depth?.askShares
  );
}
