import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEUTRAL, PACE_STEPS, paceOf, toBody } from './scenario.ts';

describe('scenario form', () => {
  it('offers a quarter to four times the expected pace, with neutral in the middle', () => {
    const paces = [-PACE_STEPS, 0, PACE_STEPS].map((paceStep) => paceOf({ ...NEUTRAL, paceStep }));
    assert.deepEqual(paces, [0.25, 1, 4]);
    assert.deepEqual(toBody(7, NEUTRAL), { event_id: 7, pace_factor: 1, silent_hours: 0 });
  });

  it('sends a wake time instead of hours of silence, never both', () => {
    const wakeAt = '2026-03-10T09:30';
    assert.deepEqual(toBody(7, { paceStep: 4, silentHours: 5, wakeAt }), {
      event_id: 7,
      pace_factor: 2,
      wake_ts: new Date(wakeAt).getTime(),
    });
    assert.equal(toBody(7, { ...NEUTRAL, silentHours: 5, wakeAt: 'soon' }).silent_hours, 5);
  });
});
