// The Trading page: one HTML document in the dashboard's design, built from the journal alone.

import { MICRO, usdMicroFor } from '../../domain/units.ts';
import type { BookedFill, Marks, Position } from '../books/books.ts';
import type { EquityPoint, Intent } from '../journal/journal.ts';
import { summariseTrades } from './describe-report.ts';
import type { KindRow, TradingReport } from './report.ts';

export interface TradingPage {
  mode: string;
  /** The last cycle and its halts, one line each. */
  status: readonly string[];
  report: TradingReport;
  positions: readonly Position[];
  /** Oldest first, like `fills`. */
  intents: readonly Intent[];
  fills: readonly BookedFill[];
  marks: Marks;
  /** Best bids over time, by token. */
  prices: ReadonlyMap<string, readonly PricePoint[]>;
}

const REFRESH_MS = 10_000;
/** Price charts shown, latest fill first. */
const MAX_CHARTS = 6;

/** Replaces the content without moving the reader. */
export const REFRESH_SCRIPT = `let readMs = performance.now();
setInterval(async () => {
  const text = await fetch('/').then((answer) => answer.text()).catch(() => null);
  const next = text && new DOMParser().parseFromString(text, 'text/html').querySelector('main');
  const main = document.querySelector('main');
  if (next) {
    main.replaceChildren(...next.childNodes);
    readMs = performance.now();
  } else if (!main.querySelector('.notice')) {
    const notice = document.createElement('p');
    notice.className = 'notice';
    notice.setAttribute('role', 'status');
    const time = new Date(performance.timeOrigin + readMs).toISOString().slice(11, 19);
    notice.textContent = "No connection to this page's program. The figures are from " + time + ' UTC.';
    main.prepend(notice);
  }
}, ${REFRESH_MS});
`;

const MARK =
  '<svg class="tally-mark" viewBox="0 0 28 24" aria-hidden="true"><path d="M5 3v18M10.7 3v18M16.3 3v18M22 3v18"/><path class="tally-slash" d="M1.5 18.5 26 5.5"/></svg>';

export function renderTradingPage(page: TradingPage): string {
  const { mode, report } = page;
  const title = `Trading (${escapeHtml(mode)})`;
  const parts = [
    `<header class="page-head"><h1>${title}</h1>${listStatus(page.status)}</header>`,
    panel(
      'Equity',
      writeFacts(report) + (drawEquity(report.equity) || none('Points are recorded every 5 minutes.')),
    ),
    panel('Open orders', table(ORDER_HEADS, listOrders(page.intents), 'No order is open.')),
    panel('Positions at the market', table(POSITION_HEADS, listPositions(page), 'No position is open.')),
    panel('Fills on the price', drawTraded(page) || none('Nothing was traded yet.')),
    panel('By kind of edge', table(KIND_HEADS, report.kinds.map(toKindCells), 'No advice was followed yet.')),
    panel(
      'Results',
      `${table(['Metric', 'Value'], summariseTrades(report), '')}<p class="fine">As CSV: <a href="/fills.csv">fills</a>, <a href="/equity.csv">equity curve</a></p>`,
    ),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/styles/site.css"><style>${CHART_STYLE}</style><script src="/refresh.js" defer></script></head><body><header class="topbar"><span class="brand">${MARK}<span>Tallycast</span></span></header><main class="main stack">${parts.join('\n')}</main></body></html>\n`;
}

function listStatus(status: readonly string[]): string {
  return status.map((line) => `<p class="lede">${escapeHtml(line)}</p>`).join('');
}

function panel(title: string, content: string): string {
  return `<section class="panel"><header class="panel-head"><h2>${title}</h2></header>${content}</section>`;
}

function none(words: string): string {
  return `<p class="fine">${words}</p>`;
}

function writeFacts(report: TradingReport): string {
  const { cashUsd, positionsUsd, profitUsd, startUsd, feesUsd, maxDrawdownUsd, realisedUsd } = report;
  const facts: [name: string, value: string, remark: string][] = [
    ['Equity', usd(cashUsd + positionsUsd), `started with ${usd(startUsd)}`],
    ['Profit', signedUsd(profitUsd), `after ${usd(feesUsd)} in fees, ${usd(realisedUsd)} realised`],
    ['Cash', usd(cashUsd), ''],
    ['In positions', usd(positionsUsd), 'at the best bid'],
    ['Max drawdown', usd(maxDrawdownUsd), ''],
  ];
  const items = facts.map(
    ([name, value, remark]) =>
      `<div class="fact"><dt>${name}</dt><dd><span class="fact-value num"${signOf(value)}>${value}</span> <span class="fine num">${remark}</span></dd></div>`,
  );
  return `<dl class="facts">${items.join('')}</dl>`;
}

const KIND_HEADS = ['Edge', 'Orders', 'Filled', 'Spent', 'Profit', 'Settled', 'Predicted', 'Observed'];

function toKindCells(kind: KindRow): string[] {
  return [
    kind.edgeKind,
    String(kind.orders),
    String(kind.filledOrders),
    usd(kind.spentUsd),
    signedUsd(kind.profitUsd),
    String(kind.settled),
    percent(kind.predicted),
    percent(kind.observed),
  ];
}

const ORDER_HEADS = ['Order', 'Limit', 'Shares', 'Placed', 'Expires', 'State'];

/** Orders that may still fill, newest first. */
function listOrders(intents: readonly Intent[]): string[][] {
  return intents
    .filter(({ isReleased, state }) => !isReleased && ['planned', 'unknown', 'open'].includes(state))
    .toReversed()
    .map((intent) => [
      `${intent.action === 'BUY' ? 'Buy' : 'Sell'} ${nameOf(intent)}`,
      cents(intent.pricePips),
      shares(intent.sizeMicro),
      minute(intent.createdTs),
      intent.expiresTs > 0 ? minute(intent.expiresTs) : '–',
      intent.state,
    ]);
}

const POSITION_HEADS = ['Position', 'Shares', 'Settling', 'Cost', 'Bid', 'At the market', 'Profit'];

function listPositions({ positions, intents, marks }: TradingPage): string[][] {
  const byToken = new Map(intents.map((intent) => [intent.tokenId, intent]));
  return positions
    .filter(({ confirmedMicro, provisionalMicro }) => confirmedMicro !== 0 || provisionalMicro !== 0)
    .map(({ tokenId, confirmedMicro, provisionalMicro, costMicro }) => {
      const intent = byToken.get(tokenId);
      const bidPips = marks.get(tokenId);
      const valueMicro =
        bidPips === undefined ? null : usdMicroFor(confirmedMicro + provisionalMicro, bidPips);
      return [
        intent ? nameOf(intent) : tokenId,
        shares(confirmedMicro),
        shares(provisionalMicro),
        usd(costMicro / MICRO),
        bidPips === undefined ? '–' : cents(bidPips),
        valueMicro === null ? '–' : usd(valueMicro / MICRO),
        valueMicro === null ? '–' : signedUsd((valueMicro - costMicro) / MICRO),
      ];
    });
}

/** A price chart for each token with fills. */
function drawTraded({ fills, intents, prices }: TradingPage): string {
  const byToken = new Map(intents.map((intent) => [intent.tokenId, intent]));
  const real = fills.filter(({ status }) => status !== 'failed');
  const tokens = [...new Set(real.toReversed().map(({ tokenId }) => tokenId))].slice(0, MAX_CHARTS);
  const charts = tokens.map((tokenId) => {
    const intent = byToken.get(tokenId);
    const name = escapeHtml(intent ? nameOf(intent) : tokenId);
    const own = real.filter((fill) => fill.tokenId === tokenId);
    const chart = drawFills(name, prices.get(tokenId) ?? [], own);
    return `<figure><figcaption>${name}</figcaption>${chart || none('No price recorded yet.')}</figure>`;
  });
  return charts.length === 0 ? '' : `<div class="columns">${charts.join('')}</div>`;
}

/** Events of one account have buckets of the same name. */
function nameOf({ account, eventId, bucket, outcome }: Intent): string {
  return `${account} ${bucket} ${outcome}, event ${eventId}`;
}

/** On a phone each row becomes a card, and more than one value gets the heads as labels. */
function table(heads: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return none(empty);
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const labelOf = (i: number) => (heads.length > 2 ? ` data-name="${heads[i + 1]}"` : '');
  const body = rows.map(([first = '', ...rest]) => {
    const cells = rest.map(
      (text, i) => `<td class="num"${labelOf(i)}${signOf(text)}>${escapeHtml(text)}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells.join('')}</tr>`;
  });
  return `<div class="table-scroll" tabindex="0"><table class="table table-cards"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function signOf(text: string): string {
  if (/^\+\$/.test(text)) return ' data-sign="plus"';
  return /^−\$/.test(text) ? ' data-sign="minus"' : '';
}

function usd(value: number): string {
  return value < 0 ? `−$${(-value).toFixed(2)}` : `$${value.toFixed(2)}`;
}

function signedUsd(value: number): string {
  return value >= 0.005 ? `+${usd(value)}` : usd(value > -0.005 ? 0 : value);
}

function cents(pips: number): string {
  return `${(pips / 100).toFixed(1)}¢`;
}

function shares(micro: number): string {
  return (micro / MICRO).toFixed(2);
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// The charts of the Trading page as HTML: a line that stretches with the page, with text and marks that do not.

const CHART_STYLE =
  '.chart{position:relative;height:200px;border-block:1px solid var(--line);margin:12px 64px 4px 0}.chart svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}.chart span{position:absolute;left:calc(100% + 8px);color:var(--ink-3);font-size:var(--step--1)}.chart .high{top:-.7em}.chart .low{bottom:-.7em}.chart i{position:absolute;width:12px;height:12px;margin:-6px;background:var(--plus);clip-path:polygon(50% 0,100% 100%,0 100%)}.chart [data-action=SELL]{background:var(--minus);clip-path:polygon(0 0,100% 0,50% 100%)}.price polyline{stroke:var(--market)}.days{display:flex;justify-content:space-between;margin-inline-end:64px}';

interface Point {
  ts: number;
  value: number;
}

interface Mark extends Point {
  action: string;
  words: string;
}

interface Chart {
  points: readonly Point[];
  marks?: readonly Mark[];
  format(value: number): string;
  /** The chart in words. */
  label: string;
  className?: string;
}

/** Returns an empty string unless there is a time range to draw. */
function drawChart({ points, marks = [], format, label, className = '' }: Chart): string {
  const all = [...points, ...marks];
  const [times, values] = [all.map(({ ts }) => ts), all.map(({ value }) => value)];
  const [fromTs, toTs] = [Math.min(...times), Math.max(...times)];
  if (all.length < 2 || fromTs === toTs) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (ts: number) => ((100 * (ts - fromTs)) / (toTs - fromTs)).toFixed(2);
  const y = (value: number) => (high === low ? 50 : (100 * (high - value)) / (high - low)).toFixed(2);
  const line = points.map(({ ts, value }) => `${x(ts)},${y(value)}`).join(' ');
  const signs = marks.map(
    ({ ts, value, action, words }) =>
      `<i data-action="${action}" title="${words}" style="left:${x(ts)}%;top:${y(value)}%"></i>`,
  );
  return `<div class="chart ${className}" role="img" aria-label="${label}"><svg viewBox="0 0 100 100" preserveAspectRatio="none"><polyline class="profit" vector-effect="non-scaling-stroke" points="${line}"/></svg><span class="num high">${format(high)}</span><span class="num low">${format(low)}</span>${signs.join('')}</div><p class="days fine num"><span>${minute(fromTs)}</span><span>${minute(toTs)}</span></p>`;
}

export function drawEquity(equity: readonly EquityPoint[]): string {
  const points = equity.map(({ ts, equityMicro }) => ({ ts, value: equityMicro / MICRO }));
  const values = points.map(({ value }) => value);
  const format = (value: number) => `$${value.toFixed(2)}`;
  const label = `Equity from ${format(values[0] ?? 0)} to ${format(values.at(-1) ?? 0)}, lowest ${format(Math.min(...values))}, highest ${format(Math.max(...values))}`;
  return drawChart({ points, format, label });
}

export interface PricePoint {
  ts: number;
  bidPips: number;
}

/** `name` must already be escaped. */
function drawFills(name: string, prices: readonly PricePoint[], fills: readonly BookedFill[]): string {
  const format = (pips: number) => `${(pips / 100).toFixed(1)}¢`;
  const marks = fills.map(({ ts, pricePips, sizeMicro, action }) => {
    const verb = action === 'BUY' ? 'bought' : 'sold';
    const words = `${minute(ts)}: ${verb} ${(sizeMicro / MICRO).toFixed(2)} at ${format(pricePips)}`;
    return { ts, value: pricePips, action, words };
  });
  const points = prices.map(({ ts, bidPips }) => ({ ts, value: bidPips }));
  const label = `Best bid of ${name} with ${fills.length} fills. ${marks.map(({ words }) => words).join('; ')}`;
  return drawChart({ points, marks, format, label, className: 'price' });
}

/** "2026-11-17 14:56 UTC". */
export function minute(ts: number): string {
  return `${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
