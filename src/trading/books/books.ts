// Our holdings, computed from recorded events: cash and positions, settled and matched separately.

import { type FeeAsset, type FeeTerms, feeSharesMicro, feeUsdMicro } from '../../domain/taker-fee.ts';
import { MICRO, usdMicroFor } from '../../domain/units.ts';
import type { Fill } from '../types.ts';

export interface BookedFill extends Fill {
  feeUsdMicro: number;
  feeSharesMicro: number;
}

export type BookEntry =
  | { kind: 'start'; ts: number; cashMicro: number }
  /** Money that the operator moved in or out. */
  | { kind: 'transfer'; ts: number; deltaMicro: number }
  | {
      kind: 'settlement';
      ts: number;
      tokenId: string;
      sharesMicro: number;
      paidMicro: number;
      /** Lost shares stay in the wallet, but count no more. Absent if the venue paid by itself. */
      how?: 'redeemed' | 'written-off';
    }
  /** A difference too small to halt for, adopted from the exchange; `tokenId` is null for cash. */
  | { kind: 'adjustment'; ts: number; tokenId: string | null; deltaMicro: number };

export interface Position {
  tokenId: string;
  /** Settled on-chain. */
  confirmedMicro: number;
  /** Bought but unsettled, minus sold but unsettled. */
  provisionalMicro: number;
  /** Cost of the holding, fees included. */
  costMicro: number;
}

export interface Books {
  confirmedCashMicro: number;
  /** Cash once all matched trades have settled. */
  cashMicro: number;
  positions: Map<string, Position>;
  realisedMicro: number;
  feesMicro: number;
}

/** Books a fill with its fee under the market's terms. */
export function bookFill(fill: Fill, terms: FeeTerms, paidIn: FeeAsset): BookedFill {
  const { sizeMicro, pricePips, isTaker, action } = fill;
  if (fill.statedFeeMicro !== undefined)
    return { ...fill, feeUsdMicro: fill.statedFeeMicro, feeSharesMicro: 0 };
  if (!isTaker) return { ...fill, feeUsdMicro: 0, feeSharesMicro: 0 };
  return action === 'BUY' && paidIn === 'shares'
    ? { ...fill, feeUsdMicro: 0, feeSharesMicro: feeSharesMicro(sizeMicro, pricePips, terms) }
    : { ...fill, feeUsdMicro: feeUsdMicro(sizeMicro, pricePips, terms), feeSharesMicro: 0 };
}

export function computeBooks(entries: readonly BookEntry[], fills: readonly BookedFill[]): Books {
  const books: Books = {
    confirmedCashMicro: 0,
    cashMicro: 0,
    positions: new Map(),
    realisedMicro: 0,
    feesMicro: 0,
  };
  const events = [
    ...entries.map((entry) => ({ ts: entry.ts, run: () => applyEntry(books, entry) })),
    ...fills
      .filter(({ status }) => status !== 'failed')
      // The exchange's times are in whole seconds; shares are bought before they are sold.
      .toSorted((a, b) => a.action.localeCompare(b.action))
      .map((fill) => ({ ts: fill.ts, run: () => applyFill(books, fill) })),
  ];
  for (const { run } of events.sort((a, b) => a.ts - b.ts)) run();
  return books;
}

/** Treats every unsettled sale as failed, so that it frees neither cash nor cap room until it settles. */
export function computeCautiousBooks(entries: readonly BookEntry[], fills: readonly BookedFill[]): Books {
  const isUnsettledSale = ({ action, status }: BookedFill) => action === 'SELL' && status === 'provisional';
  return computeBooks(
    entries,
    fills.filter((fill) => !isUnsettledSale(fill)),
  );
}

export interface Range {
  lowMicro: number;
  highMicro: number;
}

/** How far balances may differ while matched trades settle, since any of them may already have settled. */
export function provisionalRanges(fills: readonly BookedFill[]): { cash: Range; shares: Map<string, Range> } {
  const cash: Range = { lowMicro: 0, highMicro: 0 };
  const shares = new Map<string, Range>();
  for (const fill of fills) {
    if (fill.status !== 'provisional') continue;
    const usdMicro = usdMicroFor(fill.sizeMicro, fill.pricePips);
    const sign = fill.action === 'BUY' ? 1 : -1;
    const range = shares.get(fill.tokenId) ?? { lowMicro: 0, highMicro: 0 };
    shares.set(fill.tokenId, range);
    widen(cash, -sign * usdMicro - fill.feeUsdMicro);
    widen(range, sign * fill.sizeMicro - fill.feeSharesMicro);
  }
  return { cash, shares };
}

function widen(range: Range, deltaMicro: number): void {
  if (deltaMicro < 0) range.lowMicro += deltaMicro;
  else range.highMicro += deltaMicro;
}

/** Fee rounding may leave a balance this far below zero. */
const DUST_MICRO = MICRO / 10;

/** Why the books do not balance; null if cash, cost and profit add up to the deposits. */
export function findImbalance(books: Books, entries: readonly BookEntry[]): string | null {
  const positions = [...books.positions.values()];
  const costMicro = positions.reduce((sum, position) => sum + position.costMicro, 0);
  const surplusMicro = books.cashMicro + costMicro - books.realisedMicro - startMicro(entries);
  if (Math.abs(surplusMicro) >= 1) return `the books show ${surplusMicro / MICRO} USD of unknown origin`;
  const short = positions.find(({ tokenId }) => heldMicro(books, tokenId) < -DUST_MICRO);
  return short ? `the books show more shares of token ${short.tokenId} sold than held` : null;
}

/** Total cash deposited, minus withdrawals. */
export function startMicro(entries: readonly BookEntry[]): number {
  const ownMicro = entries.reduce((sum, entry) => sum + (entry.kind === 'start' ? entry.cashMicro : 0), 0);
  return ownMicro + transferredMicro(entries);
}

function transferredMicro(entries: readonly BookEntry[], untilTs = Number.POSITIVE_INFINITY): number {
  return entries.reduce(
    (sum, entry) => sum + (entry.kind === 'transfer' && entry.ts <= untilTs ? entry.deltaMicro : 0),
    0,
  );
}

/** The equity curve as if no money had been moved in or out, from the first cycle on. */
export function netEquity(
  entries: readonly BookEntry[],
  equity: readonly { ts: number; equityMicro: number }[],
): { equityMicro: number }[] {
  const first = { equityMicro: startMicro(entries) - transferredMicro(entries) };
  return [
    first,
    ...equity.map(({ ts, equityMicro }) => ({ equityMicro: equityMicro - transferredMicro(entries, ts) })),
  ];
}

/** Tokens written off; what the exchange shows of them no longer matters. */
export function listWrittenOff(entries: readonly BookEntry[]): Set<string> {
  return new Set(
    entries.flatMap((entry) =>
      entry.kind === 'settlement' && entry.how === 'written-off' ? [entry.tokenId] : [],
    ),
  );
}

/** Best bid of each token that is held; 0 if it is lost or has no bid. */
export type Marks = ReadonlyMap<string, number>;

/** Value of all positions at the market; a position without a mark counts at cost. */
export function positionsMicro(books: Books, marks: Marks): number {
  return [...books.positions.values()].reduce((sum, { tokenId, costMicro }) => {
    const bidPips = marks.get(tokenId);
    const micro = heldMicro(books, tokenId);
    // Rounding may leave a cost without shares.
    const unpricedMicro = micro === 0 ? 0 : costMicro;
    return sum + (bidPips === undefined ? unpricedMicro : usdMicroFor(micro, bidPips));
  }, 0);
}

/** Largest fall of the equity below an earlier high. */
export function maxDrawdown(equity: readonly { equityMicro: number }[]): number {
  let [peak, deepest] = [Number.NEGATIVE_INFINITY, 0];
  for (const { equityMicro } of equity) {
    peak = Math.max(peak, equityMicro);
    deepest = Math.max(deepest, peak - equityMicro);
  }
  return deepest;
}

/** Shares held once all matched trades have settled. */
export function heldMicro(books: Books, tokenId: string): number {
  const position = books.positions.get(tokenId);
  return position ? position.confirmedMicro + position.provisionalMicro : 0;
}

function positionOf(books: Books, tokenId: string): Position {
  const known = books.positions.get(tokenId);
  if (known) return known;
  const position = { tokenId, confirmedMicro: 0, provisionalMicro: 0, costMicro: 0 };
  books.positions.set(tokenId, position);
  return position;
}

function addCash(books: Books, deltaMicro: number, isConfirmed: boolean): void {
  books.cashMicro += deltaMicro;
  if (isConfirmed) books.confirmedCashMicro += deltaMicro;
}

function applyFill(books: Books, fill: BookedFill): void {
  const position = positionOf(books, fill.tokenId);
  const isConfirmed = fill.status === 'confirmed';
  const usdMicro = usdMicroFor(fill.sizeMicro, fill.pricePips);
  books.feesMicro += fill.feeUsdMicro + usdMicroFor(fill.feeSharesMicro, fill.pricePips);
  if (fill.action === 'BUY') {
    addCash(books, -usdMicro - fill.feeUsdMicro, isConfirmed);
    addShares(position, fill.sizeMicro - fill.feeSharesMicro, isConfirmed);
    position.costMicro += usdMicro + fill.feeUsdMicro;
    return;
  }
  const held = position.confirmedMicro + position.provisionalMicro;
  const costMicro = held > 0 ? Math.round((position.costMicro * Math.min(held, fill.sizeMicro)) / held) : 0;
  addCash(books, usdMicro - fill.feeUsdMicro, isConfirmed);
  addShares(position, -fill.sizeMicro, isConfirmed);
  position.costMicro -= costMicro;
  books.realisedMicro += usdMicro - fill.feeUsdMicro - costMicro;
}

function addShares(position: Position, deltaMicro: number, isConfirmed: boolean): void {
  if (isConfirmed) position.confirmedMicro += deltaMicro;
  else position.provisionalMicro += deltaMicro;
}

function applyEntry(books: Books, entry: BookEntry): void {
  if (entry.kind === 'start') {
    addCash(books, entry.cashMicro, true);
  } else if (entry.kind === 'transfer') {
    addCash(books, entry.deltaMicro, true);
  } else if (entry.kind === 'settlement') {
    const position = positionOf(books, entry.tokenId);
    position.confirmedMicro -= entry.sharesMicro;
    addCash(books, entry.paidMicro, true);
    books.realisedMicro += entry.paidMicro - position.costMicro;
    position.costMicro = 0;
  } else if (entry.tokenId === null) {
    addCash(books, entry.deltaMicro, true);
    books.realisedMicro += entry.deltaMicro;
  } else {
    positionOf(books, entry.tokenId).confirmedMicro += entry.deltaMicro;
  }
}
