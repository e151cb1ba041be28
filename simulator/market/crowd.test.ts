import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createSimulatorState } from '../simulator-state.ts';
import { estimateRate } from './crowd-estimate.ts';

const ANCHOR_TS = Date.UTC(2026, 5, 18);
const NOW_TS = ANCHOR_TS + 150 * DAY_MS;

function openState() {
  const state = createSimulatorState({
    seed: 5,
    anchorTs: ANCHOR_TS,
    clock: createManualClock(NOW_TS),
  });
  state.now();
  return state;
}

describe('crowd', () => {
  it('estimates the rate from posts closely, but not exactly', () => {
    const { ledger } = openState().findAccount(({ accountId }) => accountId === 'a')!;
    const errors = Array.from({ length: 80 }, (_, day) => {
      const ts = ANCHOR_TS + (65 + day) * DAY_MS;
      const { slow, fast } = estimateRate(ledger, ts);
      const truth = ledger.process.path.stateAt(ts);
      return slow + fast - truth.slow - truth.fast;
    });
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    assert.ok(rms > 0.1 && rms < 0.35, `rms error ${rms}`);
  });

  it('does not jump on the hour', () => {
    const { countEvents } = openState();
    const event = countEvents
      .list(NOW_TS)
      .find(
        ({ kind, accountId, startTs, endTs }) =>
          kind === 'count' && accountId === 'a' && startTs < NOW_TS && endTs > NOW_TS + 2 * DAY_MS,
      )!;
    const hourTs = Math.floor(NOW_TS / HOUR_MS) * HOUR_MS - 9 * HOUR_MS;
    const [before, after] = [hourTs - 500, hourTs + 500].map((ts) => countEvents.prices(event, ts));
    const largest = Math.max(...before!.map((price, i) => Math.abs(price.mid - after![i]!.mid)));
    assert.ok(largest < 0.01, `a price moved by ${largest} within a second`);
  });
});
