// Manual orders alongside advice: same caps, books and halts, but only on buckets that the strategy does not
// trade.

import { type Books, heldMicro } from '../books/books.ts';
import type { Plan } from '../decide/decide.ts';
import type { Halt } from '../decide/halts.ts';
import type { HandOrders, WaitingHandOrder } from '../journal/hand-orders.ts';
import type { Intent, Journal } from '../journal/journal.ts';
import { type AdviceItem, BY_HAND } from '../types.ts';
import type { Reservation } from './reservations.ts';

export interface HandParts {
  /** Requests that were waiting before the books were read. */
  requests: readonly WaitingHandOrder[];
  journal: Journal;
  books: Books;
  /** Orders that count against the caps. */
  reserved: readonly Reservation[];
  nowTs: number;
}

/** Adds requested and open manual orders to the advice, and blocks advice on their buckets. */
export function joinHandItems(advised: readonly AdviceItem[], parts: HandParts): AdviceItem[] {
  const waiting = parts.requests.map((order) => toItem(order, parts));
  const requested = waiting.filter(({ blockedBy }) => blockedBy === null);
  const kept = parts.reserved.flatMap((order) => keepOpen(order, parts.books));
  const byHand = new Set([...requested, ...kept, ...listBought(parts.journal)].map(({ tokenId }) => tokenId));
  return [
    ...kept,
    ...advised.map((item) => (byHand.has(item.tokenId) ? { ...item, blockedBy: 'bought by hand' } : item)),
    ...waiting,
  ];
}

/** Refuses requests that will not be placed, and records why. */
export function refuseUnplaced(
  handOrders: HandOrders | undefined,
  requests: HandParts['requests'],
  plan: Plan,
  halts: readonly Halt[],
): void {
  for (const { id } of requests) {
    if (plan.placements.some(({ item }) => item.handOrderId === id)) continue;
    const skipped = plan.skipped.find(({ item }) => item.handOrderId === id)?.reason;
    const halted = halts.map(({ reason }) => reason).join('; ');
    const detail = halted || skipped || 'it is below the minimum order, or all positions are being sold';
    handOrders?.answer(id, { state: 'refused', detail });
  }
}

/** An item for exactly the open size, so that the order is kept. */
function keepOpen(order: Reservation, books: Books): AdviceItem[] {
  if (order.edgeKind !== BY_HAND) return [];
  return [
    {
      ...order,
      outcome: order.outcome === 'No' ? 'No' : 'Yes',
      limitPips: order.pricePips,
      targetMicro: heldMicro(books, order.tokenId) + order.leftMicro,
      depthMicro: null,
      secondsLeft: Number.POSITIVE_INFINITY,
      blockedBy: null,
    },
  ];
}

function toItem({ id, sizeMicro, endTs, ...request }: WaitingHandOrder, parts: HandParts): AdviceItem {
  return {
    ...request,
    handOrderId: id,
    action: 'BUY',
    targetMicro: heldMicro(parts.books, request.tokenId) + sizeMicro,
    depthMicro: null,
    gainPerUsd: (request.probability * 10_000) / request.limitPips - 1,
    secondsLeft: Math.floor((endTs - parts.nowTs) / 1000),
    edgeKind: BY_HAND,
    blockedBy: findConflict(request.tokenId, parts),
  };
}

/** A bucket is traded either manually or by the strategy, so that their results stay separate. */
function findConflict(tokenId: string, parts: HandParts): string | null {
  if (parts.reserved.some((order) => order.tokenId === tokenId))
    return 'an order on this bucket is already open';
  const isTraded = parts.journal.fills().some((fill) => fill.tokenId === tokenId);
  const isByHand = listBought(parts.journal).some((intent) => intent.tokenId === tokenId);
  return isTraded && !isByHand ? 'the strategy has traded this bucket' : null;
}

function listBought(journal: Journal): Intent[] {
  const byHand = journal.intents().filter(({ edgeKind }) => edgeKind === BY_HAND);
  if (byHand.length === 0) return [];
  const filled = new Set(journal.fills().map(({ orderId }) => orderId));
  return byHand.filter(({ orderId }) => filled.has(orderId));
}
