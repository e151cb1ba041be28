import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ACCOUNTS } from '../../../test/api/fixture.ts';
import { eventOf, ORIGIN_TS, postOf } from '../../../test/jobs/jobs-fixture.ts';
import { openTempStore } from '../../../test/support/temp-store.ts';
import { createKeyService } from '../../access/key-service.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createDemoAlerts } from './demo-alerts.ts';

describe('demo alerts', () => {
  it('list what the last days would have raised, marked and never sent, for the demo key alone', async () => {
    const clock = createManualClock(ORIGIN_TS);
    const { store, close } = await openTempStore(clock);
    const keys = createKeyService(store.keys, clock);
    const { record: demo } = await keys.issue({ tier: 'PRO', label: 'demo' });
    const { record: other } = await keys.issue({ tier: 'PRO', label: 'other' });
    const [ended, open] = [eventOf(7, ORIGIN_TS - 9 * DAY_MS, 8), eventOf(8, ORIGIN_TS - DAY_MS, 7)];
    await store.events.upsert([ended, open]);
    const settledTs = ORIGIN_TS - 20 * HOUR_MS;
    const outcome = { finalCount: 25, winningLabel: '20-39', source: 'oracle' as const };
    await store.settlements.record({ eventId: 7, accountId: 'a', ...outcome, settledTs });
    const crossedTs = open.window.startTs + 21 * MINUTE_MS;
    const minutes = Array.from({ length: 30 }, (_, i) => open.window.startTs + (i + 2) * MINUTE_MS);
    await store.posts.recordCaptures(minutes.map((ts) => postOf(ts)));
    const demoAlerts = createDemoAlerts({
      ...{ accounts: ACCOUNTS, store, publicUrl: '', clock, wallClock: clock, logger: silentLogger },
      keyLabel: 'demo',
    });
    void demoAlerts.start();
    const list = () => store.alerts.listPage(demo.keyId, { after: null, limit: 100 });
    for (let round = 0; round < 500 && (await list()).length < 2; round++) {
      await clock.advanceAsync(1_000);
      await setImmediate();
    }
    await demoAlerts.stop();
    assert.deepEqual(
      (await list()).map(({ kind, happenedTs, dueTs, data }) => [kind, happenedTs, dueTs, data.recomputed]),
      [
        ['settled', settledTs, null, true],
        ['bucket_crossed', crossedTs, null, true],
      ],
    );
    const { text } = (await list())[1]!;
    assert.ok(text.endsWith(`now in 20-39. ${open.title} Recomputed from the past; not sent.`), text);
    const rules = await store.rules.listForKey(demo.keyId);
    assert.ok(rules.length > 0 && rules.every(({ channelIds }) => channelIds.length === 0));
    assert.deepEqual(await store.rules.listForKey(other.keyId), []);
    await close();
  });
});
