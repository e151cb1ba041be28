import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCOUNTS, createSnapshot, NOW_TS } from '../api/fixture.ts';
import { type Harness, startHarness } from '../api/harness.ts';

const SOURCE = {
  name: 'x',
  state: 'leads' as const,
  answeredTs: NOW_TS,
  lagMs: 0,
  problem: null,
  spend: { dayUsd: 1.25, monthUsd: 20.5, capUsd: 50 },
};

describe('the cost of the sources', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
    const snapshot = createSnapshot(ACCOUNTS[0]!.accountId);
    harness.board.replace({ ...snapshot, version: snapshot.version + 1, postSources: [SOURCE] });
  });
  after(() => harness.close());

  const listSources = async (key?: string) => {
    const { json } = await harness.call('/health', key === undefined ? {} : { key });
    return Object.values(json.sources as Record<string, Record<string, unknown>[]>).flat();
  };

  it('is in /health for INTERNAL keys', async () => {
    const [source] = await listSources(harness.keys.INTERNAL);
    assert.deepEqual(Object.values(source!.spend_usd as object), [1.25, 20.5, 50]);
  });

  it('is hidden from every other caller, who still sees the source', async () => {
    for (const key of [undefined, harness.keys.FREE, harness.keys.PRO, 'tc_internal_nonsense']) {
      const [source] = await listSources(key);
      assert.equal(source!.name, 'x');
      assert.ok(!('spend_usd' in source!), `key: ${key}`);
    }
  });
});
