// Counts invariant violations. Exported from 0, so that the first one shows as an increase.

import { Counter, type Registry } from 'prom-client';

export function addInvariantMetrics(
  registry: Registry,
  { counts }: { counts: Iterable<readonly [name: string, count: number]> },
): void {
  new Counter({
    name: 'tallycast_invariant_violations_total',
    help: 'Violated invariants; any is a bug',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [name, count] of counts) this.inc({ name }, count);
    },
  });
}
