// Before anything is traded, and whenever something is in doubt: do our books and the exchange's say the same? What is
// unclear is looked up; what stays unclear means no trading, with the reason.

import { MICRO } from '../../domain/micro-units.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';

/** Fees are rounded in ways that differ by less than this. */
const DUST_SHARES_MICRO = MICRO / 10;
const DUST_CASH_MICRO = MICRO / 100;
/** An order that was not found for this long after it was sent never arrived. */
const ARRIVES_WITHIN_MS = 5_000;

/** Why it may not trade; null when everything agrees. */
export async function reconcile(
  venue: Venue,
  journal: Journal,
  bookkeeper: Bookkeeper,
  nowTs: number,
): Promise<string | null> {
  try {
    if (journal.entries().length === 0)
      bookkeeper.addEntry({ kind: 'start', ts: 0, cashMicro: await venue.cashMicro() });
    const doubt = await resolveIntents(venue, journal, nowTs);
    if (doubt !== null) return doubt;
    const foreign = await findForeignOrders(venue, journal);
    if (foreign !== null) return foreign;
    await bookkeeper.collect(nowTs);
    return await compareBalances(venue, bookkeeper, nowTs);
  } catch (error) {
    return `the exchange could not be read: ${errorMessage(error)}`;
  }
}

/** Every order that may or may not be on the book is looked up; one that never arrived is given up. */
export async function resolveIntents(venue: Venue, journal: Journal, nowTs: number): Promise<string | null> {
  for (const intent of journal.intents(['planned', 'unknown'])) {
    const order = await venue.findOrder(intent.orderId);
    if (order) {
      journal.setIntent(intent.orderId, order.isLive ? 'open' : 'closed', 'found on the exchange', nowTs);
    } else if (nowTs - intent.updatedTs >= ARRIVES_WITHIN_MS) {
      journal.setIntent(intent.orderId, 'void', 'never reached the exchange', nowTs);
    } else {
      return `an order sent ${Math.round((nowTs - intent.updatedTs) / 1000)} s ago is not accounted for yet`;
    }
  }
  return null;
}

/** An order that is not in the journal was placed by somebody else: this account is not ours alone. */
async function findForeignOrders(venue: Venue, journal: Journal): Promise<string | null> {
  for (const { orderId } of await venue.openOrders())
    if (!journal.findIntent(orderId)) return `order ${orderId} on the exchange is not in the journal`;
  return null;
}

async function compareBalances(venue: Venue, bookkeeper: Bookkeeper, nowTs: number): Promise<string | null> {
  const books = bookkeeper.books();
  for (const { tokenId, confirmedMicro } of books.positions.values()) {
    const delta = (await venue.sharesMicro(tokenId)) - confirmedMicro;
    if (Math.abs(delta) > DUST_SHARES_MICRO)
      return `token ${tokenId}: the exchange shows ${delta / MICRO} shares more than the books`;
    if (delta !== 0) bookkeeper.addEntry({ kind: 'adjustment', ts: nowTs, tokenId, deltaMicro: delta });
  }
  const delta = (await venue.cashMicro()) - books.confirmedCashMicro;
  if (Math.abs(delta) > DUST_CASH_MICRO)
    return `cash: the exchange shows ${(delta / MICRO).toFixed(2)} USD more than the books`;
  if (delta !== 0) bookkeeper.addEntry({ kind: 'adjustment', ts: nowTs, tokenId: null, deltaMicro: delta });
  return null;
}
