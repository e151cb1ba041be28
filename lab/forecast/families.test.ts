import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import { scoreFamilies } from './families.ts';

const PLAN = { days: 260, fromDay: 190, stepDays: 4, leads: [72, 168] };

describe('synthetic accounts', () => {
  for (const name of ['poisson', 'overdispersed']) {
    it(`are forecast almost as well as by the best single member: ${name}`, () => {
      for (const { lead, best, behindPercent, coverage } of scoreFamilies(
        getMarketZone('America/New_York'),
        PLAN,
        [name],
      )) {
        assert.ok(behindPercent < 15, `${lead} h: ${behindPercent.toFixed(1)}% behind ${best}`);
        assert.ok(coverage > 80, `${lead} h: ${coverage.toFixed(0)}% inside the 90% interval`);
      }
    });
  }
});
