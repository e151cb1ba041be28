// Trading results from the journal: profit, where it came from, costs and capacity.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import { type BookEntry, type BookedFill, computeBooks } from '../books/books.ts';
import type { EquityPoint, Intent } from '../journal/journal.ts';
import { BY_HAND } from '../types.ts';

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

/** Cash, cost of positions, drawdown and equity cover the account; the rest covers only the strategy. */
export interface TradingReport {
  startUsd: number;
  cashUsd: number;
  openCostUsd: number;
  realisedUsd: number;
  feesUsd: number;
  /** How far below the advised limit each share was bought; never negative. */
  improvementPerShareUsd: number | null;
  maxDrawdownUsd: number;
  fills: number;
  failedFills: number;
  provisionalFills: number;
  /** Fraction of the dollars spent that no later trade confirmed; null for real fills. */
  phantomShare: number | null;
  /** Dollars spent per day, over days with purchases. */
  capacityUsdPerDay: number | null;
  kinds: KindRow[];
  /** null if there were no manual orders. */
  byHand: KindRow | null;
  equity: EquityPoint[];
}

export interface ReportInput {
  intents: readonly Intent[];
  fills: readonly BookedFill[];
  entries: readonly BookEntry[];
  equity: readonly EquityPoint[];
}

const DAY_MS = 86_400_000;

export function makeReport({ intents, fills, entries, equity }: ReportInput): TradingReport {
  const books = computeBooks(entries, fills);
  const rows = listKinds(
    intents,
    fills.filter(({ status }) => status !== 'failed'),
    entries,
  );
  const own = excludeHand({ intents, fills, entries });
  const ownBooks = computeBooks(own.entries, own.fills);
  const real = own.fills.filter(({ status }) => status !== 'failed');
  const bought = real.filter(({ action }) => action === 'BUY');
  const startMicro = entries.reduce((sum, entry) => sum + (entry.kind === 'start' ? entry.cashMicro : 0), 0);
  const openCostMicro = [...books.positions.values()].reduce((sum, { costMicro }) => sum + costMicro, 0);
  return {
    startUsd: startMicro / MICRO,
    cashUsd: books.cashMicro / MICRO,
    openCostUsd: openCostMicro / MICRO,
    realisedUsd: ownBooks.realisedMicro / MICRO,
    feesUsd: ownBooks.feesMicro / MICRO,
    improvementPerShareUsd: improvement(bought, intents),
    maxDrawdownUsd: maxDrawdown(equity) / MICRO,
    fills: real.length,
    failedFills: own.fills.length - real.length,
    provisionalFills: real.filter(({ status }) => status === 'provisional').length,
    phantomShare: phantomShare(bought),
    capacityUsdPerDay: capacity(bought),
    kinds: rows.filter(({ edgeKind }) => edgeKind !== BY_HAND),
    byHand: rows.find(({ edgeKind }) => edgeKind === BY_HAND) ?? null,
    equity: [...equity],
  };
}

/** A bucket is bought either manually or by the strategy, never by both. */
function excludeHand({ intents, fills, entries }: Omit<ReportInput, 'equity'>) {
  const byToken = listBuyers(intents, fills);
  const isOwn = (tokenId: string | null) => tokenId === null || byToken.get(tokenId)?.edgeKind !== BY_HAND;
  return {
    fills: fills.filter(({ tokenId }) => isOwn(tokenId)),
    entries: entries.filter((entry) => entry.kind === 'start' || isOwn(entry.tokenId)),
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

export function maxDrawdown(equity: readonly EquityPoint[]): number {
  let [peak, deepest] = [Number.NEGATIVE_INFINITY, 0];
  for (const { equityMicro } of equity) {
    peak = Math.max(peak, equityMicro);
    deepest = Math.max(deepest, peak - equityMicro);
  }
  return deepest;
}

function phantomShare(bought: readonly BookedFill[]): number | null {
  const onPaper = bought.filter(({ isPhantom }) => isPhantom !== undefined);
  const total = spent(onPaper);
  return total === 0 ? null : spent(onPaper.filter(({ isPhantom }) => isPhantom)) / total;
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
