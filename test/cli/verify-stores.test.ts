// `verify --store` finds nothing wrong in untouched stores: right after a first start, and after hours of use.
// VERIFIED_STORES=10 runs the long version.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Store } from '../../src/store/ports.ts';
import { bootService, waitUntil } from '../support/boot.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const STORES = Number(process.env.VERIFIED_STORES ?? 1);
const HOURS_USED = 3;

async function use(
  dataDir: string,
  args: readonly string[],
  until: (store: Store) => Promise<boolean>,
): Promise<void> {
  const service = await bootService({ dataDir, args, until: 'forecasts' });
  await waitUntil(() => until(service.app.store));
  await service.stop();
}

async function assertVerified(dataDir: string): Promise<void> {
  const { code, out, err } = await runCommand(['verify', '--store'], { DATA_DIR: dataDir });
  assert.equal(code, 0, out + err);
}

describe('verify --store', () => {
  for (let seed = 301; seed < 301 + STORES; seed++) {
    it(`accepts a fresh store and a used one (seed ${seed})`, async () => {
      const dataDir = makeTempFolder('verify');
      const args = ['--simulator-seed', String(seed)];
      await use(dataDir, args, async ({ scores }) => (await scores.list({})).length > 0);
      await assertVerified(dataDir);
      const hasSealed = async ({ seals }: Store) => (await seals.list(-1, HOURS_USED)).length === HOURS_USED;
      await use(dataDir, [...args, '--simulator-speed', '1800'], hasSealed);
      await assertVerified(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    });
  }
});
