// A canvas plot over time with a tooltip at the cursor: created once per theme, updated in place, resized
// with its box.

import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { formatShortDay, formatTime } from '../words/format.ts';
import { getZone, getZoneName, useZone } from '../words/zone.ts';
import { attachPanZoom, type Extent, type PanZoom } from './pan-zoom.ts';
import { attachTip, type Tip, type TipText } from './tip.ts';

export type PlotOptions = Omit<uPlot.Options, 'width' | 'height'>;

const COMMON = {
  tzDate: toZoneDate,
  legend: { show: false },
  /** One crosshair over all charts on the page: the others follow by time. */
  cursor: {
    drag: { x: false, y: false },
    y: false,
    points: { size: 7, width: 2 },
    sync: { key: 'time', setSeries: false, scales: ['x', null] },
  },
} satisfies Partial<PlotOptions>;

interface Props {
  /** The first column is the time in seconds since the epoch. */
  data: uPlot.AlignedData;
  /** Time range that panning and zooming cannot leave, in seconds. */
  bounds: Extent;
  /** Time range in seconds to jump to whenever `jump` changes; the user can then pan. */
  shown: Extent;
  jump: string;
  /** Called once per theme, so it must read its data on every draw. */
  createOptions: (theme: PlotTheme) => PlotOptions;
  describe: (index: number) => TipText;
  /** A click, as a value of the vertical axis. */
  onPick?: ((value: number) => void) | undefined;
  label: string;
}

export function TimePlot(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<{ plot: uPlot; pan: PanZoom } | null>(null);
  const latest = useRef(props);
  const [themeTurn, setThemeTurn] = useState(0);
  const zone = useZone();
  latest.current = props;

  useEffect(() => onThemeChange(() => setThemeTurn((turn) => turn + 1)), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme or zone needs a new plot; data is set below.
  useEffect(() => {
    const box = host.current!;
    const measure = () => ({ width: box.clientWidth, height: box.clientHeight });
    const options = latest.current.createOptions(readPlotTheme(box));
    const tip = attachTip(box);
    const hooks = { ...options.hooks, setCursor: [(plot: uPlot) => follow(plot, tip, latest.current)] };
    const plot = new uPlot({ ...measure(), ...COMMON, ...options, hooks }, latest.current.data, box);
    const pan = attachPanZoom(plot, box, latest.current.bounds);
    made.current = { plot, pan };
    attachPick(plot, (value) => latest.current.onPick?.(value));
    plot.setScale('x', latest.current.shown);
    const resize = new ResizeObserver(() => plot.setSize(measure()));
    resize.observe(box);
    return () => {
      resize.disconnect();
      pan.stop();
      plot.destroy();
      box.replaceChildren();
      made.current = null;
    };
  }, [themeTurn, zone]);

  const { data, bounds, jump } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: bounds and description change only with the data.
  useEffect(() => {
    if (!made.current) return;
    const { plot, pan } = made.current;
    const { min, max } = plot.scales.x!;
    plot.setData(data, false);
    pan.setBounds(bounds);
    plot.setScale('x', { min: min ?? bounds.min, max: max ?? bounds.max });
  }, [data]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: jump once to the span; do not lock the view to it.
  useEffect(() => made.current?.pan.show(latest.current.shown), [jump, themeTurn, zone]);

  return (
    <div className="plot">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the chart pans and zooms by keyboard */}
      <div ref={host} className="plot-host" role="img" tabIndex={0} aria-label={props.label} />
      <p className="fine">
        Drag to pan<span className="with-wheel">, Ctrl+wheel to zoom</span>
        {props.onPick ? ', click to set an alert' : null}.
      </p>
    </div>
  );
}

const MAX_CLICK_PX = 4;

/** A click that moved the pointer was a drag. The listeners end with the plot's element. */
function attachPick(plot: uPlot, onPick: (value: number) => void): void {
  let downX = 0;
  plot.over.addEventListener('pointerdown', (event) => (downX = event.clientX));
  plot.over.addEventListener('click', (event) => {
    if (Math.abs(event.clientX - downX) <= MAX_CLICK_PX) onPick(plot.posToVal(event.offsetY, 'y'));
  });
}

function follow(plot: uPlot, tip: Tip, { describe }: Props): void {
  const { idx, left = -1, top = -1 } = plot.cursor;
  if (idx === null || idx === undefined || left < 0) tip.hide();
  else tip.show(plot.over.offsetLeft + left, plot.over.offsetTop + top, describe(idx));
}

/** The time axis, and the value axis with its own spacing and labels. */
export function createAxes(theme: PlotTheme, value: uPlot.Axis): uPlot.Axis[] {
  const axis = { stroke: theme.faint, font: theme.font, ticks: { show: false }, gap: 6 };
  return [
    { ...axis, grid: { show: false }, size: 30, space: 70, values: formatTicks },
    { ...axis, grid: { stroke: theme.grid, width: 1 }, size: 46, ...value },
  ];
}

/** Ticks fall on hours and days of the chosen zone. */
function toZoneDate(second: number): Date {
  const date = new Date(second * 1000);
  return getZone() === 'local' ? date : uPlot.tzDate(date, getZoneName());
}

/** Labels ticks with the day or the time, never both. */
function formatTicks(_plot: uPlot, splits: number[]): string[] {
  const step = splits.length > 1 ? splits[1]! - splits[0]! : 86_400;
  return splits.map((second) => {
    const time = formatTime(second * 1000);
    const isDay = step >= 43_200 || time === '00:00';
    return isDay ? formatShortDay(second * 1000) : time;
  });
}

export interface PlotTheme {
  ink: string;
  faint: string;
  grid: string;
  own: string;
  ownFill: string;
  fan: string;
  pace: string;
  market: string;
  oracle: string;
  minus: string;
  font: string;
}

function readPlotTheme(element: HTMLElement): PlotTheme {
  const style = getComputedStyle(element);
  // A canvas cannot read light-dark(), so the browser resolves each token as the colour of a probe.
  const probe = element.appendChild(document.createElement('span'));
  const token = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const theme = {
    ink: token('--ink-2'),
    faint: token('--ink-3'),
    grid: token('--line'),
    own: token('--own'),
    ownFill: token('--own-wash'),
    fan: token('--own-fan'),
    pace: token('--ink-3'),
    market: token('--market'),
    oracle: token('--oracle'),
    minus: token('--minus'),
    font: `12px ${style.fontFamily}`,
  };
  probe.remove();
  return theme;
}

/** Called when the colours may have changed. */
function onThemeChange(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
