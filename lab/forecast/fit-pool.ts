// Fits the pool parameters shared by all accounts from the members' evidence: initial weights and mixture
// width.

import {
  MEMBERS,
  type MemberName,
  type SharedKnowledge,
  WEIGHT_HOURS,
  type WeightHours,
  type WidthRule,
} from '../../src/forecast/model/shared-coefficients.ts';
import type { Evidence } from './member-evidence.ts';

/** Leads used to fit each horizon. */
const LEADS_OF: Readonly<Record<WeightHours, readonly number[]>> = {
  6: [6],
  24: [24],
  72: [48, 72],
  168: [120, 168],
};

/**
 * Set by hand in an earlier version. The fit is shrunk towards these weights, scaled to sum to 1 and mixed with a
 * tenth of equal weights.
 */
const START: SharedKnowledge['weights'] = {
  6: { core: 0.1, reverting: 0.05, memories: 0.33, fixed: 0, calm: 0.02 },
  24: { core: 0.26, reverting: 0.18, memories: 0.18, fixed: 0.06, calm: 0.02 },
  72: { core: 0.27, reverting: 0.2, memories: 0.14, fixed: 0.14, calm: 0.03 },
  168: { core: 0.27, reverting: 0.2, memories: 0.16, fixed: 0.16, calm: 0.03 },
};
const EVEN = 0.1;
/** An account's loss: CRPS relative to the pace model's, plus this much per nat. */
const NAT = 0.4;
const SHRINKAGE = 0.1;
const ROUNDS = 250;
const STEP = 2;

export function fitPoolKnowledge(
  accounts: readonly (readonly Evidence[])[],
): Pick<SharedKnowledge, 'weights' | 'widths'> {
  const byHorizon = <T>(fit: (hours: WeightHours, rows: Evidence[][]) => T) =>
    Object.fromEntries(
      WEIGHT_HOURS.map((hours) => [
        hours,
        fit(
          hours,
          accounts.map((rows) => rows.filter(({ lead }) => LEADS_OF[hours].includes(lead))),
        ),
      ]),
    ) as Record<WeightHours, T>;
  return { weights: byHorizon(fitWeights), widths: byHorizon(fitWidth) };
}

function fitWeights(hours: WeightHours, accounts: readonly Evidence[][]): Record<MemberName, number> {
  const total = MEMBERS.reduce((sum, name) => sum + START[hours][name], 0);
  const start = MEMBERS.map((name) => ((1 - EVEN) * START[hours][name]) / total + EVEN / MEMBERS.length);
  let weights = start;
  for (let round = 0; round < ROUNDS; round++) {
    const slope = slopeOf(accounts, weights).map((g, k) => g - (SHRINKAGE * start[k]!) / weights[k]!);
    const mean = slope.reduce((sum, g, k) => sum + g * weights[k]!, 0);
    const moved = weights.map(
      (w, k) => w * Math.exp(Math.max(-0.5, Math.min(0.5, STEP * (mean - slope[k]!)))),
    );
    const sum = moved.reduce((left, w) => left + w, 0);
    weights = moved.map((w) => w / sum);
  }
  return Object.fromEntries(MEMBERS.map((name, k) => [name, round3(weights[k]!)])) as Record<
    MemberName,
    number
  >;
}

/** Gradient of the accounts' mean loss. */
function slopeOf(accounts: readonly Evidence[][], weights: readonly number[]): number[] {
  const slope = weights.map(() => 0);
  for (const rows of accounts) {
    const pace = rows.reduce((sum, row) => sum + row.pace, 0);
    for (const { form, given } of rows) {
      const mixed = weights.reduce((sum, w, k) => sum + w * given[k]!, 0);
      for (let a = 0; a < weights.length; a++) {
        const crps = weights.reduce((sum, w, b) => sum + w * form[a * weights.length + b]!, 0);
        slope[a]! += ((2 * crps) / pace - (NAT * given[a]!) / mixed / rows.length) / accounts.length;
      }
    }
  }
  return slope;
}

/** Priors for level, own and fall. */
const WIDTH_PRIOR = { mean: [0, 0.5, 0], sd: [0.1, 0.25, 0.2] };
/** Uses half of the fit, because accounts differ. */
const HALF = 0.5;
/**
 * Effect of calm beyond chance, including the own effect. Set by hand, because none of the 14 accounts is
 * that calm.
 */
const CALM = 0.6;
const MAX_SQUARE = 9;
/** Positions within the outcome's probability step, because counts are discrete. */
const PARTS = [0.125, 0.375, 0.625, 0.875];

/**
 * Standard deviation of the standardised outcomes, by MAP. Up to a day, the regressions determine the width.
 */
function fitWidth(hours: WeightHours, accounts: readonly Evidence[][]): WidthRule {
  if (hours <= 24) return { level: 0, own: 0, calm: hours < 24 ? 0 : CALM, fall: 0 };
  const weight = 0.5 * Math.min(1, 48 / hours);
  const rows = accounts.flat().map((row) => ({ x: [1, row.miss, row.fall], square: squareOf(row) }));
  const fitted = [...WIDTH_PRIOR.mean];
  for (let round = 0; round < ROUNDS; round++) {
    const slope = fitted.map((value, k) => (WIDTH_PRIOR.mean[k]! - value) / WIDTH_PRIOR.sd[k]! ** 2);
    const curve = fitted.map((_, k) => 1 / WIDTH_PRIOR.sd[k]! ** 2);
    for (const { x, square } of rows) {
      const excess = square * Math.exp(-2 * x.reduce((sum, value, k) => sum + value * fitted[k]!, 0));
      x.forEach((value, k) => {
        slope[k]! += weight * value * (excess - 1);
        curve[k]! += weight * 2 * value * value * Math.max(0.5, excess);
      });
    }
    for (let k = 0; k < fitted.length; k++) fitted[k]! += (0.5 * slope[k]!) / curve[k]!;
  }
  const [level, own, fall] = fitted.map((value) => round3(HALF * value));
  return { level: level!, own: own!, calm: round3(CALM - own!), fall: fall! };
}

function squareOf({ weights, below, given }: Evidence): number {
  const mix = (values: readonly number[]) => weights.reduce((sum, w, k) => sum + w * values[k]!, 0);
  const [lo, mass] = [mix(below), mix(given)];
  return (
    PARTS.reduce((sum, part) => sum + Math.min(MAX_SQUARE, probit(lo + part * mass) ** 2), 0) / PARTS.length
  );
}

/** Standard normal quantile, accurate to 0.0005 (Abramowitz and Stegun 26.2.23). */
function probit(p: number): number {
  const tail = Math.max(1e-4, Math.min(p, 1 - p));
  const t = Math.sqrt(-2 * Math.log(tail));
  const z =
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3);
  return p < 0.5 ? -z : z;
}

function round3(x: number): number {
  return Math.round(1000 * x) / 1000;
}
