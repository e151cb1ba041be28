// npm run storm -- --seed N --days D [--engine sqlite|postgres]: one deterministic failure run.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../runtime/errors.ts';
import { openScratchStores } from '../storm/scratch-stores.ts';
import { runStorm } from '../storm/storm.ts';
import { runCommand } from './run-command.ts';

const USAGE = 'Usage: storm [--seed N] [--seeds COUNT] [--days D] [--engine sqlite|postgres] [--verbose]';

await runCommand(async (argv) => {
  const { values } = parseArgs({
    args: argv,
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      days: { type: 'string', default: '2' },
      engine: { type: 'string', default: 'sqlite' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  if (values.engine !== 'sqlite' && values.engine !== 'postgres')
    throw new UsageError(`--engine "${values.engine}" is neither sqlite nor postgres`);
  const [first, count, days] = [
    readWhole('--seed', values.seed),
    readWhole('--seeds', values.seeds),
    readWhole('--days', values.days),
  ];
  let failed = 0;
  for (let seed = first; seed < first + count; seed++) {
    const folder = mkdtempSync(join(scratchRoot(), 'tallycast-storm-'));
    const stores = await openScratchStores(values.engine, folder);
    try {
      const onDay = (day: number, broken: number) =>
        console.error(`seed ${seed}: day ${day}, ${broken} broken`);
      const { faults, broken, digest } = await runStorm({
        seed,
        days,
        ...stores,
        ...(values.verbose ? { onDay } : {}),
      });
      for (const line of broken.slice(0, 20)) console.log(`  ${line}`);
      if (broken.length > 0) {
        failed += 1;
        console.log(`replay: npm run storm -- --seed ${seed} --days ${days} --engine ${values.engine}`);
      }
      if (values.verbose) console.error(`seed ${seed}: digest ${digest.toString(16)}`);
      console.log(`storm seed ${seed}: ${days} days, ${faults} faults, ${broken.length} broken`);
    } finally {
      await stores.clear();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  // Pretended processes that were killed leave real timers behind, which nobody needs to wait for.
  process.exit(failed === 0 ? 0 : 1);
});

function readWhole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name}: "${text}" is not a whole number`);
  return Number(text);
}

/** In memory where there is such a place: a storm is not about the disk, and syncs it thousands of times. */
function scratchRoot(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}
