// The container image without a container: the steps that fill its root, and its command and health check, run as an
// unprivileged user that can write only to the data folder.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, it } from 'node:test';
import { DEFAULT_SIMULATOR_SEED } from '../../simulator/state-file.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { packOnce } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONTAINERFILE = readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8');
const LIMIT_MB = 200;
/** Size of the base image: C library, certificates, time zones. */
const BASE_MB = 30;
const NO_WALLET = 65_534;
const isRoot = process.getuid?.() === 0;

function commandAfter(word: string): string[] {
  return JSON.parse(new RegExp(`${word} (\\[".*"\\])`).exec(CONTAINERFILE)![1]!);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('the image in a clean root', () => {
  let scratch: string;
  let image: string;
  let dataDir: string;
  let env: NodeJS.ProcessEnv;
  before(() => {
    scratch = makeTempFolder('image');
    chmodSync(scratch, 0o755);
    image = join(scratch, 'opt', 'tallycast');
    dataDir = join(scratch, 'data');
    const made = spawnSync(process.execPath, ['scripts/image-root.mjs', image, packOnce()], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    assert.equal(made.status, 0, made.stderr);
    writeYoungSimulator(dataDir, DEFAULT_SIMULATOR_SEED);
    chmodSync(dataDir, 0o755);
    if (isRoot) chownSync(dataDir, NO_WALLET, NO_WALLET);
    const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' };
    env = childEnvironment({ PATH: join(image, 'bin'), ...settings });
  });

  it(`stays under ${LIMIT_MB} MB`, (t) => {
    const bytes = listFiles(image).reduce((sum, file) => sum + lstatSync(file).size, 0);
    const megabytes = Math.round(bytes / 1_000_000);
    t.diagnostic(`${megabytes} MB on top of a base of about ${BASE_MB} MB`);
    assert.ok(megabytes + BASE_MB < LIMIT_MB, `${megabytes} MB`);
  });

  it('contains no tests, checkout secrets or build tools', () => {
    const names = listFiles(image).map((file) => file.slice(image.length));
    assert.deepEqual(
      names.filter((name) => /\.ts$|tallycast\.config\.json$|^\/data\//.test(name)),
      [],
    );
    assert.deepEqual(
      names.filter((name) => /\/node_modules\//.test(name)),
      [],
    );
  });

  it("runs the Containerfile's command unprivileged, is healthy, and writes only to the data folder", async () => {
    const before = listFiles(image);
    const [node, ...args] = commandAfter('\\nCMD');
    assert.equal(node, 'node');
    const owner = isRoot ? { uid: NO_WALLET, gid: NO_WALLET } : {};
    const command = [join(image, 'bin/node'), ...args, '--payments', 'demo'];
    const child = spawn(command[0]!, command.slice(1), {
      cwd: image,
      env,
      ...owner,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
    const up = new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const url = /^tallycast is running: (\S+)/.exec(line)?.[1];
        if (url) resolve(url);
      });
      child.once('exit', (code) => reject(new Error(`exited with ${code}\n${log}`)));
    });
    const url = await up;
    const [checker, ...check] = commandAfter('HEALTHCHECK[\\s\\S]*?CMD');
    assert.equal(checker, 'node');
    const checkEnv = { ...env, PORT: new URL(url).port };
    const health = spawnSync(join(image, 'bin/node'), check, { env: checkEnv, ...owner });
    assert.equal(health.status, 0);
    assert.equal((await fetch(`${url}/`)).headers.get('content-type')?.startsWith('text/html'), true);
    assert.equal((await fetch(`${url}/api/v1/signals/account_a`)).status, 402);
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, log);
    assert.deepEqual(listFiles(image), before);
    assert.ok(readdirSync(dataDir).includes('tallycast.sqlite'));
  });
});
