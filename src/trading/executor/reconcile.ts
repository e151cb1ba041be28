// Compares the books with the exchange before any trade and after every change. Any unexplained difference
// blocks trading until it is resolved.

import { MICRO } from '../../domain/micro-units.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import { findImbalance, provisionalRanges, type Range } from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue, VenueOrder } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';

/** Fee rounding may differ by less than this. */
const DUST_SHARES_MICRO = MICRO / 10;
const DUST_CASH_MICRO = MICRO / 100;

export interface ReconcileParts {
  venue: Venue;
  journal: Journal;
  bookkeeper: Bookkeeper;
  /** Open orders as the exchange listed them in this cycle. */
  open: readonly VenueOrder[];
  /** Whether to compare all positions, or only cash and the positions that changed. */
  comparesAll: boolean;
  /** Orders that are to be released; their positions are compared, too. */
  ended: readonly string[];
  exchangeTs: number;
}

/** Why trading is blocked; null if the books match the exchange. */
export async function reconcile(parts: ReconcileParts): Promise<string | null> {
  const { venue, journal, bookkeeper, exchangeTs } = parts;
  try {
    if (journal.entries().length === 0)
      bookkeeper.addEntry({ kind: 'start', ts: 0, cashMicro: await venue.cashMicro() });
    const doubt = checkBalance(parts) ?? describeForeign(parts);
    if (doubt !== null) return doubt;
    if ((await compareBalances(parts)) === null) return null;
    // A trade may have settled, or a market may have been decided, between the two reads.
    await bookkeeper.collectAfresh(exchangeTs);
    return await compareBalances(parts);
  } catch (error) {
    return `the exchange could not be read: ${errorMessage(error)}`;
  }
}

function checkBalance({ bookkeeper, journal }: ReconcileParts): string | null {
  const imbalance = findImbalance(bookkeeper.books(), journal.entries());
  expectInvariant('books-unbalanced', imbalance === null, () => ({ imbalance }));
  return imbalance;
}

/** An order missing from the journal was placed by someone else, so the account is shared. */
export function findForeign(journal: Journal, open: readonly VenueOrder[]): VenueOrder | undefined {
  return open.find(({ orderId }) => !journal.findIntent(orderId));
}

function describeForeign({ journal, open }: ReconcileParts): string | null {
  const foreign = findForeign(journal, open);
  return foreign ? `order ${foreign.orderId} on the exchange is not in the journal` : null;
}

/** Ignores differences explained by matched but unsettled trades. */
async function compareBalances(parts: ReconcileParts) {
  const { venue, journal, bookkeeper, exchangeTs } = parts;
  const books = bookkeeper.books();
  const settling = provisionalRanges(journal.fills());
  const tokenIds = listCompared(parts);
  const [cashMicro, ...shares] = await Promise.all([
    venue.cashMicro(),
    ...tokenIds.map((tokenId) => venue.sharesMicro(tokenId)),
  ]);
  const differences: Difference[] = tokenIds.map((tokenId, index) => ({
    tokenId,
    deltaMicro: shares[index]! - (books.positions.get(tokenId)?.confirmedMicro ?? 0),
    settling: settling.shares.get(tokenId) ?? SETTLED,
    dustMicro: DUST_SHARES_MICRO,
  }));
  const deltaMicro = cashMicro - books.confirmedCashMicro;
  differences.push({ tokenId: null, deltaMicro, settling: settling.cash, dustMicro: DUST_CASH_MICRO });
  const far = differences.find(isFar);
  if (far) return describe(far);
  for (const difference of differences.filter(isSettled)) takeOver(difference, bookkeeper, exchangeTs);
  return null;
}

function listCompared({ journal, bookkeeper, comparesAll, ended }: ReconcileParts): string[] {
  const held = [...bookkeeper.books().positions.values()].filter(
    ({ confirmedMicro }) => confirmedMicro !== 0,
  );
  const ofEnded = ended.map((orderId) => journal.findIntent(orderId)!.tokenId);
  const all = comparesAll ? held.map(({ tokenId }) => tokenId) : [];
  return [...new Set([...bookkeeper.changed(), ...ofEnded, ...all])];
}

interface Difference {
  /** null for cash. */
  tokenId: string | null;
  deltaMicro: number;
  settling: Range;
  dustMicro: number;
}

const SETTLED: Range = { lowMicro: 0, highMicro: 0 };

function isFar({ deltaMicro, settling, dustMicro }: Difference): boolean {
  return deltaMicro < settling.lowMicro - dustMicro || deltaMicro > settling.highMicro + dustMicro;
}

function isSettled({ settling }: Difference): boolean {
  return settling.lowMicro === 0 && settling.highMicro === 0;
}

function takeOver({ tokenId, deltaMicro }: Difference, bookkeeper: Bookkeeper, nowTs: number): void {
  if (deltaMicro !== 0) bookkeeper.addEntry({ kind: 'adjustment', ts: nowTs, tokenId, deltaMicro });
  if (tokenId !== null) bookkeeper.markCompared(tokenId);
}

function describe({ tokenId, deltaMicro }: Difference): string {
  return tokenId === null
    ? `cash: the exchange shows ${(deltaMicro / MICRO).toFixed(2)} USD more than the books`
    : `token ${tokenId}: the exchange shows ${deltaMicro / MICRO} shares more than the books`;
}
