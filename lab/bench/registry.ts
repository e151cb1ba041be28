// Every bench by name, in the order of the results page.

import * as capture from './capture.ts';
import type { Bench } from './core/bench.ts';
import * as firstMinutes from './first-minutes.ts';
import * as hot from './hot.ts';
import * as overload from './overload.ts';
import * as page from './page.ts';
import * as publicCalls from './public-calls.ts';
import * as readers from './readers.ts';
import * as soak from './soak.ts';
import * as startUp from './start-up.ts';

export const BENCHES: readonly Bench[] = [
  { name: 'hot', ...hot },
  { name: 'capture', ...capture },
  { name: 'start-up', ...startUp },
  // The longest part of start-up by itself.
  { name: 'first-minutes', isLong: true, run: firstMinutes.run },
  { name: 'overload', ...overload },
  { name: 'soak', ...soak },
  { name: 'readers', ...readers },
  { name: 'page', ...page },
  { name: 'public-calls', ...publicCalls },
];

export function findBench(name: string): Bench | undefined {
  return BENCHES.find((bench) => bench.name === name);
}
