import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json, never, scriptHttp } from '../../test/support/scripted-sources.ts';
import { createManualClock } from '../runtime/clock.ts';
import { stopForOperator } from './operator-gate.ts';
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
    assert.throws(() => meter.assertWithinCap(), /X_MONTHLY_CAP_USD/);
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

describe('when the platform refuses a request', () => {
  const cases: [string, () => Response, boolean][] = [
    ['402', () => json({ title: 'CreditsDepleted' }, 402), true],
    ['a 429 without a reset time', () => json({ title: 'UsageCapExceeded' }, 429), true],
    ['a 429 with a reset time', () => json({}, 429, { 'x-rate-limit-reset': '1900000000' }), false],
    [
      'an HTML 429',
      () => new Response('<html>', { status: 429, headers: { 'content-type': 'text/html' } }),
      false,
    ],
    ['500', () => json({}, 500), false],
  ];
  for (const [name, reply, stops] of cases) {
    it(`${name} ${stops ? 'stops' : 'does not stop'} all requests`, async () => {
      const { http, asked } = scriptHttp({ '/': reply });
      const gated = stopForOperator(http);
      for (let i = 0; i < 3; i++)
        await assert.rejects(gated.getJson('/a', {}, never()), { needsOperator: stops });
      assert.equal(asked.length, stops ? 1 : 3);
    });
  }
});
