// Loads every module of a start once after bundling, so that the compile cache is full before the service
// runs: the first start is then as fast and as small as later ones. node scripts/warm.ts FOLDER

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);

for (const name of ['run', 'start', 'sqlite-store', 'forecast-worker', 'writer-thread', 'simulator-child']) {
  // A thread's entry may refuse to run outside a thread, but it is still compiled.
  await import(pathToFileURL(join(folder!, `${name}.mjs`)).href).catch(() => {});
}
process.exit(0);
