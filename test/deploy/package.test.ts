// Installs the output of `npm pack` without a checkout, then starts, queries and stops the service.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, it } from 'node:test';
import { DEFAULT_SIMULATOR_SEED } from '../../simulator/state-file.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { packOnce } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
const LIMIT_MB = 20;
const DEADLINE_MS = 60_000;

function npm(args: readonly string[], cwd: string) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8' });
}

describe('the package, installed in an empty folder', () => {
  const home = makeTempFolder('installed');
  const installed = join(home, 'node_modules/tallycast');
  const bin = join(home, 'node_modules/.bin/tallycast');
  const env = childEnvironment({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home });
  before(() => {
    const made = npm(['install', packOnce(), '--offline', ...QUIET], home);
    assert.equal(made.status, 0, made.stderr);
  });

  function run(...args: string[]) {
    return spawnSync(bin, args, { cwd: home, env, encoding: 'utf8' });
  }

  it(`has no dependencies, sources or tests, and takes less than ${LIMIT_MB} MB`, (t) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const files = readdirSync(installed, { recursive: true }).map(String);
    assert.deepEqual(
      files.filter((file) => /\.tsx?$|\.test\.|^(lab|test)\b/.test(file)),
      [],
    );
    assert.deepEqual(
      readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['tallycast'],
    );
    const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
    t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB installed`);
    assert.ok(bytes < LIMIT_MB * 1e6, `${bytes} bytes`);
    assert.ok(existsSync(join(installed, 'tallycast.config.schema.json')));
    assert.ok(run('--version').stdout.startsWith(`tallycast ${version} (`));
  });

  it('lists the packages bundled into it, with reviewed licences and their texts', () => {
    const bill = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string; hashes: { content: string }[] }[];
    };
    const names = bill.components.map(({ name }) => name);
    for (const name of ['kysely', 'pg', 'viem', 'ws', 'react', 'uplot'])
      assert.ok(names.includes(name), name);
    for (const { hashes } of bill.components) assert.match(hashes[0]!.content, /^[0-9a-f]{128}$/);
    const texts = readFileSync(join(installed, 'dist/third-party-licences.txt'), 'utf8');
    for (const { name, version } of bill.components) assert.ok(texts.includes(`${name} ${version} (`), name);
  });

  it('starts, serves requests and stops', { timeout: 4 * DEADLINE_MS }, async () => {
    const dataDir = join(home, 'data');
    writeYoungSimulator(dataDir, DEFAULT_SIMULATOR_SEED);
    const child = spawn(bin, ['start', '--port', '0', '--data-dir', dataDir], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(3 * DEADLINE_MS) });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          const found = /^tallycast is running: (\S+)/.exec(line)?.[1];
          if (found) resolve(found);
        });
        child.once('exit', (code) => reject(new Error(`exited with ${code}\n${log}`)));
      });
      const forecast = run('forecast', '--url', url);
      assert.equal(forecast.status, 0, forecast.stderr);
      for (const path of ['/', '/docs', '/openapi.json', '/llms.txt'])
        assert.equal((await fetch(url + path)).status, 200, path);
      const { version, commit } = (await (await fetch(`${url}/api/v1/health`)).json()) as Record<
        string,
        string
      >;
      assert.deepEqual({ version, commit }, readBuild());
    } finally {
      child.kill('SIGTERM');
    }
    assert.deepEqual(await exited, [0, null], log);
  });

  function readBuild() {
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    return { version, commit: readFileSync(join(installed, 'dist/commit'), 'utf8') };
  }
});
