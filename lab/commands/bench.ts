// Measures every documented figure again.

import type { Command } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab bench [NAME...] [options]
       npx tallycast lab bench page [--json]

Measure every figure we claim beside its baseline, in one table.

benches: hot, workers, capture, forecast, start-up, first-minute, cli, limiter, memory
long benches, run only when named: overload, soak, replicas, growth, what-if, history-year
separate: page (cost of the dashboard for a visitor)

  --quick       few and short rounds
  --json        rows as JSON: [{name, ours, baseline, ratio, target, pass}]
  --write       update docs/performance.md (replicas: docs/operations.md too)
  --day         send a whole day's requests in the memory bench
  --minutes N   length of the soak
  --rate N      requests a second of the soak (half the capacity by default)
  --strict      exit 1 when a target is missed; by default only when a measurement failed

examples:
  npx tallycast lab bench hot start-up --quick`;

/** Benches with a separate table. */
const ALONE: Readonly<Record<string, string>> = {
  page: 'lab/bench/page.ts',
};

export const run: Command['run'] = async (args, terminal) => {
  const alone = ALONE[args[0] ?? ''];
  return alone ? runProgram(alone)(args.slice(1), terminal) : runProgram('lab/bench/run.ts')(args, terminal);
};
