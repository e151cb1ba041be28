// Every bench by name, in the order of the results page.

import * as capture from './capture.ts';
import * as cli from './cli.ts';
import type { Bench } from './core/bench.ts';
import * as firstMinute from './first-minute.ts';
import * as growth from './growth.ts';
import * as historyYear from './history-year.ts';
import * as hot from './hot.ts';
import * as limiter from './limiter.ts';
import * as overload from './overload.ts';
import * as page from './page.ts';
import * as replicas from './replicas.ts';
import * as soak from './soak.ts';
import * as startUp from './start-up.ts';
import * as whatIf from './what-if.ts';
import * as workers from './workers.ts';

export const BENCHES: readonly Bench[] = [
  { name: 'hot', ...hot },
  { name: 'workers', ...workers },
  { name: 'capture', ...capture },
  { name: 'start-up', ...startUp },
  { name: 'first-minute', ...firstMinute },
  { name: 'cli', ...cli },
  { name: 'limiter', ...limiter },
  { name: 'overload', ...overload },
  { name: 'soak', ...soak },
  { name: 'replicas', ...replicas },
  { name: 'what-if', ...whatIf },
  { name: 'page', ...page },
  { name: 'history-year', ...historyYear },
  { name: 'growth', ...growth },
];

export function findBench(name: string): Bench | undefined {
  return BENCHES.find((bench) => bench.name === name);
}
