// Bundles the CLI and service modules with all packages they use into a few plain JavaScript files, because
// finding and linking a thousand files takes most of a second per thread, and because an installed package
// then has no dependencies. The folder may be moved.
// node scripts/join-service.mjs FOLDER      (setup.mjs runs it whenever the sources have changed)

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  'past-thread': 'src/app/past-thread.ts',
  'simulator-child': 'src/bin/simulator-child.ts',
};
const STARTED =
  /new URL\('[./a-z]*\/(writer-thread|forecast-worker|past-thread|simulator-child)\.ts', import\.meta\.url\)/g;
/** Native parts of pg and ws, which are optional. */
const NATIVE_EXTRAS = new Set(['pg-native', 'bufferutil', 'utf-8-validate']);
/** Importing node:http also loads the platform's HTTP client, which the service does not use. */
const LIGHT_HTTP = '\0light-http';

const keepPlaces = {
  name: 'keep places',
  resolveId(id) {
    if (id === 'node:http') return LIGHT_HTTP;
    return id.startsWith('node:') || NATIVE_EXTRAS.has(id) ? { id, external: true } : null;
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
    // The bundler's own module looks up Node's modules only, so any place will do.
    if (!code.includes('import.meta') || id.startsWith('\0')) return null;
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
  const { output } = await bundle.write({
    dir: making,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  // For the bill of materials (scripts/packages/bill-of-materials.ts).
  writeFileSync(join(making, 'modules.json'), JSON.stringify(listPackages(output)));
  renameSync(making, folder);
} catch (error) {
  rmSync(making, { recursive: true, force: true });
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

/** Returns the folders of the bundled packages, relative to the checkout. */
function listPackages(output) {
  const folders = output
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .map((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, ''))?.[1])
    .filter((path) => path !== undefined);
  return [...new Set(folders)].map((path) => relative(root, path)).sort();
}
