// One bucket's price and model probability over time, with past advice.

import { useMemo, useRef } from 'react';
import type uPlot from 'uplot';
import { formatCents, formatDayTime, formatPoints, formatProbability } from '../words/format.ts';
import type { PriceData, PriceTrade } from './price-data.ts';
import { createAxes, type PlotOptions, type PlotTheme, TimePlot } from './time-plot.tsx';
import type { TipLine, TipText } from './tip.ts';

const TRADE_PX = 5;
/** One colour each: violet, grey and red. */
const MAX_COMPARED = 3;

interface Props {
  data: PriceData;
  label: string;
  onPick?: ((price: number) => void) | undefined;
}

export function PricePlot({ data, label, onPick }: Props) {
  const trades = useRef(data.trades);
  trades.current = data.trades;
  const aligned = useMemo<uPlot.AlignedData>(() => {
    const others = Array.from(
      { length: MAX_COMPARED },
      (_, i) => data.others[i]?.price ?? data.x.map(() => null),
    );
    return [data.x, data.price, data.model, ...others];
  }, [data]);
  const bounds = { min: data.startS, max: data.endS };
  const shown = { min: data.startS, max: Math.max(data.x.at(-1) ?? data.endS, data.startS + 3_600) };
  return (
    <TimePlot
      data={aligned}
      bounds={bounds}
      shown={shown}
      jump={String(data.startS)}
      createOptions={(theme) => createPriceOptions(theme, () => trades.current)}
      describe={(index) => describe(data, index)}
      onPick={onPick}
      label={label}
    />
  );
}

function createPriceOptions(theme: PlotTheme, trades: () => readonly PriceTrade[]): PlotOptions {
  const hidden = { show: false };
  const last = (color: string) => ({ show: true, size: 6, fill: color, filter: listLast });
  const percent = (_plot: uPlot, values: number[]) => values.map((value) => `${Math.round(value * 100)}%`);
  return {
    // Room for half of the last label.
    padding: [10, 24, 0, 0],
    scales: { x: { time: true, auto: false }, y: { range: (_plot, _min, max) => [0, topOf(max)] } },
    axes: createAxes(theme, { space: 40, values: percent }),
    series: [
      {},
      { label: 'price', stroke: theme.market, width: 2, points: last(theme.market), spanGaps: true },
      { label: 'model', stroke: theme.own, width: 2, dash: [5, 3], points: last(theme.own), spanGaps: true },
      ...[theme.oracle, theme.ink, theme.minus].map((stroke) => ({
        stroke,
        width: 1.5,
        points: hidden,
        spanGaps: true,
      })),
    ],
    hooks: { draw: [(plot) => drawTrades(plot, theme, trades())] },
  };
}

/** Ends each line in a dot, because a line with only a minute of prices would be too short to see. */
function listLast(plot: uPlot, series: number): number[] {
  const index = plot.data[series]!.findLastIndex((value) => value != null);
  return index < 0 ? [] : [index];
}

/** Possible axis maximums. Uses the lowest one above all values, so that a cheap bucket fills the plot. */
function topOf(max: number): number {
  return [0.05, 0.1, 0.25, 0.5, 0.75, 1].find((top) => max <= top * 0.96) ?? 1;
}

/** Draws a triangle at the time and cost of each advised purchase. */
function drawTrades(plot: uPlot, theme: PlotTheme, trades: readonly PriceTrade[]): void {
  const { ctx } = plot;
  const size = TRADE_PX * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = theme.ink;
  for (const { timeS, costPerShare } of trades) {
    const x = plot.valToPos(timeS, 'x', true);
    const y = plot.valToPos(costPerShare, 'y', true);
    ctx.beginPath();
    ctx.moveTo(x, y - size);
    ctx.lineTo(x + size, y + size);
    ctx.lineTo(x - size, y + size);
    ctx.fill();
  }
  ctx.restore();
}

function describe(data: PriceData, index: number): TipText {
  const ts = data.x[index]! * 1000;
  const price = data.price[index] ?? null;
  const model = data.model[index] ?? null;
  const lines: TipLine[] = [{ name: 'Price', value: formatProbability(price), source: 'market' }];
  if (model !== null) lines.push({ name: 'Model', value: formatProbability(model), source: 'own' });
  if (model !== null && price !== null) lines.push({ name: 'Edge (pp)', value: formatPoints(model - price) });
  for (const { bucket, price: other } of data.others)
    lines.push({ name: bucket, value: formatProbability(other[index]) });
  for (const trade of tradesAt(data, index)) {
    const end = trade.won === null ? 'open' : trade.won ? 'won' : 'lost';
    lines.push({ name: 'Advised', value: `buy at ${formatCents(trade.costPerShare)}, ${end}` });
  }
  return { ts, title: formatDayTime(ts), lines };
}

/** Returns the trades closer to this point than to its neighbours. */
function tradesAt({ x, trades }: PriceData, index: number): PriceTrade[] {
  const from = index === 0 ? Number.NEGATIVE_INFINITY : (x[index - 1]! + x[index]!) / 2;
  const to = index === x.length - 1 ? Number.POSITIVE_INFINITY : (x[index]! + x[index + 1]!) / 2;
  return trades.filter(({ timeS }) => timeS >= from && timeS < to);
}
