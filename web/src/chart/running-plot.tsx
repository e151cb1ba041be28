// The chart canvas: created once per theme, updated in place, resized with its box, read out under the
// cursor.

import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount, formatDayTime } from '../words/format.ts';
import { attachPanZoom, type PanZoom } from './pan-zoom.ts';
import { onThemeChange, readPlotTheme } from './plot-theme.ts';
import type { RunningData } from './running-data.ts';
import { createRunningOptions, type Ruled, toAligned } from './running-options.ts';

interface Props {
  data: RunningData;
  bucketBounds: readonly number[];
  /** null for the whole window, otherwise this much up to now. */
  spanMs: number | null;
  label: string;
}

export function RunningPlot({ data, bucketBounds, spanMs, label }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const made = useRef<{ plot: uPlot; pan: PanZoom } | null>(null);
  const ruled = useRef<Ruled>({ data, bucketBounds });
  const [themeTurn, setThemeTurn] = useState(0);
  ruled.current = { data, bucketBounds };

  useEffect(() => onThemeChange(() => setThemeTurn((turn) => turn + 1)), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme needs another plot; data flows in below.
  useEffect(() => {
    const box = host.current!;
    const measure = () => ({ width: box.clientWidth, height: box.clientHeight });
    const options = createRunningOptions(measure(), readPlotTheme(box), () => ruled.current);
    options.hooks!.setCursor = [(plot) => writeReadout(readout.current!, plot, ruled.current.data)];
    const plot = new uPlot(options, toAligned(ruled.current.data), box);
    const pan = attachPanZoom(plot, box, boundsOf(ruled.current.data));
    made.current = { plot, pan };
    plot.setScale('x', boundsOf(ruled.current.data));
    const resize = new ResizeObserver(() => plot.setSize(measure()));
    resize.observe(box);
    return () => {
      resize.disconnect();
      pan.stop();
      plot.destroy();
      made.current = null;
    };
  }, [themeTurn]);

  useEffect(() => {
    if (!made.current) return;
    const { plot, pan } = made.current;
    const { min, max } = plot.scales.x!;
    plot.setData(toAligned(data), false);
    pan.setBounds(boundsOf(data));
    plot.setScale('x', { min: min ?? data.startS, max: max ?? data.endS });
    writeReadout(readout.current!, plot, data);
  }, [data]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a span is a jump to it, once, not a lock.
  useEffect(() => {
    const { nowS, startS, endS } = ruled.current.data;
    const from = spanMs === null ? startS : Math.max(startS, nowS - spanMs / 1000);
    made.current?.pan.show({ min: from, max: spanMs === null ? endS : Math.min(endS, nowS + spanMs / 8000) });
  }, [spanMs, themeTurn]);

  return (
    <div className="plot">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the chart pans and zooms by keyboard */}
      <div ref={host} className="plot-host" role="img" tabIndex={0} aria-label={label} />
      <p ref={readout} className="plot-readout num" aria-hidden="true" />
    </div>
  );
}

function boundsOf(data: RunningData): { min: number; max: number } {
  return { min: data.startS, max: data.endS };
}

/** Written directly to the element: the cursor moves too often to render each time. */
function writeReadout(element: HTMLElement, plot: uPlot, data: RunningData): void {
  const index = plot.cursor.idx;
  if (index === null || index === undefined) {
    element.textContent = 'Drag to move, Ctrl and wheel to zoom.';
    return;
  }
  const parts = [formatDayTime(data.x[index]! * 1000)];
  const add = (name: string, value: number | null | undefined) => {
    if (value !== null && value !== undefined) parts.push(`${name} ${formatCount(Math.round(value))}`);
  };
  add('count', data.count[index]);
  add('p5', data.p5[index]);
  add('p50', data.p50[index]);
  add('p95', data.p95[index]);
  add('pace', data.pace[index]);
  element.textContent = parts.join(' · ');
}
