// How each simulated future spreads its load over time: over days by its own rates, within a day by the
// exposure profile, so that the count stays flat at night.

import { DAY_MS } from '../../domain/units.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { CoreParameters } from './core-state.ts';
import type { Outlook } from './members.ts';
import type { RatePaths } from './rate-paths.ts';
import { cutComingBlocks } from './state-path.ts';

/** For each path and time, the fraction of the load up to endTs that falls before it; also fills `loads`. */
export function shareLoads(
  { asofTs, fromTs, endTs, core }: Outlook,
  parameters: CoreParameters,
  exposure: ExposureClock,
  paths: RatePaths,
  times: readonly number[],
  loads: Float64Array,
): Float64Array {
  const blocks = cutComingBlocks(exposure, asofTs, fromTs, endTs);
  const days = blocks.exposures.length;
  const running = new Float64Array(loads.length * days);
  paths.loads(core, parameters, blocks, { loads, running });
  const shares = new Float64Array(loads.length * times.length);
  times.forEach((ts, k) => {
    const day = Math.max(0, Math.min(days - 1, Math.floor((ts - asofTs) / DAY_MS)));
    const whole = blocks.exposures[day]!;
    const come = exposure.between(Math.max(fromTs, asofTs + day * DAY_MS), Math.min(ts, endTs));
    const part = whole > 0 ? Math.min(1, come / whole) : 1;
    for (let p = 0; p < loads.length; p++) {
      const before = day === 0 ? 0 : running[p * days + day - 1]!;
      const load = before + part * (running[p * days + day]! - before);
      shares[p * times.length + k] = ts >= endTs ? 1 : load / loads[p]!;
    }
  });
  return shares;
}

/** Without a profile, all hours are equal. */
export function shareEvenly(times: readonly number[], fromTs: number, paths: number): Float64Array {
  const endTs = times.at(-1)!;
  const share = times.map((ts) => Math.max(0, ts - fromTs) / (endTs - fromTs));
  return Float64Array.from({ length: paths * times.length }, (_, i) => share[i % times.length]!);
}
