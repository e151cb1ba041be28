// The report as text and as CSV.

import { MICRO, usdMicroFor } from '../../domain/units.ts';
import type { BookedFill } from '../books/books.ts';
import type { Intent } from '../journal/journal.ts';
import type { KindRow, TradingReport } from './report.ts';

type Total = [label: string, value: string];

function summariseMoney(report: TradingReport): Total[] {
  // From the figures as they are shown, so that they add up.
  const profitUsd = toCents(report.cashUsd) + toCents(report.positionsUsd) - toCents(report.startUsd);
  return [
    ['Starting capital', usd(report.startUsd)],
    ['Cash', `${usd(report.cashUsd)}, plus ${usd(report.positionsUsd)} in positions at the market`],
    [
      'Profit',
      `${usd(profitUsd / 100)} after ${usd(report.feesUsd)} in fees, ${usd(report.realisedUsd)} of it realised`,
    ],
    ['Max drawdown', usd(report.maxDrawdownUsd)],
  ];
}

function summariseTrades(report: TradingReport): Total[] {
  const { improvementPerShareUsd, phantomShare, capacityUsdPerDay } = report;
  return [
    ['Fills', `${report.fills} (${report.provisionalFills} provisional, ${report.failedFills} failed)`],
    [
      'Price paid',
      improvementPerShareUsd === null
        ? 'no purchases yet'
        : `${cents(improvementPerShareUsd)} per share below the limit`,
    ],
    ['Phantom fills', describePhantoms(phantomShare)],
    ['Capacity', capacityUsdPerDay === null ? 'no purchases yet' : `${usd(capacityUsdPerDay)} a day`],
  ];
}

export function describeReport(report: TradingReport): string {
  const lines = [...summariseMoney(report), ...summariseTrades(report)].map(
    ([name, value]) => `${name.padEnd(16)} ${value}`,
  );
  const rows = report.kinds.map((kind) => `  ${kind.edgeKind.padEnd(10)} ${describeKind(kind)}`);
  return [...lines, ...(rows.length > 0 ? ['By kind of edge'] : []), ...rows].join('\n');
}

function describePhantoms(share: TradingReport['phantomShare']): string {
  if (share === null) return 'no paper purchases';
  return share === 'undecided' ? 'not decided yet' : `${(100 * share).toFixed(1)} % of dollars spent`;
}

function describeKind(kind: KindRow): string {
  return `${kind.filledOrders} of ${kind.orders} orders filled, spent ${usd(kind.spentUsd)}, profit ${usd(kind.profitUsd)}; ${describeCalibration(kind)}`;
}

function describeCalibration({ settled, predicted, observed }: KindRow): string {
  if (predicted === null || observed === null) return 'none settled';
  return `${settled} settled: predicted ${(100 * predicted).toFixed(1)} %, observed ${(100 * observed).toFixed(1)} %`;
}

/** One line per fill, oldest first. */
export function fillsCsv(fills: readonly BookedFill[], intents: readonly Intent[]): string {
  const byOrder = new Map(intents.map((intent) => [intent.orderId, intent]));
  const head =
    'time,account,event_id,bucket,outcome,action,price,shares,usd,fee_usd,advised_price,edge_kind,probability,taker,status,phantom';
  const rows = fills.map((fill) => {
    const intent = byOrder.get(fill.orderId);
    const feeMicro = fill.feeUsdMicro + usdMicroFor(fill.feeSharesMicro, fill.pricePips);
    return [
      new Date(fill.ts).toISOString(),
      intent?.account,
      intent?.eventId,
      intent?.bucket,
      intent?.outcome,
      fill.action,
      fill.pricePips / 10_000,
      fill.sizeMicro / MICRO,
      usdMicroFor(fill.sizeMicro, fill.pricePips) / MICRO,
      feeMicro / MICRO,
      intent === undefined ? undefined : intent.advisedPips / 10_000,
      intent?.edgeKind,
      intent?.probability,
      fill.isTaker,
      fill.status,
      fill.isPhantom,
    ]
      .map(csvField)
      .join(',');
  });
  return [head, ...rows].join('\n');
}

export function equityCsv({ equity }: TradingReport): string {
  const rows = equity.map(
    ({ ts, equityMicro, cashMicro }) =>
      `${new Date(ts).toISOString()},${equityMicro / MICRO},${cashMicro / MICRO}`,
  );
  return ['time,equity_usd,cash_usd', ...rows].join('\n');
}

function csvField(value: unknown): string {
  const given = value === undefined ? '' : String(value).replaceAll(/\p{Cc}/gu, ' ');
  // A spreadsheet would run text that begins like a formula.
  const text = typeof value === 'string' && /^ *[=+\-@]/.test(given) ? `'${given}` : given;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toCents(value: number): number {
  return Number((100 * Number(value.toFixed(2))).toFixed(0));
}

function usd(value: number): string {
  return `${value.toFixed(2)} USD`;
}

function cents(value: number): string {
  return `${(100 * value).toFixed(2)}¢`;
}
