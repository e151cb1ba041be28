// Whether bias correction and recalibration are in force, horizon by horizon, with the numbers behind the verdict.

import type { HorizonFit } from '../model/horizon-fit.ts';
import { negativeBinomialPmf } from './negative-binomial.ts';
import {
  type BetaMap,
  type GateVerdict,
  IDENTITY_MAP,
  judgeBias,
  judgeRecalibration,
  type ResolvedWindows,
} from './recalibration.ts';

export interface HorizonGate {
  hours: number;
  bias: { factor: number; verdict: GateVerdict };
  recalibration: { map: BetaMap; verdict: GateVerdict };
}

export interface Correction {
  biasFactor: number;
  map: BetaMap;
}

const GATED_HOURS = [24, 72, 168];

export function judgeGates(horizons: readonly HorizonFit[], enough: number): HorizonGate[] {
  return horizons
    .filter((fit) => GATED_HOURS.includes(fit.hours))
    .map(({ hours, resolved }) => ({
      hours,
      bias: judgeBias(resolved, enough),
      recalibration: judgeRecalibration(resolved, midPits(resolved)),
    }));
}

/** What is in force for a horizon: the nearest gated one's corrections, where their gates are open. */
export function findCorrection(gates: readonly HorizonGate[], hours: number): Correction {
  const distance = (gate: HorizonGate) => Math.abs(Math.log(gate.hours / Math.max(0.5, hours)));
  const nearest = gates.reduce<HorizonGate | undefined>(
    (best, gate) => (!best || distance(gate) < distance(best) ? gate : best),
    undefined,
  );
  return {
    biasFactor: nearest?.bias.verdict.isOpen ? nearest.bias.factor : 1,
    map: nearest?.recalibration.verdict.isOpen ? nearest.recalibration.map : IDENTITY_MAP,
  };
}

/** Middle of each PIT interval. */
function midPits({ counts, means, sizes }: ResolvedWindows): number[] {
  return counts.map((count, i) => {
    const pmf = negativeBinomialPmf(means[i]!, sizes[i]!);
    let below = 0;
    for (let x = 0; x < Math.min(count, pmf.length); x++) below += pmf[x]!;
    return Math.min(1, below + 0.5 * (pmf[count] ?? 0));
  });
}
