// Decision inputs: positions, open orders, orders in an unknown state, and money spent.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import {
  type BookEntry,
  type BookedFill,
  type Books,
  heldMicro,
  provisionalRanges,
  startMicro,
} from '../books/books.ts';
import type { Exposure } from '../decide/caps.ts';
import type { OpenOrder, Situation } from '../decide/decide.ts';
import type { Intent, Journal } from '../journal/journal.ts';
import type { AdviceItem, VenueBook, VenueOrder } from '../types.ts';
import { listDoubtful } from './resolve-intents.ts';

const DAY_MS = 86_400_000;

export interface SituationParts {
  items: readonly AdviceItem[];
  journal: Journal;
  /** Books with unsettled sales treated as failed. */
  books: Books;
  quotes: ReadonlyMap<string, VenueBook>;
  listed: readonly VenueOrder[];
  /** Tokens on which the exchange recently rejected an order. */
  refused: ReadonlySet<string>;
  nowTs: number;
}

export function describeSituation({ journal, books, listed, ...parts }: SituationParts): Situation {
  const fills = journal.fills();
  const settling = provisionalRanges(fills).shares;
  const open = listed.map((order) => toOpenOrder(order, journal.findIntent(order.orderId)));
  const doubtful = listDoubtful(journal, listed);
  const intents = journal.intents();
  return {
    items: parts.items,
    books: parts.quotes,
    open,
    heldMicro: (tokenId) => heldMicro(books, tokenId),
    sellableMicro: (tokenId) =>
      (books.positions.get(tokenId)?.confirmedMicro ?? 0) + (settling.get(tokenId)?.lowMicro ?? 0),
    exposures: listExposures(intents, open, doubtful, books.positions.values()),
    spentTodayUsd:
      (boughtTodayMicro(fills, parts.nowTs) + reservedMicro(open) + doubtfulMicro(doubtful)) / MICRO,
    cashMicro: books.cashMicro - reservedMicro(open) - doubtfulMicro(doubtful),
    unresolved: new Set(doubtful.map(({ tokenId }) => tokenId)),
    refused: parts.refused,
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

function boughtTodayMicro(fills: readonly BookedFill[], nowTs: number): number {
  const dayTs = Math.floor(nowTs / DAY_MS) * DAY_MS;
  return fills
    .filter((fill) => fill.ts >= dayTs && fill.action === 'BUY' && fill.status !== 'failed')
    .reduce((sum, fill) => sum + usdMicroFor(fill.sizeMicro, fill.pricePips), 0);
}

function toOpenOrder(order: VenueOrder, intent: Intent | null): OpenOrder {
  return {
    orderId: order.orderId,
    tokenId: order.tokenId,
    action: order.action,
    pricePips: order.pricePips,
    openMicro: order.sizeMicro - order.matchedMicro,
    eventId: intent?.eventId ?? 0,
    account: intent?.account ?? '',
  };
}

// Profit: current value minus starting capital.

/** Values positions at the best bid, at zero if lost or without a bid, and at cost if the book is unknown. */
export function computeProfitUsd(
  books: Books,
  entries: readonly BookEntry[],
  quotes: ReadonlyMap<string, VenueBook>,
  isLost: (tokenId: string) => boolean,
): number {
  let valueMicro = books.cashMicro;
  for (const { tokenId, costMicro } of books.positions.values()) {
    const book = quotes.get(tokenId);
    const bidPips = isLost(tokenId) ? 0 : book && (book.bids[0]?.pricePips ?? 0);
    valueMicro += bidPips === undefined ? costMicro : usdMicroFor(heldMicro(books, tokenId), bidPips);
  }
  return (valueMicro - startMicro(entries)) / MICRO;
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

// Dollars at risk: paid for holdings, reserved by open orders, and possibly spent by orders in an unknown
// state.

function reservedMicro(open: readonly OpenOrder[]): number {
  return open
    .filter(({ action }) => action === 'BUY')
    .reduce((sum, { openMicro, pricePips }) => sum + usdMicroFor(openMicro, pricePips), 0);
}

/** An order in an unknown state counts as open. */
function doubtfulMicro(doubtful: readonly Intent[]): number {
  return doubtful
    .filter(({ action }) => action === 'BUY')
    .reduce((sum, { sizeMicro, pricePips }) => sum + usdMicroFor(sizeMicro, pricePips), 0);
}

function listExposures(
  intents: readonly Intent[],
  open: readonly OpenOrder[],
  doubtful: readonly Intent[],
  positions: Iterable<{ tokenId: string; costMicro: number }>,
): Exposure[] {
  const byToken = new Map(intents.map((intent) => [intent.tokenId, intent]));
  const held = [...positions].map(({ tokenId, costMicro }) => ({
    of: byToken.get(tokenId),
    micro: costMicro,
  }));
  const ordered = open
    .filter(({ action }) => action === 'BUY')
    .map((order) => ({ of: order, micro: usdMicroFor(order.openMicro, order.pricePips) }));
  const unsure = doubtful
    .filter(({ action }) => action === 'BUY')
    .map((intent) => ({ of: intent, micro: usdMicroFor(intent.sizeMicro, intent.pricePips) }));
  return [...held, ...ordered, ...unsure].map(({ of, micro }) => ({
    eventId: of?.eventId ?? 0,
    account: of?.account ?? '',
    usd: micro / MICRO,
  }));
}
