import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { ExposureClock } from '../time/exposure.ts';
import { getMarketZone } from '../time/market-zone.ts';
import { SortedTimes } from '../time/timeline.ts';
import { MemoryChoice } from './memory-choice.ts';
import { COUNTED_HALF_LIVES } from './origin-features.ts';
import { RateBank } from './rate-bank.ts';

const START_TS = Date.UTC(2025, 0, 1);
const JUMP_TS = START_TS + 80 * DAY_MS;
const END_TS = JUMP_TS + 6 * DAY_MS;
const FIRST_HOUR = START_TS / HOUR_MS;
const FORTNIGHT = COUNTED_HALF_LIVES.indexOf(14);

/** 40 posts a day, 120 from the jump on. */
function drawTimes(): Float64Array {
  const random = createRandom(7);
  const times: number[] = [];
  for (let hourTs = START_TS; hourTs < END_TS; hourTs += HOUR_MS) {
    for (let left = hourTs < JUMP_TS ? 40 / 24 : 5; left > 0; left--) {
      if (random.uniform() < left) times.push(hourTs + Math.floor(random.uniform() * HOUR_MS));
    }
  }
  return Float64Array.from(times).sort();
}

function createChoice(times: SortedTimes) {
  const profile = new Float64Array(168).fill(1);
  const clock = new ExposureClock(profile, getMarketZone('America/New_York'), FIRST_HOUR, FIRST_HOUR + 2400);
  const bank = new RateBank(times, clock, FIRST_HOUR, COUNTED_HALF_LIVES, 40 / 24, 2400);
  const positions = [3, 7, 14, 28, 90].map((days) => COUNTED_HALF_LIVES.indexOf(days));
  const choice = new MemoryChoice(bank, times, clock, FIRST_HOUR, { positions, own: FORTNIGHT });
  const rates = new Float64Array(COUNTED_HALF_LIVES.length);
  const logRatesAt = (ts: number) => {
    bank.ratesAt(ts, rates);
    return rates.map((rate) => Math.log(rate));
  };
  return { bank, choice, logRatesAt, mixAt: (ts: number) => choice.mixLogRates(ts, logRatesAt(ts), 0) };
}

describe('memory of the rate', () => {
  it('keeps to the steady rate while nothing happens', () => {
    const { mixAt } = createChoice(new SortedTimes(drawTimes()));
    assert.ok(Math.abs(mixAt(JUMP_TS) - Math.log(40 / 24)) < 0.1);
  });

  it('comes near a new rate within six days, where a fortnight of memory is not', () => {
    const { mixAt, logRatesAt } = createChoice(new SortedTimes(drawTimes()));
    const target = Math.log(120 / 24);
    assert.ok(Math.abs(mixAt(END_TS) - target) < 0.35);
    assert.ok(Math.abs(logRatesAt(END_TS)[FORTNIGHT]! - target) > 0.5);
  });

  it('says after a late post what it would have said with it from the start', () => {
    const late = JUMP_TS - 3 * DAY_MS + 1;
    const times = new SortedTimes(drawTimes());
    const grown = createChoice(times);
    grown.mixAt(END_TS);
    times.insert(late);
    grown.bank.invalidateFrom(late);
    grown.choice.invalidateFrom(late);
    const whole = new SortedTimes(Float64Array.from([...drawTimes(), late]).sort());
    assert.equal(grown.mixAt(END_TS), createChoice(whole).mixAt(END_TS));
  });
});
