import assert from 'node:assert/strict';
import { describeStore } from './engines.ts';

describeStore("a store's origin", (test) => {
  test('is unknown until it is claimed', async ({ origin }) => {
    assert.equal(await origin.find(), undefined);
  });

  test('is set by the first of several claims, concurrent or later', async ({ origin }) => {
    const claimed = await Promise.all([origin.claim('simulator'), origin.claim('live')]);
    assert.equal(new Set(claimed).size, 1);
    assert.equal(await origin.claim(claimed[0] === 'live' ? 'simulator' : 'live'), claimed[0]);
    assert.equal(await origin.find(), claimed[0]);
  });
});
