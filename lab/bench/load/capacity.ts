// Measures a service's maximum rate with closed-loop connections, few enough not to count as a flood.

import type { BenchOptions } from '../core/bench.ts';
import { median } from '../core/statistics.ts';
import { generateLoad, type LoadRequest } from './generate.ts';
import type { WholeService } from './whole-service.ts';

const CONNECTIONS = 8;
const WARM_UP_S = 2;

export async function measureCapacity(
  options: BenchOptions,
  service: WholeService,
  requests: readonly LoadRequest[],
): Promise<number> {
  const load = { port: service.port, requests, connections: CONNECTIONS, seconds: options.isQuick ? 2 : 5 };
  await generateLoad({ ...load, seconds: WARM_UP_S });
  const rates: number[] = [];
  for (let round = 0; round < (options.isQuick ? 1 : 3); round++) {
    rates.push((await generateLoad(load)).perSecond);
  }
  return median(rates);
}
