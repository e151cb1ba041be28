// Files that start the service on a real machine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '../../src/config/all-settings.ts';
import { loadConfig } from '../../src/config/config.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const UNITS = globSync('deploy/systemd/*.service', { cwd: ROOT }).sort();
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('systemd units', () => {
  it('start the installed command, as the container does', () => {
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.equal(UNITS.length, 3);
    for (const unit of UNITS)
      assert.match(
        readFileSync(join(ROOT, unit), 'utf8'),
        new RegExp(`^ExecStart=/usr/bin/env ${Object.keys(bin)[0]} start$`, 'm'),
        unit,
      );
    const image = readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8');
    const command = ['node', bin.tallycast.replace('./', ''), 'start'];
    assert.ok(image.includes(`CMD ${JSON.stringify(command).replaceAll(',', ', ')}`));
  });

  it('use only existing settings', () => {
    // Node's own variables, in addition to the service's.
    const known = new Set<string>([...SETTINGS.map(({ name }) => name), 'NODE_COMPILE_CACHE']);
    for (const unit of UNITS) {
      const line = /^Environment=(.*)$/m.exec(readFileSync(join(ROOT, unit), 'utf8'))?.[1] ?? '';
      for (const pair of line.split(' ')) assert.ok(known.has(pair.split('=')[0]!), `${unit}: ${pair}`);
    }
  });

  it('are valid for systemd', { skip: !hasSystemd && 'systemd-analyze is not installed' }, () => {
    const folder = makeTempFolder('units');
    const files = UNITS.map((unit) => {
      // A template unit is checked through one of its instances.
      const file = join(folder, basename(unit).replace('@.', '@1.'));
      writeFileSync(file, readFileSync(join(ROOT, unit)));
      return file;
    });
    const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    });
    const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('tallycast'));
    assert.deepEqual(ours, []);
    assert.equal(status, 0, stderr);
  });
});

describe('the container', () => {
  it('does not start a demo on a public address by default', () => {
    const text = readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8');
    const pairs = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => line!.split(' '));
    const env = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
    assert.equal(env.HOST, '0.0.0.0');
    assert.throws(() => loadConfig([], env), /is not set; live sources need it/);
    assert.equal(loadConfig([], { ...env, SOURCES: 'simulator' }).sources, 'simulator');
  });
});
