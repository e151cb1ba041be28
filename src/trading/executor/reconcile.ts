// Compares the books with the exchange before any trade and after every change. Any unexplained difference
// blocks trading until it is resolved.

import { MICRO, PIPS, usdMicroFor } from '../../domain/units.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import { type Books, findImbalance, listWrittenOff, provisionalRanges, type Range } from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue, VenueOrder } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';
import { listReserved } from './reservations.ts';

/** Fee rounding may differ by less than this. */
const DUST_SHARES_MICRO = MICRO / 10;
const DUST_CASH_MICRO = MICRO / 100;

/** The unexplained cash, and the part of it that the operator accepted, in micro-dollars. */
export const CASH_DIFFERENCE = 'cash-difference';
export const ACCEPTED_TRANSFER = 'accepted-transfer';
/** When the balances last agreed. */
const COMPARED = 'compared';
/** Fills that may not have been compared yet. */
const FEE_BACK_MS = 10 * 60_000;
/** How long before the last comparison an adjustment may still turn out to be a trade. */
const ADJUSTED_BACK_MS = 86_400_000;

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

/** Ignores differences explained by matched but unsettled trades, and learns how fees are charged. */
async function compareBalances(parts: ReconcileParts) {
  const { venue, journal, bookkeeper, exchangeTs } = parts;
  const tokenIds = listCompared(parts);
  const [cashMicro, ...shares] = await Promise.all([
    venue.cashMicro(),
    ...tokenIds.map((tokenId) => venue.sharesMicro(tokenId)),
  ]);
  const shown: Balances = { cashMicro, shares: new Map(tokenIds.map((tokenId, i) => [tokenId, shares[i]!])) };
  if (journal.fills().every(({ status }) => status !== 'provisional'))
    for (const tokenId of tokenIds)
      bookkeeper.learnFees(tokenId, (books) => totalError(listDifferences(parts, shown, books)));
  const differences = listDifferences(parts, shown, bookkeeper.books());
  const far = differences.filter(isFar);
  if (far.length > 0 && !acceptTransfer(far, parts)) return describe(far[0]!);
  if (far.length === 0 && journal.note(CASH_DIFFERENCE)) journal.setNote(CASH_DIFFERENCE, '');
  const close = far.length === 0 ? differences : [];
  for (const difference of close.filter(isSettled)) takeOver(difference, bookkeeper, exchangeTs);
  journal.setNote(COMPARED, String(exchangeTs));
  return null;
}

interface Balances {
  cashMicro: number;
  shares: ReadonlyMap<string, number>;
}

function listDifferences(
  { journal, exchangeTs }: ReconcileParts,
  shown: Balances,
  books: Books,
): Difference[] {
  const settling = provisionalRanges(journal.fills());
  const comparedTs = Number(journal.note(COMPARED) ?? exchangeTs);
  const fees = feesSince(journal, comparedTs - FEE_BACK_MS);
  const adjusted = adjustedSince(journal, comparedTs - ADJUSTED_BACK_MS);
  const ofShares = [...shown.shares].map(([tokenId, sharesMicro]) => ({
    tokenId,
    deltaMicro: sharesMicro - (books.positions.get(tokenId)?.confirmedMicro ?? 0),
    settling: settling.shares.get(tokenId) ?? SETTLED,
    dustMicro: DUST_SHARES_MICRO + (fees.shares.get(tokenId) ?? 0),
    adjustedMicro: adjusted.get(tokenId) ?? 0,
  }));
  const deltaMicro = shown.cashMicro - books.confirmedCashMicro;
  const dustMicro = DUST_CASH_MICRO + fees.usdMicro;
  // Whether open orders of contracts lock their fee, or any money, is not documented.
  for (const { maxFeeMicro, reservedMicro } of listReserved(journal)) {
    if (maxFeeMicro === null) continue;
    settling.cash.lowMicro -= maxFeeMicro;
    settling.cash.highMicro += reservedMicro;
  }
  const adjustedMicro = adjusted.get(null) ?? 0;
  return [...ofShares, { tokenId: null, deltaMicro, settling: settling.cash, dustMicro, adjustedMicro }];
}

function adjustedSince(journal: Journal, sinceTs: number): Map<string | null, number> {
  const sums = new Map<string | null, number>();
  for (const entry of journal.entries())
    if (entry.kind === 'adjustment' && entry.ts >= sinceTs)
      sums.set(entry.tokenId, (sums.get(entry.tokenId) ?? 0) + entry.deltaMicro);
  return sums;
}

/** What the latest fills may have been charged in either asset: the books follow what was. */
function feesSince(journal: Journal, sinceTs: number): { usdMicro: number; shares: Map<string, number> } {
  const shares = new Map<string, number>();
  let usdMicro = 0;
  for (const fill of journal.fills()) {
    if (fill.ts < sinceTs || !fill.isTaker || fill.status === 'failed') continue;
    const feeMicro = fill.feeUsdMicro + usdMicroFor(fill.feeSharesMicro, fill.pricePips);
    usdMicro += feeMicro;
    const inShares = Math.ceil((feeMicro * PIPS) / fill.pricePips);
    shares.set(fill.tokenId, (shares.get(fill.tokenId) ?? 0) + inShares);
  }
  return { usdMicro, shares };
}

function totalError(differences: readonly Difference[]): number {
  return differences.reduce((sum, { deltaMicro }) => sum + Math.abs(deltaMicro), 0);
}

/** Money that the operator moved and accepted is booked; any other difference in cash is noted for them. */
function acceptTransfer(
  far: readonly Difference[],
  { journal, bookkeeper, exchangeTs }: ReconcileParts,
): boolean {
  const [only] = far;
  if (far.length !== 1 || !only || only.tokenId !== null) return false;
  const accepted = journal.note(ACCEPTED_TRANSFER) || null;
  if (accepted === null || Math.abs(Number(accepted) - only.deltaMicro) > only.dustMicro) {
    journal.setNote(CASH_DIFFERENCE, String(only.deltaMicro));
    return false;
  }
  bookkeeper.addEntry({ kind: 'transfer', ts: exchangeTs, deltaMicro: only.deltaMicro });
  journal.setNote(ACCEPTED_TRANSFER, '');
  journal.setNote(CASH_DIFFERENCE, '');
  return true;
}

/** Written-off shares stay in the wallet and are not compared. */
function listCompared({ journal, bookkeeper, comparesAll, ended }: ReconcileParts): string[] {
  const held = [...bookkeeper.books().positions.values()].filter(
    ({ confirmedMicro }) => confirmedMicro !== 0,
  );
  const ofEnded = ended.map((orderId) => journal.findIntent(orderId)!.tokenId);
  const all = comparesAll ? held.map(({ tokenId }) => tokenId) : [];
  const writtenOff = listWrittenOff(journal.entries());
  for (const tokenId of writtenOff) bookkeeper.markCompared(tokenId);
  return [...new Set([...bookkeeper.changed(), ...ofEnded, ...all])].filter((one) => !writtenOff.has(one));
}

interface Difference {
  /** null for cash. */
  tokenId: string | null;
  deltaMicro: number;
  settling: Range;
  dustMicro: number;
  /** Adopted in the last day without a trade. A trade that was listed later takes it back. */
  adjustedMicro: number;
}

const SETTLED: Range = { lowMicro: 0, highMicro: 0 };

function isFar({ deltaMicro, settling, dustMicro, adjustedMicro }: Difference): boolean {
  const lowMicro = settling.lowMicro - Math.max(0, adjustedMicro);
  const highMicro = settling.highMicro + Math.max(0, -adjustedMicro);
  return deltaMicro < lowMicro - dustMicro || deltaMicro > highMicro + dustMicro;
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
    ? `cash: the exchange shows ${(deltaMicro / MICRO).toFixed(2)} USD more than the books. If you moved money, run npx tallycast trade accept-transfer`
    : `token ${tokenId}: the exchange shows ${deltaMicro / MICRO} shares more than the books`;
}
