// `verify --store` finds nothing wrong in a store that nobody touched, also while its hour is open.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bootService, waitUntil } from '../support/boot.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const HOURS = 2;

describe('verify --store', () => {
  it('accepts a used store', async () => {
    const dataDir = makeTempFolder('verify');
    const service = await bootService({ dataDir, args: ['--simulator-speed', '1800'], until: 'forecasts' });
    const { seals } = service.app.store;
    await waitUntil(async () => (await seals.list(-1, HOURS)).length === HOURS);
    await service.stop();
    const { code, out, err } = await runCommand(['verify', '--store'], { DATA_DIR: dataDir });
    assert.equal(code, 0, out + err);
    assert.match(out, /^intact: \d+ sealed hours, \d+ entries\n$/);
  });
});
