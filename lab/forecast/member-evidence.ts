// How well each pool member forecast the windows of an unseen account. Contains all inputs for fitting
// weights and widths, so a fit takes seconds once this is cached.

import { createForecaster } from '../../src/forecast/forecaster.ts';
import { Baselines } from '../../src/forecast/model/baselines.ts';
import { bracketHorizon } from '../../src/forecast/model/members.ts';
import { weightsAt } from '../../src/forecast/model/pool-fit.ts';
import { fallDepth } from '../../src/forecast/model/recent-moves.ts';
import { MEMBERS, type SharedKnowledge } from '../../src/forecast/model/shared-coefficients.ts';
import { ORIGIN } from '../../src/forecast/rate/origin-features.ts';
import { crps, pitInterval } from '../../src/forecast/scoring/proper-scores.ts';
import type { CountDistribution } from '../../src/forecast/types.ts';
import type { BenchAccount } from './sample.ts';
import { PARAMETERS, SEED, walkOrigins } from './walk.ts';

export interface Evidence {
  lead: number;
  /** The CRPS of a mixture with weights w is w' form w; row-major. */
  form: number[];
  /** Each member's probability below the outcome, and at the outcome. */
  below: number[];
  given: number[];
  pace: number;
  /** The account's own weights and past misses at forecast time. */
  weights: number[];
  miss: number;
  fall: number;
}

export function gatherEvidence(account: BenchAccount, shared: SharedKnowledge): Evidence[] {
  return walkOrigins(account, (known) => {
    const model = createForecaster(known, PARAMETERS, SEED, shared);
    const baselines = new Baselines(model.timeline.counted, known.createdTs[0]!);
    const origin = new Float64Array(ORIGIN.width);
    return {
      observe: model.observe,
      visit({ request, lead, final }) {
        const { exposure, describer, pool } = model.refit(request.asofTs);
        const coming = final - request.countSoFar;
        const said = model.memberDistributions(request);
        const members = MEMBERS.map((name) => said[name]);
        const pits = members.map((distribution) => pitInterval(distribution, coming));
        describer.describe(request.asofTs, origin);
        const { low, share } = bracketHorizon(pool, lead);
        return {
          lead,
          form: crpsForm(members, coming),
          below: pits.map(({ lo }) => lo),
          given: pits.map(({ lo, hi }) => Math.max(1e-9, hi - lo)),
          pace: crps(baselines.distributions(request, exposure)['pace-nb'], coming),
          weights: [...weightsAt(pool, lead)],
          miss: (1 - share) * pool[low]!.miss + share * pool[low + 1]!.miss,
          fall: fallDepth(origin, 0),
        };
      },
    };
  });
}

/** The CRPS of a mixture is quadratic in its weights if they sum to 1. */
function crpsForm(members: readonly CountDistribution[], count: number): number[] {
  const from = Math.min(count, ...members.map((member) => member.from));
  const end = Math.max(count + 1, ...members.map((member) => member.from + member.pmf.length));
  const width = members.length;
  const misses = new Float64Array(width);
  const below = new Float64Array(width);
  const form = new Array<number>(width * width).fill(0);
  for (let x = from; x < end; x++) {
    members.forEach((member, k) => {
      below[k]! += member.pmf[x - member.from] ?? 0;
      misses[k] = below[k]! - (x >= count ? 1 : 0);
    });
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) form[a * width + b]! += misses[a]! * misses[b]!;
    }
  }
  return form;
}
