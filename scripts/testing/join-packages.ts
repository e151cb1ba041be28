// Bundles packages with hundreds of files for the tests: loading the store's packages alone takes a quarter
// of a second of CPU per process and writer thread. The code stays the same. Resolving our own sources by
// path also avoids disk lookups, a third of the remaining loading cost.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Packages with hundreds of files, by import name. */
const JOINED = ['kysely', 'viem', 'viem/accounts', 'viem/chains'];
/** Not bundled, because it looks up its own parts at run time. */
const LEFT_OUT = ['ws', 'isows'];
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/joined', import.meta.url));

/** NODE_OPTIONS that make a process, its threads and its children import the bundled files. */
export async function joinPackages(): Promise<string> {
  const entries = new Map(JOINED.map((name) => [name, fileURLToPath(import.meta.resolve(name))]));
  const folder = join(CACHE, stampOf(entries));
  if (!existsSync(folder)) await makeAtOnce(folder, entries);
  return `--import=${pathToFileURL(join(folder, 'preload.mjs')).href}`;
}

/** A different package version or bundling method gets its own folder. */
function stampOf(entries: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const entry of entries.values()) hash.update(readFileSync(findPackageFile(dirname(entry))));
  return hash.digest('hex').slice(0, 16);
}

function findPackageFile(folder: string): string {
  const file = join(folder, 'package.json');
  const isWhole = existsSync(file) && 'version' in JSON.parse(readFileSync(file, 'utf8'));
  return isWhole ? file : findPackageFile(dirname(folder));
}

/** Another run may be reading or building the same folder. */
async function makeAtOnce(folder: string, entries: ReadonlyMap<string, string>): Promise<void> {
  const making = `${folder}-${process.pid}`;
  await bundle(entries, making);
  writeFileSync(join(making, 'preload.mjs'), writePreload(folder, [...entries.keys()]));
  try {
    renameSync(making, folder);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Uses the same bundler as the page. */
async function bundle(entries: ReadonlyMap<string, string>, dir: string): Promise<void> {
  const ofVite = createRequire(fileURLToPath(import.meta.resolve('vite')));
  const { rolldown } = await import(pathToFileURL(ofVite.resolve('rolldown')).href);
  const input = Object.fromEntries([...entries].map(([name, entry]) => [toFileName(name), entry]));
  const made = await rolldown({ input, platform: 'node', external: LEFT_OUT });
  await made.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
}

function toFileName(name: string): string {
  return name.replace('/', '-');
}

/** A test may start any Node version; one that cannot redirect imports runs without the bundles. */
function writePreload(folder: string, names: readonly string[]): string {
  const urls = names.map((name) => [name, pathToFileURL(join(folder, `${toFileName(name)}.mjs`)).href]);
  return `import module from 'node:module';
const urls = new Map(${JSON.stringify(urls)});
module.registerHooks?.({
  resolve(name, context, next) {
    const { parentURL = '' } = context;
    if (name.startsWith('.') && name.endsWith('.ts') && parentURL.startsWith('file:'))
      return { url: new URL(name, parentURL).href, format: 'module-typescript', shortCircuit: true };
    const url = urls.get(name);
    return url ? { url, format: 'module', shortCircuit: true } : next(name, context);
  },
});
`;
}
