// Forecasts while posts are stale, on the real histories in ../shared if present. Uses few forecast times to run
// quickly; `npx tallycast backtest --gaps FILE` scores any number.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { parseHistory } from '../src/forecast/backtest/read-history.ts';
import { listWindows, type WalkStep, walkForward } from '../src/forecast/backtest/walk-forward.ts';
import { getAccountParameters } from '../src/forecast/parameters.ts';
import { crps } from '../src/forecast/scoring/proper-scores.ts';
import { getMarketZone } from '../src/forecast/time/market-zone.ts';

const LEADS_HOURS = [24];
const GAPS_HOURS = [1, 6];
const WINDOWS = 12;

for (const letter of ['a', 'b']) {
  const file = `../shared/data/account-${letter}-posts.csv`;
  describe(`a forecast during an outage of account ${letter}'s posts`, {
    skip: existsSync(file) ? false : `${file} is missing`,
  }, () => {
    const history = parseHistory(readFileSync(file, 'utf8'));
    const parameters = getAccountParameters(profileOfLetter(letter));
    const lastTs = history.createdTs.at(-1)!;
    const windows = listWindows(
      { length: { days: 7 }, startWeekdays: [2, 5], fromTs: lastTs - 200 * DAY_MS, toTs: lastTs },
      getMarketZone(parameters.marketTimeZone),
    ).slice(0, WINDOWS);
    /** Returns the mean error; each walk runs once and the tests share it. */
    const score = once((leadHours: number, gapHours: number, isOracleKnown: boolean): number => {
      const gaps = windows.map(({ endTs }) => {
        const asofTs = endTs - leadHours * HOUR_MS;
        return { startTs: asofTs - gapHours * HOUR_MS, endTs: asofTs };
      });
      const leadsHours = [leadHours];
      const plan = { history, parameters, windows, leadsHours, withOthers: false, isOracleKnown };
      return meanCrps([...walkForward(gapHours > 0 ? { ...plan, gaps } : plan)]);
    });

    for (const gapHours of GAPS_HOURS) {
      for (const lead of LEADS_HOURS) {
        it(`is no worse after ${gapHours} h, at a lead of ${lead} h, than one made ${gapHours} h earlier`, () => {
          const blind = score(lead, gapHours, false);
          const earlier = score(lead + gapHours, 0, false);
          assert.ok(blind <= earlier + 1e-9, `${blind} against ${earlier}`);
        });
      }
    }

    it('is better after 6 h, at a lead of 24 h, while the oracle still counts', () => {
      const untold = score(24, 6, false);
      const reported = score(24, 6, true);
      assert.ok(reported < untold, `${reported} with the oracle, ${untold} without`);
    });
  });
}

function once<Args extends readonly unknown[]>(ask: (...args: Args) => number): (...args: Args) => number {
  const known = new Map<string, number>();
  return (...args) => {
    const key = args.join();
    const answer = known.get(key) ?? ask(...args);
    known.set(key, answer);
    return answer;
  };
}

function meanCrps(steps: readonly WalkStep[]): number {
  return (
    steps.reduce((sum, { forecast, final }) => sum + crps(forecast.distribution, final), 0) / steps.length
  );
}
