// Decision inputs: positions, open orders, orders in an unknown state, and money spent.

import { MICRO, usdMicroFor } from '../../domain/units.ts';
import {
  type BookEntry,
  type BookedFill,
  type Books,
  heldMicro,
  type Marks,
  positionsMicro,
  provisionalRanges,
  startMicro,
} from '../books/books.ts';
import type { Exposure } from '../decide/caps.ts';
import type { Situation } from '../decide/decide.ts';
import type { Intent, Journal } from '../journal/journal.ts';
import type { AdviceItem, VenueBook, VenueOrder } from '../types.ts';
import { listReserved, type Reservation } from './reservations.ts';

const DAY_MS = 86_400_000;

export interface SituationParts {
  items: readonly AdviceItem[];
  journal: Journal;
  /** Books with unsettled sales treated as failed. */
  books: Books;
  quotes: ReadonlyMap<string, VenueBook>;
  listed: readonly VenueOrder[];
  /** The exchange's time. */
  nowTs: number;
}

export function describeSituation({ journal, books, listed, ...parts }: SituationParts): Situation {
  const fills = journal.fills();
  const settling = provisionalRanges(fills).shares;
  const listedIds = new Set(listed.map(({ orderId }) => orderId));
  const reserved = listReserved(journal);
  const reservedMicro = reserved.reduce((sum, order) => sum + order.reservedMicro, 0);
  return {
    items: parts.items,
    books: parts.quotes,
    nowTs: parts.nowTs,
    open: reserved.filter(({ orderId }) => listedIds.has(orderId)),
    heldMicro: (tokenId) => heldMicro(books, tokenId),
    sellableMicro: (tokenId) =>
      (books.positions.get(tokenId)?.confirmedMicro ?? 0) + (settling.get(tokenId)?.lowMicro ?? 0),
    exposures: listExposures(journal.intents(), reserved, books.positions.values()),
    spentTodayUsd: (boughtTodayMicro(journal, fills, parts.nowTs) + reservedMicro) / MICRO,
    cashMicro: books.cashMicro - reservedMicro,
    unresolved: new Map(
      reserved
        .filter(({ orderId }) => !listedIds.has(orderId))
        .map(({ conditionId, state, reason }) => [
          conditionId,
          state === 'refused' ? `rejected: ${reason}` : state,
        ]),
    ),
  };
}

/** Sell items for all holdings at their current bid. */
export function listExits(
  journal: Journal,
  books: Books,
  quotes: ReadonlyMap<string, VenueBook>,
): AdviceItem[] {
  const byToken = new Map(journal.intents().map((intent) => [intent.tokenId, intent]));
  return [...books.positions.values()].flatMap(({ tokenId, confirmedMicro }) => {
    const [intent, best] = [byToken.get(tokenId), quotes.get(tokenId)?.bids[0]];
    if (!intent || !best || confirmedMicro <= 0) return [];
    return {
      ...intent,
      outcome: intent.outcome === 'No' ? 'No' : 'Yes',
      action: 'SELL',
      limitPips: best.pricePips,
      targetMicro: confirmedMicro,
      depthMicro: null,
      secondsLeft: 0,
      edgeKind: 'flatten',
      blockedBy: null,
    } satisfies AdviceItem;
  });
}

/** No fill is older than its order, even if the exchange gives an earlier time. */
function boughtTodayMicro(journal: Journal, fills: readonly BookedFill[], nowTs: number): number {
  const dayTs = Math.floor(nowTs / DAY_MS) * DAY_MS;
  const isToday = ({ ts, orderId }: BookedFill) =>
    Math.max(ts, journal.findIntent(orderId)?.createdTs ?? 0) >= dayTs;
  return fills
    .filter((fill) => fill.action === 'BUY' && fill.status !== 'failed' && isToday(fill))
    .reduce((sum, fill) => sum + usdMicroFor(fill.sizeMicro, fill.pricePips) + fill.feeUsdMicro, 0);
}

// Profit: current value minus starting capital.

/** Leaves out positions without a known book. */
export function listMarks(
  { positions }: Books,
  quotes: ReadonlyMap<string, VenueBook>,
  isLost: (tokenId: string) => boolean,
): Marks {
  return new Map(
    [...positions.keys()].flatMap((tokenId) => {
      const book = quotes.get(tokenId);
      if (isLost(tokenId)) return [[tokenId, 0] as const];
      return book ? [[tokenId, book.bids[0]?.pricePips ?? 0] as const] : [];
    }),
  );
}

export function computeProfitUsd(books: Books, entries: readonly BookEntry[], marks: Marks): number {
  return (books.cashMicro + positionsMicro(books, marks) - startMicro(entries)) / MICRO;
}

/**
 * Losses from before today do not count against the daily limit. A day starts with the first cycle in which
 * prices are known.
 */
export function readDayProfitUsd(
  journal: Journal,
  totalUsd: number,
  nowTs: number,
  isPriced: boolean,
): number {
  const key = `profit at ${Math.floor(nowTs / DAY_MS)}`;
  const noted = journal.note(key);
  if (noted !== null) return totalUsd - Number(noted);
  if (isPriced) journal.setNote(key, String(totalUsd));
  return 0;
}

/** Dollars at risk: paid for holdings, and reserved by orders that may still fill. */
function listExposures(
  intents: readonly Intent[],
  reserved: readonly Reservation[],
  positions: Iterable<{ tokenId: string; costMicro: number }>,
): Exposure[] {
  // A holding keeps the labels under which it was first bought.
  const byToken = new Map(intents.toReversed().map((intent) => [intent.tokenId, intent]));
  const held = [...positions].map(({ tokenId, costMicro }) => ({
    of: byToken.get(tokenId),
    micro: costMicro,
  }));
  const ordered = reserved.map((order) => ({ of: order, micro: order.reservedMicro }));
  return [...held, ...ordered].map(({ of, micro }) => ({
    conditionId: of?.conditionId ?? '',
    eventId: of?.eventId ?? 0,
    account: of?.account ?? '',
    usd: micro / MICRO,
  }));
}
