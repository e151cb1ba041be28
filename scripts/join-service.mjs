// Bundles the CLI and service modules into a few plain JavaScript files, because finding and linking a
// thousand files takes most of a second per thread. The folder may be moved with the package.
// node scripts/join-service.mjs FOLDER      (setup.mjs runs it whenever the sources have changed)

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = resolve(process.argv[2]);

/** Entry points, modules loaded on demand and threads. Commands become chunks automatically. */
const ENTRIES = {
  tallycast: 'src/bin/tallycast.ts',
  run: 'src/cli/run.ts',
  start: 'src/cli/commands/start.ts',
  'sqlite-store': 'src/store/sqlite/sqlite-store.ts',
  'writer-thread': 'src/store/sqlite/writer-thread.ts',
  'forecast-worker': 'src/jobs/forecasting/forecast-worker.ts',
  'simulator-child': 'src/bin/simulator-child.ts',
};
const STARTED =
  /new URL\('[./a-z]*\/(writer-thread|forecast-worker|simulator-child|worker)\.ts', import\.meta\.url\)/g;
/** Bundles packages with hundreds of files and their imports; all others stay external. */
const JOINED_PACKAGES = /^(?:kysely|viem)(?:\/|$)/;
const IN_JOINED_PACKAGE = /\/node_modules\/(?:kysely|viem|ox|abitype|@noble|@scure)\//;
/** Importing node:http also loads the platform's HTTP client, which the service does not use. */
const LIGHT_HTTP = '\0light-http';

const keepPlaces = {
  name: 'keep places',
  resolveId(id, importer = '') {
    if (id === 'node:http') return LIGHT_HTTP;
    if (/^[./]/.test(id) || JOINED_PACKAGES.test(id) || IN_JOINED_PACKAGE.test(importer)) return null;
    return { id, external: true };
  },
  load(id) {
    if (id !== LIGHT_HTTP) return null;
    const names = Object.entries(Object.getOwnPropertyDescriptors(http))
      .filter(([, property]) => 'value' in property)
      .map(([name]) => name);
    return `const http = process.getBuiltinModule('node:http');
export default http;
export const { ${names.join(', ')} } = http;`;
  },
  /** Lets a module still find files next to its source; threads are bundled files. */
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    if (/import\.meta\.(?!url\b)/.test(code)) throw new Error(`${id}: only import.meta.url can be bundled`);
    const source = relative(folder, id).replaceAll(sep, '/');
    return code
      .replace(STARTED, "new URL('./$1.mjs', import.meta.joined)")
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.joined).href`)
      .replaceAll('import.meta.joined', 'import.meta.url');
  },
};

/** The bundler that builds the page. */
async function importBundler() {
  const ofVite = createRequire(fileURLToPath(import.meta.resolve('vite')));
  return import(pathToFileURL(ofVite.resolve('rolldown')).href);
}

const { rolldown } = await importBundler();
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(root, path)])),
  platform: 'node',
  plugins: [keepPlaces],
});
// Build elsewhere and rename atomically, because another process may be reading.
const making = join(dirname(folder), `.${basename(folder)}-${process.pid}`);
mkdirSync(making, { recursive: true });
try {
  await bundle.write({
    dir: making,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  renameSync(making, folder);
} catch (error) {
  rmSync(making, { recursive: true, force: true });
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
