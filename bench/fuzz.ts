// npx tallycast fuzz --inputs 1000000: so many mutated inputs to each parser; nothing may throw unforeseen or stall.

import { parseArgs } from 'node:util';
import { fuzzParsers, pumpParsers } from '../test/hostile/fuzz-parsers.ts';

const STALL_MS = 200;
const PUMPED_CHARACTERS = 100_000;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const startedMs = performance.now();
const { inputs, problems, slowestMs, slowest } = await fuzzParsers(
  Number(values.seed),
  Number(values.inputs),
  {
    only: values.only,
    onDone: (name, given) =>
      console.log(`${name}: ${given} inputs, at ${Math.round((performance.now() - startedMs) / 1_000)} s`),
  },
);
for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(
  `${inputs} inputs, ${problems.length} unforeseen failures, slowest ${slowestMs.toFixed(1)} ms (${slowest})`,
);
const pumped = await pumpParsers(PUMPED_CHARACTERS, { only: values.only });
for (const problem of pumped.problems.slice(0, 20)) console.log(problem);
console.log(
  `${pumped.inputs} texts of ${PUMPED_CHARACTERS} repeated characters, ${pumped.problems.length} unforeseen failures, ` +
    `slowest ${pumped.slowestMs.toFixed(1)} ms (${pumped.slowest})`,
);
const isWell =
  [...problems, ...pumped.problems].length === 0 && Math.max(slowestMs, pumped.slowestMs) <= STALL_MS;
process.exitCode = isWell ? 0 : 1;
