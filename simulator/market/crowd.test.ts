import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createSimulatorState } from '../simulator-state.ts';
import type { CrowdSkill } from './crowd.ts';
import { estimateRate } from './crowd-estimate.ts';

const ANCHOR_TS = Date.UTC(2026, 5, 18);
const NOW_TS = ANCHOR_TS + 150 * DAY_MS;

function openState(crowd: CrowdSkill) {
  const state = createSimulatorState({
    seed: 5,
    anchorTs: ANCHOR_TS,
    clock: createManualClock(NOW_TS),
    crowd,
  });
  state.now();
  return state;
}

/** Mean distance between two crowds' prices over settled weeks of account A, at the given lead. */
function distance(left: CrowdSkill, right: CrowdSkill, leadHours: number): number {
  const [one, other] = [openState(left), openState(right)];
  const weeks = one.countEvents
    .list(NOW_TS)
    .filter(
      ({ kind, accountId, startTs, endTs }) =>
        kind === 'count' &&
        accountId === 'a' &&
        endTs - startTs > 6 * DAY_MS &&
        endTs - startTs < 8 * DAY_MS &&
        startTs > ANCHOR_TS + 60 * DAY_MS &&
        endTs < NOW_TS,
    );
  const apart = weeks.map((event) => {
    const ts = event.endTs - leadHours * HOUR_MS;
    const prices = other.countEvents.prices(event, ts);
    return one.countEvents
      .prices(event, ts)
      .reduce((sum, price, i) => sum + Math.abs(price.mid - prices[i]!.mid) / 2, 0);
  });
  return apart.reduce((sum, value) => sum + value, 0) / apart.length;
}

describe('crowd', () => {
  it('estimates the rate from posts closely, but not exactly', () => {
    const { ledger } = openState('fitted').findAccount(({ accountId }) => accountId === 'a')!;
    const errors = Array.from({ length: 80 }, (_, day) => {
      const ts = ANCHOR_TS + (65 + day) * DAY_MS;
      const { slow, fast } = estimateRate(ledger, [], ts);
      const truth = ledger.process.path.stateAt(ts);
      return slow + fast - truth.slow - truth.fast;
    });
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    assert.ok(rms > 0.1 && rms < 0.35, `rms error ${rms}`);
  });

  it('quotes prices between those of the informed and the easy crowd', () => {
    const far = distance('easy', 'informed', 89);
    const near = distance('fitted', 'informed', 89);
    assert.ok(near > 0.1 && near < far, `fitted ${near}, easy ${far}`);
  });

  it('does not jump on the hour', () => {
    const { countEvents } = openState('fitted');
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
