// Measures every documented performance number.

import type { Command } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab bench [NAME...] [options]

Measure every published performance number against its baseline and print one table.

benches: hot, workers, capture, start-up, first-minute, cli, limiter
long benches, run only when named: overload, soak, replicas, growth, what-if, page, history-year

  --quick       fewer, shorter rounds
  --json        rows as JSON: [{name, ours, baseline, ratio, target, pass}]
  --write       update docs/performance.md (replicas: docs/operations.md too)
  --minutes N   length of the soak
  --rate N      requests per second in the soak (default: half the capacity)
  --strict      exit 1 when a target is missed; by default only when a measurement failed

examples:
  npx tallycast lab bench hot start-up --quick`;

export const run: Command['run'] = runProgram('lab/bench/run.ts');
