// Files that start the service on a real machine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '../../src/config/all-settings.ts';
import { loadConfig } from '../../src/config/config.ts';

const UNITS = 'deploy/systemd';

describe('deployment files', () => {
  it('are valid systemd units', (t) => {
    if (spawnSync('systemd-analyze', ['--version']).error) return t.skip('systemd-analyze is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'tallycast-units-'));
    try {
      // A template unit is checked through one of its instances.
      const files = readdirSync(UNITS).map((name) => {
        const copy = join(folder, name.replace('@.', '@8081.'));
        copyFileSync(join(UNITS, name), copy);
        return copy;
      });
      assert.equal(files.length, 3);
      const result = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
      const complaints = result.stderr.split('\n').filter((line) => line.includes('tallycast'));
      assert.deepEqual(complaints, []);
      assert.equal(result.status, 0, result.stderr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('do not start a demo on a public address by default', () => {
    const text = readFileSync('deploy/Containerfile', 'utf8');
    const pairs = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => line!.split(' '));
    const env = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
    assert.equal(env.HOST, '0.0.0.0');
    assert.throws(() => loadConfig([], env), /is not set; live sources need it/);
    assert.equal(loadConfig([], { ...env, SOURCES: 'world' }).sources, 'simulator');
  });

  it('use only existing settings', () => {
    // Node's own variables, in addition to the service's.
    const known = new Set<string>([...SETTINGS.map(({ name }) => name), 'NODE_COMPILE_CACHE']);
    for (const file of readdirSync(UNITS)) {
      const line = /^Environment=(.*)$/m.exec(readFileSync(join(UNITS, file), 'utf8'))?.[1] ?? '';
      for (const pair of line.split(' ')) assert.ok(known.has(pair.split('=')[0]!), `${file}: ${pair}`);
    }
  });
});
