// An invalid account aborts startup with a one-line error that identifies it, before anything is opened.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { childEnvironment } from '../support/child-environment.ts';

const BAD: Record<string, [accounts: object[], message: RegExp]> = {
  'an unknown platform': [[{ id: 'a', platform: 'vk' }], /accounts\[0\] "a": platform is "vk"/],
  'an unknown time zone next to a valid account': [
    [{ id: 'a' }, { id: 'b', marketTimeZone: 'Mars/Base' }],
    /accounts\[1\] "b": marketTimeZone is "Mars\/Base"/,
  ],
};

for (const [name, [accounts, message]] of Object.entries(BAD)) {
  it(`${name} aborts startup and leaves the store untouched`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallycast-refused-'));
    const dataDir = join(folder, 'data');
    const path = join(folder, 'config.json');
    writeFileSync(path, JSON.stringify({ accounts, dataDir, port: 0 }));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/bin/tallycast.ts', 'start'], {
      encoding: 'utf8',
      env: childEnvironment({ TALLYCAST_CONFIG: path }),
    });
    assert.notEqual(status, 0);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.ok(!existsSync(dataDir));
    rmSync(folder, { recursive: true, force: true });
  });
}
