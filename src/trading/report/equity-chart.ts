// The equity curve as an SVG string: one line, with its lowest and highest value and its first and last day.

import { MICRO } from '../../domain/micro-units.ts';
import type { EquityPoint } from '../journal/journal.ts';

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
  const label = `Equity from ${usd(first.equityMicro)} to ${usd(last.equityMicro)}, lowest ${usd(low)}, highest ${usd(high)}`;
  return `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><polyline fill="none" stroke="currentColor" stroke-width="2" points="${points.join(' ')}"/></svg><figcaption>${label}. ${day(first.ts)} to ${day(last.ts)}.</figcaption></figure>`;
}

function usd(micro: number): string {
  return `${(micro / MICRO).toFixed(2)} USD`;
}

function day(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}
