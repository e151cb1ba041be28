// An invalid account aborts startup with a one-line error that identifies it, before anything is opened.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { childEnvironment } from '../support/child-environment.ts';
import { makeTempFolder } from '../support/temp-store.ts';

it('an invalid account next to a valid one aborts startup and leaves the store untouched', () => {
  const folder = makeTempFolder('refused');
  const dataDir = join(folder, 'data');
  const path = join(folder, 'config.json');
  const accounts = [{ id: 'a' }, { id: 'b', marketTimeZone: 'Mars/Base' }];
  writeFileSync(path, JSON.stringify({ accounts, dataDir, port: 0 }));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/bin/tallycast.ts', 'start'], {
    encoding: 'utf8',
    env: childEnvironment({ TALLYCAST_CONFIG: path }),
  });
  assert.notEqual(status, 0);
  assert.equal(stdout, '');
  assert.match(stderr, /accounts\[1\] "b": marketTimeZone is "Mars\/Base"/);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.ok(!existsSync(dataDir));
});
