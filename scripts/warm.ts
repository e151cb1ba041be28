// Loads every module used at startup once after bundling, to fill the compile cache: the first start is then
// as fast and uses as little memory as later ones. node scripts/warm.ts FOLDER

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);

const THREADS = ['forecast-worker', 'writer-thread', 'past-thread', 'simulator-child'];

for (const name of ['run', 'start', 'sqlite-store', ...THREADS]) {
  // A thread's entry point may refuse to run outside a thread, but it has been compiled by then.
  await import(pathToFileURL(join(folder!, `${name}.mjs`)).href).catch(() => {});
}
process.exit(0);
