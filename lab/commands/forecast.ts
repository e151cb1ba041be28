// Compares the forecaster with the reference pool and the previous version.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab forecast [PART...] [options]

Score the forecaster beside the reference pool, the negative-binomial pace and the version before it. Without names the
first three parts run, in about ten minutes on one core.

  accounts        14 public accounts, each left out of what accounts share, then A and B: skill, log score,
                  coverage, PIT, buckets
  families        synthetic accounts of seven kinds beside the best single member
  timing          refresh after a post, refit of two years
  young           A and B cut down to a few days of history
  jumps           A and B with a rate that is suddenly halved or doubled
  fit             print the coefficients that accounts share, fitted to the 14
  --data DIR      folder of posts (default ../shared/data)
  --accounts LIST only these, such as A,B,other-03
  --families LIST only these, such as poisson,trend
  --before REV    revision of the version before, or none
  --keep DIR      store fits and scored rows in DIR and continue from them
  --quick         a third of the windows

examples:
  npx tallycast lab forecast accounts --accounts A,B
  npx tallycast lab forecast families timing`;

export const run = runProgram('lab/forecast/run.ts');
