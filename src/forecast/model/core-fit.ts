// MAP fit of the core parameters around cross-account priors: log-normal, except normal for `unrest`.

import { type CoreParameters, filterCore, initialCore, PRIOR_PARAMETERS } from './core-state.ts';

export interface CorePrior {
  centre: CoreParameters;
  /** Prior standard deviation of each parameter, on the log scale except for `unrest`. */
  sd: CoreParameters;
}

export const CORE_PRIOR: CorePrior = {
  centre: PRIOR_PARAMETERS,
  sd: {
    fastDays: Math.log(1.3),
    fastSd: Math.log(1.25),
    slowDays: Math.log(1.3),
    slowSd: Math.log(1.5),
    daySd: Math.log(1.6),
    levelStepSd: Math.log(2),
    unrest: 0.25,
  },
};

const MAX_EVALUATIONS = 180;
const NAMES = ['fastDays', 'fastSd', 'slowDays', 'slowSd', 'daySd', 'levelStepSd', 'unrest'] as const;

export function fitCore(
  counts: ArrayLike<number>,
  exposures: ArrayLike<number>,
  logLevel: number,
): CoreParameters {
  const { centre, sd } = CORE_PRIOR;
  const start = NAMES.map((name) => (name === 'unrest' ? centre.unrest : Math.log(centre[name])));
  const lost = (point: number[]) => {
    const parameters = toParameters(point);
    let penalty = 0;
    NAMES.forEach((name, i) => {
      penalty += 0.5 * ((point[i]! - start[i]!) / sd[name]) ** 2;
    });
    const result = filterCore(counts, exposures, parameters, initialCore(parameters, logLevel));
    return penalty - result.logLikelihood;
  };
  return toParameters(minimise(lost, start, 0.25, MAX_EVALUATIONS).point);
}

function toParameters(point: readonly number[]): CoreParameters {
  const [fastDays, fastSd, slowDays, slowSd, daySd, levelStepSd] = point.map((x) => Math.exp(x));
  return {
    fastDays: fastDays!,
    fastSd: fastSd!,
    slowDays: slowDays!,
    slowSd: slowSd!,
    daySd: daySd!,
    levelStepSd: levelStepSd!,
    unrest: point[6]!,
  };
}

// Derivative-free, deterministic minimiser for the few parameters of the state space.

export interface Minimum {
  point: number[];
  value: number;
}

function minimise(
  target: (point: number[]) => number,
  start: readonly number[],
  step: number,
  maxEvaluations: number,
): Minimum {
  const n = start.length;
  const simplex: Minimum[] = [];
  let evaluations = 0;
  const evaluate = (point: number[]): Minimum => {
    evaluations += 1;
    return { point, value: target(point) };
  };
  simplex.push(evaluate([...start]));
  for (let i = 0; i < n; i++) simplex.push(evaluate(start.map((x, j) => (i === j ? x + step : x))));
  while (evaluations < maxEvaluations) {
    simplex.sort((a, b) => a.value - b.value);
    const best = simplex[0]!;
    const worst = simplex[n]!;
    if (worst.value - best.value < 1e-5) break;
    const centre = start.map((_, j) => simplex.slice(0, n).reduce((sum, v) => sum + v.point[j]!, 0) / n);
    const along = (scale: number) => evaluate(centre.map((c, j) => c + scale * (worst.point[j]! - c)));
    const reflected = along(-1);
    if (reflected.value < best.value) {
      const expanded = along(-2);
      simplex[n] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < simplex[n - 1]!.value) {
      simplex[n] = reflected;
    } else {
      const contracted = along(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < Math.min(worst.value, reflected.value)) simplex[n] = contracted;
      else shrinkTowards(simplex, evaluate);
    }
  }
  simplex.sort((a, b) => a.value - b.value);
  return simplex[0]!;
}

function shrinkTowards(simplex: Minimum[], evaluate: (point: number[]) => Minimum): void {
  const best = simplex[0]!;
  for (let i = 1; i < simplex.length; i++) {
    simplex[i] = evaluate(simplex[i]!.point.map((x, j) => best.point[j]! + 0.5 * (x - best.point[j]!)));
  }
}
