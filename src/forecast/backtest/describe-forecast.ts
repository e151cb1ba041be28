// Formats one forecast as text with bars; the JSON output has the full distribution.

import type { CountWindow } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { CountDistribution, EventForecast } from '../types.ts';

const BINS = 12;
const BAR_WIDTH = 40;

export function describeForecast({ startTs, endTs }: CountWindow, forecast: EventForecast): string {
  const { asofTs, countSoFar, p5, p50, p95 } = forecast;
  const leftH = Math.max(0, (endTs - asofTs) / HOUR_MS);
  return [
    `window    ${instant(startTs)} to ${instant(endTs)}`,
    `as of     ${instant(asofTs)}, ${leftH.toFixed(1)} hours before the end`,
    `so far    ${countSoFar} posts`,
    `forecast  ${p50} median, 90% between ${p5} and ${p95}`,
    '',
    ...drawDistribution(forecast.distribution),
  ].join('\n');
}

function instant(ts: number): string {
  return `${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Plots the relevant part of the distribution in about a dozen round-width bins. */
function drawDistribution({ from, pmf }: CountDistribution): string[] {
  const [lo, hi] = [quantile(pmf, 0.005), quantile(pmf, 0.995)];
  const width = roundWidth((hi - lo + 1) / BINS);
  const first = Math.floor((from + lo) / width) * width;
  const bins: { label: string; share: number }[] = [];
  for (let start = first; start <= from + hi; start += width) {
    const share = sumBetween(pmf, start - from, start + width - from);
    bins.push({ label: width === 1 ? `${start}` : `${start}-${start + width - 1}`, share });
  }
  const longest = Math.max(...bins.map(({ label }) => label.length));
  const highest = Math.max(...bins.map(({ share }) => share));
  return bins.map(({ label, share }) => {
    const bar = '#'.repeat(Math.round((BAR_WIDTH * share) / highest));
    return `${label.padStart(longest)}  ${`${(100 * share).toFixed(1)} %`.padStart(6)}  ${bar}`.trimEnd();
  });
}

function quantile(pmf: ArrayLike<number>, share: number): number {
  let sum = 0;
  for (let k = 0; k < pmf.length; k++) {
    sum += pmf[k]!;
    if (sum >= share) return k;
  }
  return pmf.length - 1;
}

function sumBetween(pmf: ArrayLike<number>, from: number, to: number): number {
  let sum = 0;
  for (let k = Math.max(0, from); k < Math.min(pmf.length, to); k++) sum += pmf[k]!;
  return sum;
}

function roundWidth(least: number): number {
  for (let power = 1; ; power *= 10) {
    const found = [1, 2, 5].find((factor) => factor * power >= least);
    if (found !== undefined) return found * power;
  }
}

// One line of machine-readable output, shared by backtest rows and single forecasts.

/** Eight significant digits keep the sum within 1e-6 of 1 and a year's file readable. */
const DIGITS = 8;

export function formatForecastLine(window: CountWindow, forecast: EventForecast, final?: number): string {
  const { distribution } = forecast;
  const record = {
    start_ts: window.startTs,
    end_ts: window.endTs,
    asof_ts: forecast.asofTs,
    lead_h: (window.endTs - forecast.asofTs) / HOUR_MS,
    count_so_far: forecast.countSoFar,
    ...(final === undefined ? {} : { final }),
    p5: forecast.p5,
    p50: forecast.p50,
    p95: forecast.p95,
    pmf_from: distribution.from,
    pmf: Array.from(distribution.pmf, (p) => Number(p.toPrecision(DIGITS))),
  };
  return JSON.stringify(record);
}
