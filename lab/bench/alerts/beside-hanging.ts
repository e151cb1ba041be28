// Whether receivers that hang delay the others: alike stretches without and with them, in turn, compared pair by pair.

import { median, quantile } from '../core/statistics.ts';

export interface Latency {
  notices: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Two stretches, one right after the other. */
export interface StretchPair {
  alone: Latency;
  besideHanging: Latency;
}

export interface Delay {
  /** Median of how much later a notice came beside receivers that hang; less than nothing where it came sooner. */
  medianMs: number;
  /** Least and most of the pairs. */
  leastMs: number;
  mostMs: number;
  /** How often chance alone makes pairs so much later: small where the delay is real. */
  chance: number;
}

export function toLatency(delaysMs: readonly number[]): Latency {
  return {
    notices: delaysMs.length,
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    maxMs: Math.max(...delaysMs),
  };
}

export function compareStretches(
  pairs: readonly StretchPair[],
  quantileOf: (latency: Latency) => number,
): Delay {
  const later = pairs.map(({ alone, besideHanging }) => quantileOf(besideHanging) - quantileOf(alone));
  return {
    medianMs: median(later),
    leastMs: Math.min(...later),
    mostMs: Math.max(...later),
    chance: chanceOf(later),
  };
}

/**
 * If receivers that hang change nothing, which stretch of a pair was the later one is a coin's throw: the share of all
 * throws that make the sum as large as it is, or larger.
 */
export function chanceOf(differences: readonly number[]): number {
  const total = differences.reduce((sum, value) => sum + value, 0);
  const throws = 2 ** differences.length;
  let asLarge = 0;
  for (let signs = 0; signs < throws; signs++) {
    const sum = differences.reduce((all, value, i) => all + ((signs >> i) & 1 ? -value : value), 0);
    if (sum >= total - 1e-9) asLarge += 1;
  }
  return asLarge / throws;
}

/** Fewer pairs can show nothing at this level, so they show no delay. */
export const MEASURABLE_BELOW = 0.05;
