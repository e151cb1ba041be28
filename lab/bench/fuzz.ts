// npx tallycast lab fuzz --inputs 1000000: feeds this many mutated inputs to each parser; none may throw
// unexpectedly or stall.

import { parseArgs } from 'node:util';
import { type FuzzReport, fuzzParsers, pumpParsers } from '../../test/hostile/fuzz-parsers.ts';

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
let parsers = 0;

function print(name: string, { inputs, problems, slowestMs }: FuzzReport): void {
  parsers += 1;
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(
    `${name}: ${inputs} inputs, ${problems.length} unexpected, slowest ${slowestMs.toFixed(1)} ms, at ${seconds} s`,
  );
}

const isWanted = (name: string) => name.includes(values.only);
const found = await fuzzParsers(Number(values.seed), Number(values.inputs), { isWanted, onDone: print });
const pumped = await pumpParsers(PUMPED_CHARACTERS, { only: values.only });
for (const problem of [...found.problems, ...pumped.problems].slice(0, 20)) console.log(problem);
console.log(
  `${found.inputs} inputs to ${parsers} parsers, ${found.problems.length} unexpected failures, ` +
    `slowest ${found.slowestMs.toFixed(1)} ms (${found.slowest})`,
);
console.log(
  `${pumped.inputs} inputs of ${PUMPED_CHARACTERS} repeated characters, ${pumped.problems.length} unexpected failures, ` +
    `slowest ${pumped.slowestMs.toFixed(1)} ms (${pumped.slowest})`,
);
const isQuick = Math.max(found.slowestMs, pumped.slowestMs) <= STALL_MS;
process.exitCode = isQuick && found.problems.length + pumped.problems.length === 0 ? 0 : 1;
