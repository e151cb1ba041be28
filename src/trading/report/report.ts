// Trading results from the journal: profit, where it came from, costs and capacity.

import { MICRO, usdMicroFor } from '../../domain/units.ts';
import {
  type BookEntry,
  type BookedFill,
  computeBooks,
  maxDrawdown,
  netEquity,
  positionsMicro,
  startMicro,
} from '../books/books.ts';
import type { EquityPoint, Intent, PricedAt } from '../journal/journal.ts';
import { CONFIRM_MS } from '../paper/paper-account.ts';

export interface KindRow {
  edgeKind: string;
  orders: number;
  filledOrders: number;
  spentUsd: number;
  /** Profit on closed positions. */
  profitUsd: number;
  settled: number;
  /** Mean probability at which settled positions were bought, and the fraction that won. */
  predicted: number | null;
  observed: number | null;
}

export interface TradingReport {
  startUsd: number;
  cashUsd: number;
  openCostUsd: number;
  /** Positions at the best bid. */
  positionsUsd: number;
  /** Cash and positions minus the starting capital. */
  profitUsd: number;
  realisedUsd: number;
  feesUsd: number;
  /** How far below the advised limit each share was bought; never negative. */
  improvementPerShareUsd: number | null;
  maxDrawdownUsd: number;
  fills: number;
  failedFills: number;
  provisionalFills: number;
  /** Fraction of the dollars spent that no later trade confirmed; null for real fills. */
  phantomShare: number | 'undecided' | null;
  /** Dollars spent per day, over days with purchases. */
  capacityUsdPerDay: number | null;
  kinds: KindRow[];
  equity: EquityPoint[];
}

export interface ReportInput {
  intents: readonly Intent[];
  fills: readonly BookedFill[];
  entries: readonly BookEntry[];
  equity: readonly EquityPoint[];
  /** Prices of the last cycle. */
  priced?: PricedAt | null;
}

const DAY_MS = 86_400_000;

export function makeReport({ intents, fills, entries, equity, priced }: ReportInput): TradingReport {
  const books = computeBooks(entries, fills);
  const real = fills.filter(({ status }) => status !== 'failed');
  const bought = real.filter(({ action }) => action === 'BUY');
  const start = startMicro(entries);
  const heldValueMicro = positionsMicro(books, priced?.marks ?? new Map());
  const equityMicro = books.cashMicro + heldValueMicro;
  const openCostMicro = [...books.positions.values()].reduce((sum, { costMicro }) => sum + costMicro, 0);
  return {
    startUsd: start / MICRO,
    cashUsd: books.cashMicro / MICRO,
    openCostUsd: openCostMicro / MICRO,
    positionsUsd: heldValueMicro / MICRO,
    profitUsd: (equityMicro - start) / MICRO,
    realisedUsd: books.realisedMicro / MICRO,
    feesUsd: books.feesMicro / MICRO,
    improvementPerShareUsd: improvement(bought, intents),
    maxDrawdownUsd:
      maxDrawdown(netEquity(entries, [...equity, { ts: Number.POSITIVE_INFINITY, equityMicro }])) / MICRO,
    fills: real.length,
    failedFills: fills.length - real.length,
    provisionalFills: real.filter(({ status }) => status === 'provisional').length,
    phantomShare: phantomShare(bought, priced?.ts ?? Number.POSITIVE_INFINITY),
    capacityUsdPerDay: capacity(bought),
    kinds: listKinds(intents, real, entries),
    equity: [...equity],
  };
}

function spent(fills: readonly BookedFill[]): number {
  return fills.reduce((sum, { sizeMicro, pricePips }) => sum + usdMicroFor(sizeMicro, pricePips), 0);
}

function improvement(bought: readonly BookedFill[], intents: readonly Intent[]): number | null {
  const advised = new Map(intents.map(({ orderId, advisedPips }) => [orderId, advisedPips]));
  const shares = bought.reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  if (shares === 0) return null;
  const saved = bought.reduce(
    (sum, fill) => sum + fill.sizeMicro * ((advised.get(fill.orderId) ?? fill.pricePips) - fill.pricePips),
    0,
  );
  return saved / shares / 10_000;
}

/** Counts only fills that a trade has confirmed or can no longer confirm. */
function phantomShare(bought: readonly BookedFill[], nowTs: number): TradingReport['phantomShare'] {
  const onPaper = bought.filter(({ isPhantom }) => isPhantom !== undefined);
  const decided = onPaper.filter(({ isPhantom, ts }) => !isPhantom || nowTs > ts + CONFIRM_MS);
  const total = spent(decided);
  if (total === 0) return onPaper.length === 0 ? null : 'undecided';
  return spent(decided.filter(({ isPhantom }) => isPhantom)) / total;
}

function capacity(bought: readonly BookedFill[]): number | null {
  const days = new Set(bought.map(({ ts }) => Math.floor(ts / DAY_MS)));
  return days.size === 0 ? null : spent(bought) / MICRO / days.size;
}

/** The order that bought each token, or else the last attempt. */
function listBuyers(intents: readonly Intent[], fills: readonly BookedFill[]): Map<string, Intent> {
  const filled = new Set(fills.map(({ orderId }) => orderId));
  const orders = intents.filter(({ action }) => action === 'BUY');
  const isFilled = ({ orderId }: Intent) => Number(filled.has(orderId));
  return new Map(orders.toSorted((a, b) => isFilled(a) - isFilled(b)).map((one) => [one.tokenId, one]));
}

function listKinds(
  intents: readonly Intent[],
  fills: readonly BookedFill[],
  entries: readonly BookEntry[],
): KindRow[] {
  const byToken = listBuyers(intents, fills);
  const filled = new Set(fills.map(({ orderId }) => orderId));
  const kinds = [
    ...new Set(intents.filter(({ action }) => action === 'BUY').map(({ edgeKind }) => edgeKind)),
  ].sort();
  return kinds.map((edgeKind) => {
    const own = intents.filter((intent) => intent.edgeKind === edgeKind && intent.action === 'BUY');
    const tokens = new Set(
      [...byToken.values()].filter((one) => one.edgeKind === edgeKind).map((one) => one.tokenId),
    );
    const ownFills = fills.filter(({ tokenId }) => tokens.has(tokenId));
    const settled = entries.filter((entry) => entry.kind === 'settlement' && tokens.has(entry.tokenId));
    return {
      edgeKind,
      orders: own.length,
      filledOrders: own.filter(({ orderId }) => filled.has(orderId)).length,
      spentUsd: spent(ownFills.filter(({ action }) => action === 'BUY')) / MICRO,
      profitUsd: computeBooks(settled, ownFills).realisedMicro / MICRO,
      ...predictedAndObserved(settled, byToken),
    };
  });
}

function predictedAndObserved(
  settled: readonly BookEntry[],
  byToken: ReadonlyMap<string, Intent>,
): Pick<KindRow, 'settled' | 'predicted' | 'observed'> {
  const known = settled.flatMap((entry) =>
    entry.kind === 'settlement'
      ? [{ probability: byToken.get(entry.tokenId)?.probability ?? 0, hasWon: entry.paidMicro > 0 }]
      : [],
  );
  if (known.length === 0) return { settled: 0, predicted: null, observed: null };
  return {
    settled: known.length,
    predicted: known.reduce((sum, { probability }) => sum + probability, 0) / known.length,
    observed: known.filter(({ hasWon }) => hasWon).length / known.length,
  };
}
