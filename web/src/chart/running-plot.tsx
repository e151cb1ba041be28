// The running count on its canvas.

import { useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { formatCount, formatDayTime } from '../words/format.ts';
import type { RunningData } from './running-data.ts';
import { createAxes, type PlotOptions, type PlotTheme, TimePlot } from './time-plot.tsx';
import type { TipLine, TipText } from './tip.ts';

interface Props {
  data: RunningData;
  bucketBounds: readonly number[];
  /** How far back to show from now; null for the whole window. */
  spanMs: number | null;
  label: string;
  onPick?: ((count: number) => void) | undefined;
}

export function RunningPlot({ data, bucketBounds, spanMs, label, onPick }: Props) {
  const ruled = useRef<Ruled>({ data, bucketBounds });
  ruled.current = { data, bucketBounds };
  const aligned = useMemo<uPlot.AlignedData>(
    () => [data.x, data.count, data.p95, data.p50, data.p5, data.pace],
    [data],
  );
  return (
    <TimePlot
      data={aligned}
      bounds={{ min: data.startS, max: data.endS }}
      shown={chooseShown(data, spanMs)}
      jump={String(spanMs)}
      createOptions={(theme) => createRunningOptions(theme, () => ruled.current)}
      describe={(index) => describe(data, index)}
      onPick={onPick}
      label={label}
    />
  );
}

function chooseShown({ nowS, startS, endS }: RunningData, spanMs: number | null) {
  if (spanMs === null) return { min: startS, max: endS };
  return { min: Math.max(startS, nowS - spanMs / 1000), max: Math.min(endS, nowS + spanMs / 8000) };
}

function describe(data: RunningData, index: number): TipText {
  const ts = data.x[index]! * 1000;
  const lines: TipLine[] = [];
  const add = (name: string, value: number | null | undefined, source?: TipLine['source']) => {
    if (value !== null && value !== undefined)
      lines.push({ name, value: formatCount(Math.round(value)), ...(source && { source }) });
  };
  add('Count', data.count[index], 'own');
  add('p95', data.p95[index]);
  add('p50', data.p50[index], 'own');
  add('p5', data.p5[index]);
  add('Linear pace', data.pace[index]);
  return { ts, title: formatDayTime(ts), lines };
}

const RULE_GAP_PX = 9;

interface Ruled {
  data: RunningData;
  bucketBounds: readonly number[];
}

/** Reads `ruled` on every draw, so that new data needs no new plot. */
function createRunningOptions(theme: PlotTheme, ruled: () => Ruled): PlotOptions {
  const hidden = { show: false };
  return {
    padding: [10, 8, 0, 0],
    scales: {
      x: { time: true, auto: false },
      y: { auto: false, range: (plot) => rangeOf(plot, ruled().data) },
    },
    axes: createAxes(theme, { space: 44 }),
    series: [
      {},
      {
        label: 'count',
        stroke: theme.own,
        width: 2,
        fill: theme.ownFill,
        paths: uPlot.paths.stepped!({ align: 1 }),
        points: hidden,
        spanGaps: true,
      },
      { label: 'p95', stroke: 'transparent', points: hidden, spanGaps: true },
      { label: 'p50', stroke: theme.own, width: 1.5, dash: [2, 4], points: hidden, spanGaps: true },
      { label: 'p5', stroke: 'transparent', points: hidden, spanGaps: true },
      { label: 'pace', stroke: theme.pace, width: 1, dash: [6, 5], points: hidden },
    ],
    bands: [{ series: [2, 4], fill: theme.fan }],
    hooks: { drawClear: [(plot) => drawRules(plot, theme, ruled())] },
  };
}

/** Fits the visible counts with some margin; the view of the whole window starts at zero. */
function rangeOf(plot: uPlot, data: RunningData): uPlot.Range.MinMax {
  const min = plot.scales.x?.min ?? data.startS;
  const max = plot.scales.x?.max ?? data.endS;
  if (max - min > (data.endS - data.startS) * 0.95) return [0, data.top * 1.06];
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let i = 0; i < data.x.length; i++) {
    if (data.x[i]! < min || data.x[i]! > max) continue;
    low = Math.min(low, data.count[i] ?? data.p5[i] ?? data.pace[i] ?? low);
    high = Math.max(high, data.count[i] ?? 0, data.p95[i] ?? 0, data.pace[i] ?? 0);
  }
  if (!Number.isFinite(low)) return [0, data.top * 1.06];
  const room = Math.max(3, (high - low) * 0.12);
  return [Math.max(0, low - room), high + room];
}

function drawRules(plot: uPlot, theme: PlotTheme, { data, bucketBounds }: Ruled): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = ratio;
  ctx.strokeStyle = theme.market;
  ctx.globalAlpha = 0.45;
  ctx.setLineDash([ratio, 3 * ratio]);
  const nowX = Math.max(bbox.left, Math.round(plot.valToPos(data.nowS, 'x', true)) + 0.5);
  // Draw only bounds the count can still reach, and never too close together.
  let lastY = Number.POSITIVE_INFINITY;
  for (const bound of bucketBounds) {
    const y = Math.round(plot.valToPos(bound, 'y', true)) + 0.5;
    if (bound <= data.countNow || lastY - y < RULE_GAP_PX * ratio) continue;
    strokeLine(ctx, nowX, y, bbox.left + bbox.width, y);
    lastY = y;
  }
  ctx.globalAlpha = 0.7;
  ctx.strokeStyle = theme.faint;
  ctx.setLineDash([]);
  strokeLine(ctx, nowX, bbox.top, nowX, bbox.top + bbox.height);
  ctx.restore();
}

function strokeLine(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}
