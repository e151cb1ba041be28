// Resolves sent orders: looks up each order that may be on the book, and closes an order that has left it
// only once its fills are in our books.

import type { Intent, Journal } from '../journal/journal.ts';
import type { Venue, VenueOrder } from '../types.ts';

/** An order still not found this long after sending never arrived. */
export const ARRIVES_WITHIN_MS = 5_000;

/** Call before reading the open orders: an order found here is in that list or has ended since. */
export async function resolveIntents(venue: Venue, journal: Journal, nowTs: number): Promise<void> {
  for (const { orderId, updatedTs } of journal.intents(['planned', 'unknown'])) {
    if (await venue.findOrder(orderId)) journal.setIntent(orderId, 'open', 'found on the exchange', nowTs);
    else if (nowTs - updatedTs >= ARRIVES_WITHIN_MS)
      journal.setIntent(orderId, 'void', 'never reached the exchange', nowTs);
  }
}

/** Call after reading the fills, with the open orders that were read before them. */
export async function closeIntents(
  venue: Venue,
  journal: Journal,
  open: readonly VenueOrder[],
  nowTs: number,
): Promise<void> {
  for (const { orderId } of open) reopen(journal, orderId, nowTs);
  for (const intent of listUnlisted(journal, open))
    if (await hasEnded(venue, journal, intent, nowTs))
      journal.setIntent(intent.orderId, 'closed', 'no longer open', nowTs);
}

/** Orders that may be on the book but are not listed; they count as open. */
export function listDoubtful(journal: Journal, open: readonly VenueOrder[]): Intent[] {
  return [...journal.intents(['planned', 'unknown']), ...listUnlisted(journal, open)];
}

/** Handles an order that was given up as lost but arrived after all. */
function reopen(journal: Journal, orderId: string, nowTs: number): void {
  const intent = journal.findIntent(orderId);
  if (intent && intent.state !== 'open')
    journal.setIntent(orderId, 'open', 'found among the open orders', nowTs);
}

function listUnlisted(journal: Journal, open: readonly VenueOrder[]): Intent[] {
  const listed = new Set(open.map(({ orderId }) => orderId));
  return journal.intents(['open']).filter(({ orderId }) => !listed.has(orderId));
}

/** True only once the order's fills are booked; otherwise its shares would be bought a second time. */
async function hasEnded(venue: Venue, journal: Journal, intent: Intent, nowTs: number): Promise<boolean> {
  const order = await venue.findOrder(intent.orderId);
  if (order === null) return nowTs - intent.updatedTs >= ARRIVES_WITHIN_MS;
  const bookedMicro = journal
    .fills()
    .filter(({ orderId }) => orderId === intent.orderId)
    .reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  return !order.isLive && bookedMicro >= order.matchedMicro;
}
