// Counts invariant violations. Counters start at 0, so that the first violation shows as an increase.

import { Counter, type Registry } from 'prom-client';

export function addInvariantMetrics(
  registry: Registry,
  { counts }: { counts: Iterable<readonly [name: string, count: number]> },
): void {
  new Counter({
    name: 'tallycast_invariant_violations_total',
    help: 'Invariant violations; any violation is a bug',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [name, count] of counts) this.inc({ name }, count);
    },
  });
}
