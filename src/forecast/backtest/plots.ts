// Small plots as inline SVG.

import { computeWilsonInterval } from '../scoring/block-bootstrap.ts';
import type { ReliabilityPoint } from './score-book.ts';

const Z_90 = 1.645;

const WIDTH = 480;
const HEIGHT = 280;
const PAD = 44;
/** Room for names at the right end of the lines. */
const NAME_WIDTH = 96;
const NAME_LINE = 14;
/** The chosen line and the best others; more could not be distinguished. */
const OTHERS = [
  { colour: '#c2571a', dash: '' },
  { colour: '#3a8f4d', dash: '6 3' },
  { colour: '#8a4fbf', dash: '2 3' },
  { colour: '#b08900', dash: '8 3 2 3' },
];

interface Frame {
  x(value: number): number;
  y(value: number): number;
  axes: string;
}

export interface AxisNames {
  x: string;
  y: string;
}

function frame(xs: readonly number[], ys: readonly number[], names: AxisNames): Frame {
  const [xTicks, yTicks] = [roundTicks(...span(xs)), roundTicks(...span(ys))];
  const [x0, x1] = [xTicks[0]!, xTicks.at(-1)!];
  const [y0, y1] = [yTicks[0]!, yTicks.at(-1)!];
  const x = (v: number) => PAD + ((v - x0) / (x1 - x0)) * (WIDTH - 1.5 * PAD);
  const y = (v: number) => HEIGHT - PAD - ((v - y0) / (y1 - y0)) * (HEIGHT - 1.75 * PAD);
  const across = xTicks.map(
    (v) => `<text x="${x(v).toFixed(1)}" y="${HEIGHT - PAD + 15}" text-anchor="middle">${short(v)}</text>`,
  );
  const up = yTicks.map(
    (v) =>
      `<path d="M${PAD} ${y(v).toFixed(1)}H${WIDTH - PAD / 2}" stroke="var(--line)"/><text x="${PAD - 6}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${short(v)}</text>`,
  );
  const titles = `<text x="${WIDTH / 2}" y="${HEIGHT - 4}" text-anchor="middle">${names.x}</text><text x="6" y="14">${names.y}</text>`;
  const lines = `<path d="M${PAD} ${PAD / 2}V${HEIGHT - PAD}H${WIDTH - PAD / 2}" fill="none" stroke="var(--axis)"/>`;
  return { x, y, axes: `${up.join('')}${across.join('')}${lines}${titles}` };
}

/** Four to eight round values that span the range. */
export function roundTicks(lo: number, hi: number): number[] {
  const raw = (hi - lo) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.floor(lo / step + 1e-9);
  const last = Math.ceil(hi / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

function span(values: readonly number[]): [number, number] {
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  return hi > lo ? [lo, hi] : [lo - 1, hi + 1];
}

function short(value: number): string {
  return Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toFixed(2)));
}

function svg(body: string, height = HEIGHT, width = WIDTH): string {
  return `<svg viewBox="0 0 ${width} ${height}" font-size="12" role="img">${body}</svg>`;
}

function path(points: readonly { x: number; y: number }[], { x, y }: Frame): string {
  return points.map((p, i) => `${i === 0 ? 'M' : 'L'}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join('');
}

export interface Series {
  name: string;
  points: { x: number; y: number }[];
}

const SKILL_AXES: AxisNames = { x: 'hours before the end', y: 'skill, percent' };

/** Names the chosen line and the best others at the largest x at the lines' ends; the rest are grey. */
export function drawLines(series: readonly Series[], bold: string, names = SKILL_AXES): string {
  const all = series.flatMap((s) => s.points);
  if (all.length === 0) return svg('');
  const box = frame(
    all.map((p) => p.x),
    [0, ...all.map((p) => p.y)],
    names,
  );
  const others = series.filter(({ name }) => name !== bold).sort((a, b) => endOf(b).y - endOf(a).y);
  const named = [
    ...series
      .filter(({ name }) => name === bold)
      .map((s) => ({ ...s, colour: 'var(--main)', dash: '', width: 3 })),
    ...others.slice(0, OTHERS.length).map((s, i) => ({ ...s, ...OTHERS[i]!, width: 1.6 })),
  ];
  const rest = others
    .slice(OTHERS.length)
    .map((s) => ({ ...s, colour: 'var(--line)', dash: '', width: 1.2 }));
  const lines = [...rest, ...named.toReversed()].map(
    ({ points, colour, dash, width }) =>
      `<path d="${path(points, box)}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash}"/>`,
  );
  const labels = spreadNames(named.map((s) => ({ ...s, y: box.y(endOf(s).y) }))).map(
    ({ name, colour, y }) =>
      `<text x="${WIDTH - PAD / 2 + 6}" y="${y.toFixed(1)}" fill="${colour}">${name}</text>`,
  );
  return svg(box.axes + lines.join('') + labels.join(''), HEIGHT, WIDTH + NAME_WIDTH);
}

function endOf({ points }: Series): { x: number; y: number } {
  return points.reduce((far, point) => (point.x > far.x ? point : far));
}

/** Moves names down until none overlaps the one above it. */
function spreadNames<Name extends { y: number }>(names: readonly Name[]): Name[] {
  let lowest = Number.NEGATIVE_INFINITY;
  return [...names]
    .sort((a, b) => a.y - b.y)
    .map((name) => {
      lowest = Math.max(name.y + 4, lowest + NAME_LINE);
      return { ...name, y: lowest };
    });
}

/** Fraction per bin; the line marks a flat histogram. */
export function drawBars(shares: readonly number[]): string {
  const box = frame([0, 1], [0, Math.max(2 / shares.length, ...shares)], {
    x: 'outcome percentile in the forecast',
    y: 'share of events',
  });
  const width = (box.x(1) - box.x(0)) / shares.length - 2;
  const bars = shares.map((share, k) => {
    const top = box.y(share);
    return `<rect x="${(box.x(k / shares.length) + 1).toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${(box.y(0) - top).toFixed(1)}" fill="var(--bar)"/>`;
  });
  const flat = box.y(1 / shares.length).toFixed(1);
  return svg(`${box.axes}${bars.join('')}<path d="M${box.x(0)} ${flat}H${box.x(1)}" stroke="var(--truth)"/>`);
}

/** Predicted vs. observed in ten bins, each with a 90% Wilson interval. */
export function drawReliability(points: readonly ReliabilityPoint[]): string {
  const box = frame([0, 1], [0, 1], { x: 'predicted probability', y: 'observed share' });
  const marks = Array.from({ length: 10 }, (_, k) => {
    const inside = points.filter((p) => Math.min(9, Math.floor(p.probability * 10)) === k);
    if (inside.length === 0) return '';
    const said = inside.reduce((sum, p) => sum + p.probability, 0) / inside.length;
    const hits = inside.filter((p) => p.isHit).length;
    const seen = hits / inside.length;
    const { lo, hi } = computeWilsonInterval(hits, inside.length, Z_90)!;
    const x = box.x(said).toFixed(1);
    return `<path d="M${x} ${box.y(lo).toFixed(1)}V${box.y(hi).toFixed(1)}" stroke="var(--main)"/><circle cx="${x}" cy="${box.y(seen).toFixed(1)}" r="3.5" fill="var(--main)"><title>${inside.length} cases</title></circle>`;
  });
  const diagonal = `<path d="M${box.x(0)} ${box.y(0)}L${box.x(1)} ${box.y(1)}" stroke="var(--axis)" stroke-dasharray="4"/>`;
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
    { x: 'hours before the end', y: 'posts' },
  );
  const at = (pick: (p: FanPoint) => number) => points.map((p) => ({ x: -p.lead, y: pick(p) }));
  const band = `${path(
    at((p) => p.p5),
    box,
  )}${path(at((p) => p.p95).reverse(), box).replace('M', 'L')}Z`;
  const y = box.y(final).toFixed(1);
  return svg(
    `${box.axes}<path d="${band}" fill="var(--band)"/><path d="${path(
      at((p) => p.p50),
      box,
    )}" fill="none" stroke="var(--main)" stroke-width="2"/><path d="${path(
      at((p) => p.count),
      box,
    )}" fill="none" stroke="var(--soft)" stroke-dasharray="3"/><path d="M${PAD} ${y}H${WIDTH - PAD / 2}" stroke="var(--truth)"/>`,
  );
}
