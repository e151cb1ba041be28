// Decision inputs: positions, open orders, orders in an unknown state, and money spent.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import { type BookedFill, type Books, heldMicro, provisionalRanges } from '../books/books.ts';
import type { OpenOrder, Situation } from '../decide/decide.ts';
import type { Intent, Journal } from '../journal/journal.ts';
import type { AdviceItem, VenueBook, VenueOrder } from '../types.ts';
import { doubtfulMicro, listExposures, reservedMicro } from './exposures.ts';
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
