// Alerts survive a killed leader: a few keys, hanging receivers, and a kill while posts arrive.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPlace, ENGINE_NAMES } from '../store/engines.ts';
import { checkAlerts } from './check-alerts.ts';

for (const engine of ENGINE_NAMES) {
  describe(`alerts from a leader killed on ${engine}`, () => {
    it('all arrive, each with a single id', async () => {
      const place = await createPlace(engine);
      try {
        const { dataDir, databaseUrl } = place.options;
        const result = await checkAlerts({
          place: { dataDir, ...(databaseUrl && { databaseUrl }) },
          ...{ keys: 30, postEveryMs: 60, hanging: 2, kills: 2, lifeMs: 250, calmMs: 400 },
        });
        const { missing, doubled, repeatedByOne, pending } = result;
        assert.deepEqual({ missing, doubled, repeatedByOne }, { missing: 0, doubled: 0, repeatedByOne: 0 });
        assert.ok(pending > 0);
      } finally {
        await place.clear();
      }
    });
  });
}
