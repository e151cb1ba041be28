import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { getMarketZone } from '../time/market-zone.ts';
import { createTimeline } from '../time/timeline.ts';
import { fitModel } from './fitted-model.ts';

const END_TS = Date.UTC(2025, 0, 6);
const DAYS = 220;
const zone = getMarketZone('America/New_York');

/** The factor a week ahead of an account that makes so many posts on each day. */
function learnWeek(postsOf: (day: number) => number): number {
  const times: number[] = [];
  for (let day = 0; day < DAYS; day++) {
    const count = postsOf(day);
    for (let i = 0; i < count; i++) times.push(END_TS - (DAYS - day) * DAY_MS + ((i + 0.5) * DAY_MS) / count);
  }
  const history = {
    createdTs: Float64Array.from(times, (ts) => Math.round(ts)),
    isCounted: new Uint8Array(times.length).fill(1),
  };
  const parameters = { sleepPrior: 0.3, initialPostsPerDay: 20, marketTimeZone: 'America/New_York' };
  const { widths } = fitModel(createTimeline(history), parameters, zone, END_TS);
  return widths.find(({ hours }) => hours === 168)!.factor;
}

describe('the width of the pool', () => {
  it('shrinks for an account whose weeks are steadier than its days', () => {
    const factor = learnWeek((day) => (day % 2 === 0 ? 15 : 45));
    assert.ok(factor < 0.9, `factor ${factor}`);
  });

  it('does not shrink for one whose weeks move as far as its days', () => {
    const factor = learnWeek((day) => (Math.floor(day / 9) % 2 === 0 ? 15 : 45));
    assert.ok(factor > 0.95, `factor ${factor}`);
  });

  it('is as it comes where there is no past to learn from', () => {
    const history = { createdTs: Float64Array.of(END_TS - HOUR_MS), isCounted: Uint8Array.of(1) };
    const parameters = { sleepPrior: 0.3, initialPostsPerDay: 20, marketTimeZone: 'America/New_York' };
    const { widths } = fitModel(createTimeline(history), parameters, zone, END_TS);
    assert.deepEqual(
      widths.map(({ factor }) => factor),
      [1, 1, 1],
    );
  });
});
