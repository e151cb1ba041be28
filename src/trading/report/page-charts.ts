// The charts of the Trading page as HTML: a line that stretches with the page, with text and marks that do not.

import { MICRO } from '../../domain/units.ts';
import type { BookedFill } from '../books/books.ts';
import type { EquityPoint } from '../journal/journal.ts';

export const CHART_STYLE =
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
export function drawFills(name: string, prices: readonly PricePoint[], fills: readonly BookedFill[]): string {
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
