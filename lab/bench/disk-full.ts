// npx tallycast lab disk-full: simulates a full disk at every write of the embedded store, then repeatedly
// under the whole service; see test/full-disk. Prints the reason and exits with 1 if anything is lost,
// damaged or unclear.

import { parseArgs } from 'node:util';
import { createFullDisk } from '../../test/full-disk/full-disk.ts';
import { runServiceRounds, runStoreRounds } from '../../test/full-disk/rounds.ts';

const { values } = parseArgs({
  options: {
    /**
     * Number of writes of a large round to test, evenly spaced; testing all of them takes about ten minutes.
     */
    large: { type: 'string', default: '400' },
    service: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

async function checkStore(what: string, rounds: number, bodyBytes: number): Promise<void> {
  const disk = createFullDisk();
  try {
    const { writesPerRound, granted, refused, ...done } = await runStoreRounds(disk, { rounds, bodyBytes });
    console.log(
      `${what}: disk full at ${done.rounds} of ${writesPerRound} writes; ${granted} calls stored, ${refused} rejected with a message, all stored on retry; the file is intact`,
    );
  } finally {
    disk.clear();
  }
}

async function checkService(rounds: number, seed: number): Promise<void> {
  const disk = createFullDisk();
  try {
    const { posts, reads } = await runServiceRounds(disk, { rounds, seed });
    console.log(
      `whole service: disk full ${rounds} times; ${reads} reads returned 200, ${posts} posts made in the meantime, none lost`,
    );
  } finally {
    disk.clear();
  }
}

await checkStore('small writes', Infinity, 1_000);
await checkStore('large writes', Number(values.large), 5_000_000);
await checkService(Number(values.service), Number(values.seed));
