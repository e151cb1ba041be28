// Forecasts while posts are dark, on the real histories beside the project where they are there. A few origins, for
// time; `npx tallycast backtest --gaps FILE` scores as many as are asked for.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { profileOfLetter } from '../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { parseHistory } from '../src/forecast/backtest/read-history.ts';
import { type WalkStep, walkForward } from '../src/forecast/backtest/walk-forward.ts';
import { listWindows } from '../src/forecast/backtest/windows.ts';
import { getAccountParameters } from '../src/forecast/parameters.ts';
import { crps } from '../src/forecast/scoring/proper-scores.ts';
import { getMarketZone } from '../src/forecast/time/market-zone.ts';

const LEADS_HOURS = [24];
const GAPS_HOURS = [1, 6];
const WINDOWS = 12;

for (const letter of ['a', 'b']) {
  const file = `../shared/data/account-${letter}-posts.csv`;
  describe(`posts of account ${letter} unseen for hours`, {
    skip: existsSync(file) ? false : `${file} is not there`,
  }, () => {
    const history = parseHistory(readFileSync(file, 'utf8'));
    const parameters = getAccountParameters(profileOfLetter(letter));
    const lastTs = history.createdTs.at(-1)!;
    const windows = listWindows(
      { length: { days: 7 }, startWeekdays: [2, 5], fromTs: lastTs - 200 * DAY_MS, toTs: lastTs },
      getMarketZone(parameters.marketTimeZone),
    ).slice(0, WINDOWS);
    const walk = (leadsHours: number[], gapHours: number, isOracleKnown = false): WalkStep[] => {
      const gaps = windows.flatMap(({ endTs }) =>
        leadsHours.map((lead) => {
          const asofTs = endTs - lead * HOUR_MS;
          return { startTs: asofTs - gapHours * HOUR_MS, endTs: asofTs };
        }),
      );
      const plan = { history, parameters, windows, leadsHours, withOthers: false, isOracleKnown };
      return [...walkForward(gapHours > 0 ? { ...plan, gaps } : plan)];
    };

    for (const gapHours of GAPS_HOURS) {
      for (const lead of LEADS_HOURS) {
        it(`${gapHours} h at ${lead} h: no worse than a forecast made ${gapHours} h earlier`, () => {
          const blind = meanCrps(walk([lead], gapHours));
          const earlier = meanCrps(walk([lead + gapHours], 0));
          assert.ok(blind <= earlier + 1e-9, `${blind} against ${earlier}`);
        });
      }
    }

    it('for 6 h at 24 h: better where the oracle still counts', () => {
      const untold = meanCrps(walk([24], 6));
      const told = meanCrps(walk([24], 6, true));
      assert.ok(told < untold, `${told} with the oracle, ${untold} without`);
    });
  });
}

function meanCrps(steps: readonly WalkStep[]): number {
  return steps.reduce((sum, { forecast, final }) => sum + crps(forecast.law, final), 0) / steps.length;
}
