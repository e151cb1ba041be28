// Checks whether hanging receivers delay the others: compares alternating phases of equal length, with and
// without them, in pairs.

import { median, quantile } from '../core/statistics.ts';

export interface Latency {
  alerts: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Two consecutive phases, one without and one with hanging receivers. */
export interface PhasePair {
  alone: Latency;
  besideHanging: Latency;
}

export interface Delay {
  /** Median extra delay caused by hanging receivers; negative if alerts arrived sooner. */
  medianMs: number;
  /** Minimum and maximum over the pairs. */
  leastMs: number;
  mostMs: number;
  /** p-value: small if the delay is real. */
  chance: number;
}

export function toLatency(delaysMs: readonly number[]): Latency {
  return {
    alerts: delaysMs.length,
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    maxMs: Math.max(...delaysMs),
  };
}

export function comparePhases(pairs: readonly PhasePair[], quantileOf: (latency: Latency) => number): Delay {
  const later = pairs.map(({ alone, besideHanging }) => quantileOf(besideHanging) - quantileOf(alone));
  return {
    medianMs: median(later),
    leastMs: Math.min(...later),
    mostMs: Math.max(...later),
    chance: pValueOf(later),
  };
}

/**
 * Permutation test: if hanging receivers have no effect, either phase of a pair is equally likely to be
 * slower. Returns the share of sign combinations with a sum at least as large.
 */
export function pValueOf(differences: readonly number[]): number {
  const total = differences.reduce((sum, value) => sum + value, 0);
  const throws = 2 ** differences.length;
  let asLarge = 0;
  for (let signs = 0; signs < throws; signs++) {
    const sum = differences.reduce((all, value, i) => all + ((signs >> i) & 1 ? -value : value), 0);
    if (sum >= total - 1e-9) asLarge += 1;
  }
  return asLarge / throws;
}

/** Significance level. With fewer than five pairs no p-value can fall below it, so no delay is reported. */
export const MEASURABLE_BELOW = 0.05;
