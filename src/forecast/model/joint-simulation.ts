// Finals of several windows of one account on common paths: one path is one future of the account, so windows
// that overlap move together. Each window keeps its own published law: paths only decide the ranks.

import { createRandom } from '../../runtime/random.ts';
import type { CountLaw } from '../types.ts';

/** What each path expects of one window, and the law its finals must follow. */
export interface JointEvent {
  loads: Float64Array;
  law: CountLaw;
}

/**
 * One draw of counting luck per path, shared: a path that is lucky in one window is lucky in those around it. Drawn once
 * for each number of paths that is asked for.
 */
export function rememberLuck(seed: number): (paths: number) => Float64Array {
  const drawn = new Map<number, Float64Array>();
  return (paths) => {
    const luck = drawn.get(paths) ?? drawLuck(seed, paths);
    drawn.set(paths, luck);
    return luck;
  };
}

function drawLuck(seed: number, paths: number): Float64Array {
  const random = createRandom(seed).fork('joint finals');
  return Float64Array.from({ length: paths }, () => random.normal());
}

/** One array of finals per event, aligned by path. */
export function rankOntoLaws(events: readonly JointEvent[], luck: Float64Array): Int32Array[] {
  return events.map(({ loads, law }) => {
    const noisy = luck.map((normal, p) => {
      const load = loads[p % loads.length]!;
      return load + Math.sqrt(load) * normal;
    });
    const order = Array.from(noisy.keys()).sort((a, b) => noisy[a]! - noisy[b]! || a - b);
    return spreadOverLaw(order, law);
  });
}

/** The path of rank r gets the (r + 1/2) / n quantile. */
function spreadOverLaw(order: readonly number[], law: CountLaw): Int32Array {
  const finals = new Int32Array(order.length);
  let x = 0;
  let below = law.pmf[0]!;
  order.forEach((path, rank) => {
    const q = (rank + 0.5) / order.length;
    while (below < q && x < law.pmf.length - 1) below += law.pmf[++x]!;
    finals[path] = law.from + x;
  });
  return finals;
}
