import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '../domain/units.ts';
import { createManualClock } from '../runtime/clock.ts';
import { createSpendMeter } from '../sources/spend-meter.ts';
import type { CursorStore } from '../store/ports.ts';
import { openSpendKeeper } from './spend-keeper.ts';

describe('the cost of a paid platform', () => {
  it('counts towards one cap, whichever shard spent it', async () => {
    const clock = createManualClock(Date.UTC(2026, 4, 5));
    const saved = new Map<string, string>();
    const cursors: CursorStore = {
      find: async (name) => saved.get(name),
      put: async (name, value) => void saved.set(name, value),
    };
    const open = async (shard?: number) => {
      const meter = createSpendMeter({ name: 'x', clock, capUsd: 10, capSetting: 'CAP' });
      return { meter, keeper: await openSpendKeeper([meter], cursors, clock, shard) };
    };
    const alone = await open();
    alone.meter.charge(1);
    await alone.keeper.save();
    const [first, second] = [await open(1), await open(2)];
    first.meter.charge(4);
    await first.keeper.save();
    second.meter.charge(2);
    clock.advance(MINUTE_MS);
    await second.keeper.save();
    assert.equal(second.meter.summary().monthUsd, 7);
    second.meter.charge(4);
    assert.throws(() => second.meter.assertWithinCap(), /the cap of 10 USD/);
    await second.keeper.save();
    assert.equal((await open(2)).meter.summary().monthUsd, 7);
    await second.keeper.saveLast();
    const restarted = await open(2);
    assert.deepEqual(restarted.meter.summary(), { dayUsd: 11, monthUsd: 11, capUsd: 10 });
    clock.advance(40 * 24 * 60 * MINUTE_MS);
    assert.equal(restarted.meter.summary().monthUsd, 0);
  });
});
