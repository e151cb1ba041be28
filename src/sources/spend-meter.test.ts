import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../runtime/clock.ts';
import { createSpendMeter } from './spend-meter.ts';

const LAST_OF_MONTH = Date.UTC(2026, 10, 30, 23);

function open(capUsd: number | null = null) {
  const clock = createManualClock(LAST_OF_MONTH);
  return { clock, meter: createSpendMeter({ name: 'x', clock, capUsd, capSetting: 'X_MONTHLY_CAP_USD' }) };
}

describe('spend meter', () => {
  it('charges each post once per UTC day and sums by month', () => {
    const { clock, meter } = open();
    meter.chargePosts(['1', '2'], 0.005);
    meter.chargePosts(['2', '3'], 0.005);
    assert.deepEqual(meter.summary(), { dayUsd: 0.015, monthUsd: 0.015, capUsd: null });
    clock.advance(3_600_000);
    meter.chargePosts(['2'], 0.005);
    assert.deepEqual(meter.summary(), { dayUsd: 0.005, monthUsd: 0.005, capUsd: null });
  });

  it('stops at the cap, reports the setting, and resumes next month', () => {
    const { clock, meter } = open(0.01);
    meter.chargePosts(['1', '2'], 0.005);
    assert.throws(
      () => meter.assertWithinCap(),
      /the cap of 0.01 USD a month \(X_MONTHLY_CAP_USD\) is reached/,
    );
    clock.advance(3_600_000);
    meter.assertWithinCap();
  });

  it('restores its state after a restart', () => {
    const { clock, meter } = open(0.01);
    meter.chargePosts(['1', '2'], 0.005);
    const again = createSpendMeter({ name: 'x', clock, capUsd: 0.01, capSetting: '' });
    again.restore(meter.save());
    again.chargePosts(['1'], 0.005);
    assert.deepEqual(again.summary(), meter.summary());
    again.restore('garbage');
    assert.deepEqual(again.summary(), meter.summary());
  });
});
