// Is the forecaster calibrated again after a change of regime? Draws accounts of the simulator whose rate
// triples and whose dispersion doubles at day 300, and prints the coverage of the intervals before and after.
//   node lab/bench/forecast-regime.ts [seeds] [rateFactor] [dispersionFactor]

import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { coverageShare } from '../../src/forecast/backtest/score-book.ts';
import { walkForward } from '../../src/forecast/backtest/walk-forward.ts';
import { listWindows } from '../../src/forecast/backtest/windows.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { pitInterval } from '../../src/forecast/scoring/proper-scores.ts';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import type { PostHistory } from '../../src/forecast/types.ts';
import { ACCOUNT_A, ACCOUNT_B, type SimulatorAccountParameters } from '../simulator/account-parameters.ts';
import { createPostProcess } from '../simulator/posts/post-process.ts';

const START_TS = Date.UTC(2025, 0, 1);
const CHANGE_TS = START_TS + 300 * DAY_MS;
const END_TS = CHANGE_TS + 80 * DAY_MS;
const LEADS = [6, 24, 48, 72, 120, 168];
const PHASES = ['before', 'days 0-14', 'days 14-35', 'days 35+'] as const;

function drawHistory(
  account: SimulatorAccountParameters,
  seed: number,
  rate: number,
  dispersion: number,
): PostHistory {
  const process = createPostProcess(account, seed * 7919 + 13, START_TS);
  const posts: { ts: number; isCounted: boolean }[] = [];
  for (let hourTs = START_TS; hourTs < END_TS; hourTs += HOUR_MS) {
    const isAfter = hourTs >= CHANGE_TS;
    const regime = {
      rateFactor: isAfter ? rate : 1,
      dispersionFactor: isAfter ? dispersion : 1,
      sleepShiftHours: 0,
    };
    for (const post of process.drawHour(hourTs, regime)) {
      posts.push({ ts: post.createdTs, isCounted: post.kind !== 'reply' });
    }
  }
  posts.sort((a, b) => a.ts - b.ts);
  return {
    createdTs: Float64Array.from(posts, (post) => post.ts),
    isCounted: Uint8Array.from(posts, (post) => (post.isCounted ? 1 : 0)),
  };
}

function phaseOf(asofTs: number, endTs: number): (typeof PHASES)[number] | null {
  if (endTs <= CHANGE_TS) return 'before';
  if (asofTs < CHANGE_TS) return null;
  const days = (asofTs - CHANGE_TS) / DAY_MS;
  return days < 14 ? 'days 0-14' : days < 35 ? 'days 14-35' : 'days 35+';
}

/** phase and lead -> sums of coverage at 90 and 50 percent, and how many. */
type Tally = Map<string, { hits90: number; hits50: number; n: number }>;

function scoreHistory(accountId: string, history: PostHistory, tally: Tally): void {
  const windows = listWindows(
    {
      length: { days: 7 },
      startWeekdays: [0, 1, 2, 3, 4, 5, 6],
      fromTs: CHANGE_TS - 40 * DAY_MS,
      toTs: END_TS,
    },
    getMarketZone('America/New_York'),
  );
  const parameters = getAccountParameters(profileOfLetter(accountId));
  for (const step of walkForward({ history, parameters, windows, leadsHours: LEADS, withOthers: false })) {
    const phase = phaseOf(step.asofTs, step.window.endTs);
    if (!phase) continue;
    const pit = pitInterval(step.forecast.distribution, step.final);
    const key = `${phase} ${step.leadHours}`;
    const sums = tally.get(key) ?? { hits90: 0, hits50: 0, n: 0 };
    tally.set(key, sums);
    sums.hits90 += coverageShare({ pitLo: pit.lo, pitHi: pit.hi }, 0.9);
    sums.hits50 += coverageShare({ pitLo: pit.lo, pitHi: pit.hi }, 0.5);
    sums.n += 1;
  }
}

function formatPhase(tally: Tally, phase: string): string {
  return LEADS.map((lead) => {
    const sums = tally.get(`${phase} ${lead}`);
    if (!sums) return '-';
    return `${((100 * sums.hits90) / sums.n).toFixed(0)}/${((100 * sums.hits50) / sums.n).toFixed(0)}`;
  }).join(' | ');
}

const [seeds = '6', rate = '3', dispersion = '2'] = process.argv.slice(2);
for (const account of [ACCOUNT_A, ACCOUNT_B]) {
  const tally: Tally = new Map();
  for (let seed = 1; seed <= Number(seeds); seed++) {
    scoreHistory(account.accountId, drawHistory(account, seed, Number(rate), Number(dispersion)), tally);
  }
  console.log(`account ${account.accountId}: coverage of 90 % / 50 % at ${LEADS.join(' | ')} h`);
  for (const phase of PHASES) console.log(`  ${phase.padEnd(10)} ${formatPhase(tally, phase)}`);
}
