// Every bench by name, in the order of the results page.

import * as capture from './capture.ts';
import type { Bench } from './core/bench.ts';
import * as hot from './hot.ts';
import * as overload from './overload.ts';
import * as soak from './soak.ts';
import * as startUp from './start-up.ts';

export const BENCHES: readonly Bench[] = [
  { name: 'hot', ...hot },
  { name: 'capture', ...capture },
  { name: 'start-up', ...startUp },
  { name: 'overload', ...overload },
  { name: 'soak', ...soak },
];

export function findBench(name: string): Bench | undefined {
  return BENCHES.find((bench) => bench.name === name);
}
