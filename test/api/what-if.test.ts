// What-if by tier on both engines. Without an assumption it returns the published ladder.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENGINE_NAMES } from '../store/engines.ts';
import { NOW_TS } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const HOUR_MS = 3_600_000;

for (const engine of ENGINE_NAMES) {
  describe(`what-if on ${engine}`, () => {
    let harness: Harness;
    before(async () => {
      harness = await startHarness({ engine });
    });
    after(() => harness.close());
    const ask = (body: object, key: string | undefined = harness.keys.PRO) =>
      harness.call('/what-if/account_a', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
        ...(key !== '' && { key }),
      });

    it('needs PRO', async () => {
      const body = { event_id: 1001 };
      assert.equal((await ask(body, '')).status, 401);
      assert.equal((await ask(body, harness.keys.FREE)).status, 401);
      assert.equal((await ask(body, harness.keys.INTERNAL)).status, 200);
    });

    it('returns the published and the assumed count, percentiles and ladder', async () => {
      const { json } = await ask({ event_id: 1001, silent_hours: 24, posts_added: 2 });
      const { real_counter, forecast, published, scenario, ladder } = json.data;
      // One of the 82 posts was deleted, and the oracle may never have seen it.
      assert.equal(real_counter, 82);
      assert.deepEqual(forecast, { p5: 81, p50: 81, p95: 82 });
      assert.deepEqual(published, { p5: 98, p50: 127, p95: 149 });
      assert.equal(scenario.wake_ts, NOW_TS + 24 * HOUR_MS);
      assert.ok(ladder.rows[0].model_prob > 0.99);
    });

    it('rejects bad input with 422, and an event that is not running with 404', async () => {
      const bad = [
        {},
        { event_id: 'x' },
        { event_id: 1001, pace_factor: 0 },
        { event_id: 1001, pace_factor: 11 },
        { event_id: 1001, silent_hours: -1 },
        { event_id: 1001, silent_hours: 1, wake_ts: NOW_TS },
        { event_id: 1001, posts_added: 501 },
        { event_id: 1001, posts_added: 1.5 },
        { event_id: 1001, bankroll: 0 },
      ];
      for (const body of bad) assert.equal((await ask(body)).status, 422, JSON.stringify(body));
      for (const eventId of [999, 2001, 1003, 1004]) {
        const { status, json } = await ask({ event_id: eventId });
        assert.deepEqual([status, json], [404, { detail: `account_a has no active event ${eventId}` }]);
      }
    });
  });
}
