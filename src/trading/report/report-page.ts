// The Trading page: one HTML document without scripts, built from the journal alone.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import type { Marks, Position } from '../books/books.ts';
import type { EquityPoint, Intent } from '../journal/journal.ts';
import { summariseReport } from './describe-report.ts';
import type { KindRow, TradingReport } from './report.ts';

export interface TradingPage {
  mode: string;
  /** The last cycle and its halts, one line each. */
  status: readonly string[];
  report: TradingReport;
  positions: readonly Position[];
  intents: readonly Intent[];
  marks: Marks;
}

const REFRESH_S = 10;
const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}td{font-variant-numeric:tabular-nums}figure{margin:1rem 0}svg{width:100%;height:auto}.scroll{overflow-x:auto}';

export function renderTradingPage(page: TradingPage): string {
  const { mode, status, report, positions, intents, marks } = page;
  const title = `Trading (${mode})`;
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...status.map((line) => `<p>${escapeHtml(line)}</p>`),
    drawEquity(report.equity) || '<p>No equity curve yet: points are recorded every 5 minutes.</p>',
    table('Results', ['Metric', 'Value'], summariseReport(report)),
    table('By kind of edge', KIND_HEADS, report.kinds.map(toKindCells)),
    table('Positions', POSITION_HEADS, listPositions(positions, intents, marks)),
    '<p><a href="/fills.csv">Fills as CSV</a> · <a href="/equity.csv">Equity curve as CSV</a></p>',
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="refresh" content="${REFRESH_S}"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${parts.join('\n')}</main></body></html>\n`;
}

const KIND_HEADS = ['Edge', 'Orders', 'Filled', 'Spent', 'Profit', 'Settled', 'Predicted', 'Observed'];

function toKindCells(kind: KindRow): string[] {
  return [
    kind.edgeKind,
    String(kind.orders),
    String(kind.filledOrders),
    usd(kind.spentUsd),
    usd(kind.profitUsd),
    String(kind.settled),
    percent(kind.predicted),
    percent(kind.observed),
  ];
}

const POSITION_HEADS = ['Account', 'Bucket', 'Side', 'Shares', 'Settling', 'Cost', 'At the market'];

function listPositions(positions: readonly Position[], intents: readonly Intent[], marks: Marks): string[][] {
  const byToken = new Map(intents.map((intent) => [intent.tokenId, intent]));
  return positions
    .filter(({ confirmedMicro, provisionalMicro }) => confirmedMicro !== 0 || provisionalMicro !== 0)
    .map(({ tokenId, confirmedMicro, provisionalMicro, costMicro }) => {
      const { account = '', bucket = tokenId, outcome = '' } = byToken.get(tokenId) ?? {};
      const shares = [confirmedMicro, provisionalMicro].map((micro) => (micro / MICRO).toFixed(2));
      const bidPips = marks.get(tokenId);
      const value =
        bidPips === undefined ? '–' : usd(usdMicroFor(confirmedMicro + provisionalMicro, bidPips) / MICRO);
      return [account, bucket, outcome, ...shares, usd(costMicro / MICRO), value];
    });
}

function table(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return `<h2>${caption}</h2><p>None yet.</p>`;
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map(
    (cells) => `<tr>${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`,
  );
  return `<h2>${caption}</h2><div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function usd(value: number): string {
  return `${value.toFixed(2)} USD`;
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// The equity curve as an SVG string: one line, with its lowest and highest value and its first and last day.

const WIDTH = 720;
const HEIGHT = 200;
const PAD = 4;

/** Returns an empty string for fewer than two points. */
export function drawEquity(equity: readonly EquityPoint[]): string {
  const [first, last] = [equity[0], equity.at(-1)];
  if (!first || !last || first.ts === last.ts) return '';
  const values = equity.map(({ equityMicro }) => equityMicro);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (ts: number) => PAD + ((WIDTH - 2 * PAD) * (ts - first.ts)) / (last.ts - first.ts);
  const y = (micro: number) => HEIGHT - PAD - ((HEIGHT - 2 * PAD) * (micro - low)) / Math.max(1, high - low);
  const points = equity.map(({ ts, equityMicro }) => `${x(ts).toFixed(1)},${y(equityMicro).toFixed(1)}`);
  const label = `Equity from ${usd(first.equityMicro / MICRO)} to ${usd(last.equityMicro / MICRO)}, lowest ${usd(low / MICRO)}, highest ${usd(high / MICRO)}`;
  return `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><polyline fill="none" stroke="currentColor" stroke-width="2" points="${points.join(' ')}"/></svg><figcaption>${label}. ${day(first.ts)} to ${day(last.ts)}.</figcaption></figure>`;
}

function day(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}
