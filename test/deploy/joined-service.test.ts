import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
/** Match references to files that are started rather than imported, in the sources and in the bundle. */
const SOURCES = /new URL\('[./a-z-]*\/([a-z-]+)\.ts', import\.meta\.url\)/g;
const JOINED = /new URL\("\.\/([a-z-]+)\.mjs", import\.meta\.url\)/g;

const namesIn = (files: readonly string[], pattern: RegExp) =>
  new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name!)),
  );

describe('bundled modules', () => {
  // Bundle into node_modules, as at startup, so that imports resolve.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'joined-'));
  const folder = join(scratch, 'joined');
  let files: string[] = [];
  before(() => {
    execFileSync(process.execPath, ['scripts/join-service.mjs', folder], { cwd: ROOT });
    files = readdirSync(folder).map((name) => join(folder, name));
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  it('start the same threads and workers as the sources, from bundled files', () => {
    const rooms = ['app', 'api', 'ingest', 'jobs', 'store'];
    const sources = rooms
      .flatMap((room) => globSync(`src/${room}/**/*.ts`, { cwd: ROOT }))
      .filter((file) => !file.endsWith('.test.ts'));
    const started = namesIn(
      sources.map((file) => join(ROOT, file)),
      SOURCES,
    );
    assert.ok(started.size >= 3);
    assert.deepEqual(namesIn(files, JOINED), started);
    for (const name of started) assert.ok(files.includes(join(folder, `${name}.mjs`)), name);
  });

  it('use paths relative to themselves, so that the package can be moved', () => {
    const beside = /new URL\("([^"]+)", import\.meta\.url\)/g;
    const places = namesIn(files, beside);
    assert.ok(places.size > 3);
    for (const place of places) assert.ok(existsSync(resolve(folder, place)), place);
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
        .replaceAll(beside, '')
        .replaceAll('createRequire(import.meta.url)', '');
      assert.doesNotMatch(text, /import\.meta/, basename(file));
      assert.ok(!text.includes(ROOT), basename(file));
    }
  });

  it('contain every command', () => {
    const usages = ['start', 'status', 'backtest'].map((name) =>
      [join(folder, 'tallycast.mjs'), join(ROOT, 'src/bin/tallycast.ts')].map((entry) =>
        execFileSync(process.execPath, [entry, name, '--help'], { cwd: ROOT, encoding: 'utf8' }),
      ),
    );
    for (const [joined, source] of usages) assert.equal(joined, source);
    const stayed = files.filter((file) => /import\("[^"]*\.ts"\)/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(stayed, []);
  });
});
