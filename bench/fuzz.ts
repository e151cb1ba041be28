// npx tallycast fuzz --inputs 1000000: mutated inputs to every parser; nothing may throw unforeseen or stall.

import { parseArgs } from 'node:util';
import { fuzzParsers } from '../test/hostile/fuzz-parsers.ts';

const STALL_MS = 200;

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const { inputs, problems, slowestMs, slowest } = await fuzzParsers(
  Number(values.seed),
  Number(values.inputs),
);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(
  `${inputs} inputs, ${problems.length} unforeseen failures, slowest ${slowestMs.toFixed(1)} ms (${slowest})`,
);
process.exitCode = problems.length > 0 || slowestMs > STALL_MS ? 1 : 0;
