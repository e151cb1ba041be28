// A short storm on each engine, and every seed that ever failed. For longer storms: npm run storm -- --seed N
// --days D.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REMEMBERED_SEEDS } from './seeds.ts';
import { weather } from './weather.ts';

describe('a storm', () => {
  for (const { seed, days, engine, showed } of REMEMBERED_SEEDS) {
    it(`breaks nothing on ${engine} with seed ${seed}, which once found: ${showed}`, async () => {
      assert.deepEqual((await weather({ engine, seed, days })).broken, []);
    });
  }

  it('breaks nothing on PostgreSQL', async () => {
    const { broken, faults } = await weather({ engine: 'postgres', seed: 4, days: 0.5 });
    assert.deepEqual(broken, []);
    assert.ok(faults > 0);
  });
});
