// An order counts against the caps from before it is sent until it can no longer trade and its trades are in our
// books: its expiry has passed, its fills have used it up, or we asked for its cancellation and got it acknowledged.
// What the exchange says about an order without being asked never frees money.

import { usdMicroFor } from '../../domain/units.ts';
import type { BookedFill } from '../books/books.ts';
import type { Intent, Journal } from '../journal/journal.ts';
import { Contradiction, type Venue, type VenueOrder } from '../types.ts';

/** The exchange's time is in whole seconds, and expired orders are removed a moment later. */
const EXPIRY_GRACE_MS = 5_000;

/** The exchange drops what is left of an order below this. */
const DUST_MICRO = 10_000;

export interface Reservation extends Intent {
  /** Shares that may still be bought or sold. */
  leftMicro: number;
  /** Dollars that may still be spent; 0 for a sale. */
  reservedMicro: number;
}

export function listReserved(journal: Journal): Reservation[] {
  const orders = journal.unreleased();
  if (orders.length === 0) return [];
  const fills = Map.groupBy(
    journal.fills().filter(({ status }) => status !== 'failed'),
    ({ orderId }) => orderId,
  );
  return orders.map((intent) => ({ ...intent, ...claimOf(intent, fills.get(intent.orderId) ?? []) }));
}

/** What the order may still trade after these fills. */
function claimOf(
  intent: Intent,
  fills: readonly BookedFill[],
): Pick<Reservation, 'leftMicro' | 'reservedMicro'> {
  const sum = (measure: (fill: BookedFill) => number) =>
    fills.reduce((total, fill) => total + measure(fill), 0);
  const isBuy = intent.action === 'BUY';
  const paidMicro = sum(({ sizeMicro, pricePips }) => usdMicroFor(sizeMicro, pricePips));
  const unspentMicro = isBuy ? Math.max(0, usdMicroFor(intent.sizeMicro, intent.pricePips) - paidMicro) : 0;
  const feesMicro = sum(({ feeUsdMicro }) => feeUsdMicro);
  const feeLeftMicro = isBuy ? Math.max(0, (intent.maxFeeMicro ?? 0) - feesMicro) : 0;
  // A purchase by dollars spends what is left of them, also after it got some shares below its limit.
  const leftMicro =
    isBuy && intent.maxFeeMicro === null
      ? Math.floor((unspentMicro * 10_000) / intent.pricePips)
      : Math.max(0, intent.sizeMicro - sum(({ sizeMicro }) => sizeMicro));
  return { leftMicro, reservedMicro: unspentMicro + feeLeftMicro };
}

/** Call before reading the open orders: an order found here is in that list or has ended since. */
export async function findSent(venue: Venue, journal: Journal, nowTs: number): Promise<void> {
  for (const intent of journal.unreleased())
    if ((intent.state === 'planned' || intent.state === 'unknown') && (await findOwn(venue, journal, intent)))
      journal.setIntent(intent.orderId, 'open', 'found on the exchange', nowTs);
}

/** Ignores an answer that cannot be about this order. */
async function findOwn(venue: Venue, journal: Journal, { orderId }: Intent): Promise<VenueOrder | null> {
  const order = await venue.findOrder(orderId);
  if (order === null) return null;
  if (order.orderId !== orderId)
    throw new Contradiction(`the exchange answered about order ${order.orderId} when asked about ${orderId}`);
  const contradiction = findContradiction(journal, [order]);
  if (contradiction !== null) throw new Contradiction(contradiction);
  journal.raiseMatched(orderId, order.matchedMicro);
  return order;
}

/** An order counted as ended, or never seen, that is on the book after all counts again. */
export function reopen(journal: Journal, listed: readonly VenueOrder[], nowTs: number): void {
  for (const { orderId } of listed) {
    const intent = journal.findIntent(orderId);
    if (intent && (intent.isReleased || !['open', 'cancelled'].includes(intent.state)))
      journal.setIntent(orderId, 'open', 'found among the open orders', nowTs);
  }
}

/** The exchange's time and ours; an order has expired once both say so. */
export interface Clocks {
  exchangeTs: number;
  nowTs: number;
}

/** Orders that have ended with their trades booked. Call after reading the fills. */
export async function listEnded(
  venue: Venue,
  journal: Journal,
  listed: readonly VenueOrder[],
  clocks: Clocks,
): Promise<string[]> {
  const open = new Set(listed.map(({ orderId }) => orderId));
  const ended: string[] = [];
  for (const intent of journal.unreleased())
    if (!open.has(intent.orderId) && (await hasEnded(venue, journal, intent, clocks)))
      ended.push(intent.orderId);
  return ended;
}

async function hasEnded(venue: Venue, journal: Journal, intent: Intent, { exchangeTs, nowTs }: Clocks) {
  const fills = journal.fills().filter(({ orderId }) => orderId === intent.orderId);
  const standing = fills.filter(({ status }) => status !== 'failed');
  // Its dollars count as bought. A purchase below its limit may still spend the others.
  if (claimOf(intent, standing).leftMicro <= DUST_MICRO) return true;
  const isExpired = Math.min(exchangeTs, nowTs) >= intent.expiresTs + EXPIRY_GRACE_MS;
  if (!isExpired && intent.state !== 'cancelled') return false;
  const order = await findOwn(venue, journal, intent);
  if (order?.isLive) return false;
  // A trade that failed on the chain has used up its part of the order, too.
  const bookedMicro = fills.reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  return bookedMicro >= Math.min(journal.findIntent(intent.orderId)!.matchedMicro, intent.sizeMicro);
}

export function releaseEnded(journal: Journal, ended: readonly string[], nowTs: number): void {
  const filled = new Set(journal.fills().map(({ orderId }) => orderId));
  for (const orderId of ended) {
    const { state } = journal.findIntent(orderId)!;
    if (state === 'refused') journal.release(orderId, state, journal.findIntent(orderId)!.reason, nowTs);
    else if ((state === 'planned' || state === 'unknown') && !filled.has(orderId))
      journal.release(orderId, 'void', 'expired without reaching the exchange', nowTs);
    else journal.release(orderId, 'closed', 'no longer open', nowTs);
  }
}

/** What the exchange says about an order that cannot be true; null if nothing. */
export function findContradiction(journal: Journal, listed: readonly VenueOrder[]): string | null {
  for (const order of listed) {
    const intent = journal.findIntent(order.orderId);
    if (!intent) continue;
    const isSame = (['tokenId', 'action', 'pricePips', 'sizeMicro'] as const).every(
      (key) => order[key] === intent[key],
    );
    if (!isSame) return `the exchange shows order ${order.orderId} with other terms than were signed`;
    if (order.matchedMicro > order.sizeMicro)
      return `the exchange shows order ${order.orderId} filled beyond its size`;
    if (intent.isReleased) return `the exchange lists order ${order.orderId}, which had ended`;
  }
  return null;
}
