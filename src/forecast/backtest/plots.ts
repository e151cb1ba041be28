// Small plots as inline SVG.

import { computeWilsonInterval } from '../scoring/wilson-interval.ts';
import type { ReliabilityPoint } from './score-book.ts';

const Z_90 = 1.645;

const WIDTH = 480;
const HEIGHT = 260;
const PAD = 36;
const COLOURS = [
  '#0b63b6',
  '#c2571a',
  '#3a8f4d',
  '#8a4fbf',
  '#a3293d',
  '#5b6b7b',
  '#1a9c96',
  '#b08900',
  '#d16ba5',
  '#444',
];

interface Frame {
  x(value: number): number;
  y(value: number): number;
  axes: string;
}

function frame(xs: readonly number[], ys: readonly number[]): Frame {
  const [x0, x1] = span(xs);
  const [y0, y1] = span(ys);
  const x = (v: number) => PAD + ((v - x0) / (x1 - x0)) * (WIDTH - 2 * PAD);
  const y = (v: number) => HEIGHT - PAD - ((v - y0) / (y1 - y0)) * (HEIGHT - 2 * PAD);
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const xv = x0 + share * (x1 - x0);
    const yv = y0 + share * (y1 - y0);
    return `<text x="${x(xv).toFixed(1)}" y="${HEIGHT - 14}" text-anchor="middle">${short(xv)}</text><text x="${PAD - 6}" y="${(y(yv) + 4).toFixed(1)}" text-anchor="end">${short(yv)}</text>`;
  });
  const axes = `<path d="M${PAD} ${PAD / 2}V${HEIGHT - PAD}H${WIDTH - PAD / 2}" fill="none" stroke="#9aa5b1"/>${marks.join('')}`;
  return { x, y, axes };
}

function span(values: readonly number[]): [number, number] {
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  return hi > lo ? [lo, hi] : [lo - 1, hi + 1];
}

function short(value: number): string {
  return Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toFixed(2)));
}

function svg(body: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-size="11" role="img">${body}</svg>`;
}

function path(points: readonly { x: number; y: number }[], { x, y }: Frame): string {
  return points.map((p, i) => `${i === 0 ? 'M' : 'L'}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join('');
}

export interface Series {
  name: string;
  points: { x: number; y: number }[];
}

export function drawLines(series: readonly Series[], bold: string): string {
  const all = series.flatMap((s) => s.points);
  if (all.length === 0) return svg('');
  const box = frame(
    all.map((p) => p.x),
    [0, ...all.map((p) => p.y)],
  );
  const lines = series.map((s, i) => {
    const colour = COLOURS[i % COLOURS.length]!;
    const label = `<text x="${WIDTH - PAD * 3.2}" y="${20 + i * 13}" fill="${colour}">${s.name}</text>`;
    const width = s.name === bold ? 3 : 1.2;
    return `<path d="${path(s.points, box)}" fill="none" stroke="${colour}" stroke-width="${width}"/>${label}`;
  });
  return svg(box.axes + lines.join(''));
}

/** Shares per bin; the line is what a flat histogram would show. */
export function drawBars(shares: readonly number[]): string {
  const box = frame([0, 1], [0, Math.max(2 / shares.length, ...shares)]);
  const width = (box.x(1) - box.x(0)) / shares.length - 2;
  const bars = shares.map((share, k) => {
    const top = box.y(share);
    return `<rect x="${(box.x(k / shares.length) + 1).toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${(box.y(0) - top).toFixed(1)}" fill="#7fb0dd"/>`;
  });
  const flat = box.y(1 / shares.length).toFixed(1);
  return svg(`${box.axes}${bars.join('')}<path d="M${box.x(0)} ${flat}H${box.x(1)}" stroke="#a3293d"/>`);
}

/** Said against seen, in ten bins, with the 90 percent Wilson band of each bin. */
export function drawReliability(points: readonly ReliabilityPoint[]): string {
  const box = frame([0, 1], [0, 1]);
  const marks = Array.from({ length: 10 }, (_, k) => {
    const inside = points.filter((p) => Math.min(9, Math.floor(p.probability * 10)) === k);
    if (inside.length === 0) return '';
    const said = inside.reduce((sum, p) => sum + p.probability, 0) / inside.length;
    const hits = inside.filter((p) => p.isHit).length;
    const seen = hits / inside.length;
    const { lo, hi } = computeWilsonInterval(hits, inside.length, Z_90)!;
    const x = box.x(said).toFixed(1);
    return `<path d="M${x} ${box.y(lo).toFixed(1)}V${box.y(hi).toFixed(1)}" stroke="#0b63b6"/><circle cx="${x}" cy="${box.y(seen).toFixed(1)}" r="3.5" fill="#0b63b6"><title>${inside.length} cases</title></circle>`;
  });
  const diagonal = `<path d="M${box.x(0)} ${box.y(0)}L${box.x(1)} ${box.y(1)}" stroke="#9aa5b1" stroke-dasharray="4"/>`;
  return svg(box.axes + diagonal + marks.join(''));
}

export interface FanPoint {
  lead: number;
  p5: number;
  p50: number;
  p95: number;
  count: number;
}

export function drawFan(points: readonly FanPoint[], final: number): string {
  const box = frame(
    points.map((p) => -p.lead),
    points.flatMap((p) => [p.p5, p.p95, p.count, final]),
  );
  const at = (pick: (p: FanPoint) => number) => points.map((p) => ({ x: -p.lead, y: pick(p) }));
  const band = `${path(
    at((p) => p.p5),
    box,
  )}${path(at((p) => p.p95).reverse(), box).replace('M', 'L')}Z`;
  const y = box.y(final).toFixed(1);
  return svg(
    `${box.axes}<path d="${band}" fill="#cfe2f3"/><path d="${path(
      at((p) => p.p50),
      box,
    )}" fill="none" stroke="#0b63b6" stroke-width="2"/><path d="${path(
      at((p) => p.count),
      box,
    )}" fill="none" stroke="#5b6b7b" stroke-dasharray="3"/><path d="M${PAD} ${y}H${WIDTH - PAD / 2}" stroke="#a3293d"/>`,
  );
}
