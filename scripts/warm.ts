// Loads every module that a start loads, once after an installation, so that the compile cache is full before
// the service runs: the first start is then as quick and as small as all later ones.

const MODULES = [
  '../src/cli/run.ts',
  '../src/cli/commands/start.ts',
  '../src/store/sqlite/sqlite-store.ts',
  '../src/jobs/forecast-worker.ts',
  '../src/store/sqlite/writer-thread.ts',
];

for (const path of MODULES) {
  // A thread's entry may refuse to run outside a thread; it is compiled all the same.
  await import(new URL(path, import.meta.url).href).catch(() => {});
}
process.exit(0);
