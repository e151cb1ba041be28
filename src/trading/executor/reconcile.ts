// Before anything is traded, and whenever the books changed: do they and the exchange's say the same? What stays unclear
// means no trading, with the reason.

import { MICRO } from '../../domain/micro-units.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue, VenueOrder } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';
import { ARRIVES_WITHIN_MS, listDoubtful } from './resolve-intents.ts';

/** Fee rounding may differ by less than this. */
const DUST_SHARES_MICRO = MICRO / 10;
const DUST_CASH_MICRO = MICRO / 100;

export interface ReconcileParts {
  venue: Venue;
  journal: Journal;
  bookkeeper: Bookkeeper;
  /** As the exchange listed them in this turn. */
  open: readonly VenueOrder[];
  /** Nothing has been compared yet since the start: no doubt is small enough. */
  isFirst: boolean;
  nowTs: number;
}

/** Why trading is blocked; null when everything agrees. */
export async function reconcile(parts: ReconcileParts): Promise<string | null> {
  const { venue, journal, bookkeeper, nowTs } = parts;
  try {
    if (journal.entries().length === 0)
      bookkeeper.addEntry({ kind: 'start', ts: 0, cashMicro: await venue.cashMicro() });
    const doubt = findDoubt(parts) ?? findForeignOrder(parts);
    if (doubt !== null) return doubt;
    if ((await compareBalances(parts)) === null) return null;
    // A trade may have settled, or a market been decided, between the two readings.
    await bookkeeper.collectAfresh(nowTs);
    return await compareBalances(parts);
  } catch (error) {
    return `the exchange could not be read: ${errorMessage(error)}`;
  }
}

function findDoubt({ journal, open, isFirst, nowTs }: ReconcileParts): string | null {
  const oldest = listDoubtful(journal, open).find(
    ({ updatedTs }) => isFirst || nowTs - updatedTs >= ARRIVES_WITHIN_MS,
  );
  if (!oldest) return null;
  return `an order sent ${Math.round((nowTs - oldest.createdTs) / 1000)} s ago is not accounted for yet`;
}

/** An order that is not in the journal was placed by someone else: the account is shared. */
function findForeignOrder({ journal, open }: ReconcileParts): string | null {
  const foreign = open.find(({ orderId }) => !journal.findIntent(orderId));
  return foreign ? `order ${foreign.orderId} on the exchange is not in the journal` : null;
}

async function compareBalances({ venue, bookkeeper, nowTs }: ReconcileParts): Promise<string | null> {
  const books = bookkeeper.books();
  const positions = [...books.positions.values()];
  const [cashMicro, ...shares] = await Promise.all([
    venue.cashMicro(),
    ...positions.map(({ tokenId }) => venue.sharesMicro(tokenId)),
  ]);
  const deltas = positions.map(({ tokenId, confirmedMicro }, index) => ({
    tokenId,
    delta: shares[index]! - confirmedMicro,
  }));
  const far = deltas.find(({ delta }) => Math.abs(delta) > DUST_SHARES_MICRO);
  if (far) return `token ${far.tokenId}: the exchange shows ${far.delta / MICRO} shares more than the books`;
  const cashDelta = cashMicro - books.confirmedCashMicro;
  if (Math.abs(cashDelta) > DUST_CASH_MICRO)
    return `cash: the exchange shows ${(cashDelta / MICRO).toFixed(2)} USD more than the books`;
  for (const { tokenId, delta } of [...deltas, { tokenId: null, delta: cashDelta }])
    if (delta !== 0) bookkeeper.addEntry({ kind: 'adjustment', ts: nowTs, tokenId, deltaMicro: delta });
  return null;
}
