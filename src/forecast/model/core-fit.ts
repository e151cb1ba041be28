// MAP fit of the core parameters around cross-account priors: log-normal, except normal for `unrest`.

import { minimise } from '../numeric/nelder-mead.ts';
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
