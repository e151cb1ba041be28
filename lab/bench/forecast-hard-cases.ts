// How the forecaster does where it knows little: accounts of a few days, cut out of a real record, and a rate that is
// suddenly halved or doubled.
//   node lab/bench/forecast-hard-cases.ts young|jumps POSTS.csv [account] [cuts]

import { readFileSync } from 'node:fs';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import type { CountWindow } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { parseHistory } from '../../src/forecast/backtest/read-history.ts';
import { coverageShare } from '../../src/forecast/backtest/score-book.ts';
import { FORECAST_SEED, walkForward } from '../../src/forecast/backtest/walk-forward.ts';
import { shiftDistribution } from '../../src/forecast/distribution/distribution.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { Baselines } from '../../src/forecast/model/baselines.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { crps, pitInterval } from '../../src/forecast/scoring/proper-scores.ts';
import { getMarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import type { CountDistribution, PostHistory } from '../../src/forecast/types.ts';
import { createRandom } from '../../src/runtime/random.ts';

const LEADS = [6, 24, 48, 72, 120, 168];
const AGES_DAYS = [3, 7, 14, 30];
const WARM_UP_DAYS = 150;
const zone = getMarketZone('America/New_York');
const random = createRandom(17);

const [kind = 'young', file = '', letter = 'a', cuts = kind === 'young' ? '100' : '8'] =
  process.argv.slice(2);
const parameters = getAccountParameters(profileOfLetter(letter));
const record = parseHistory(readFileSync(file, 'utf8'));
const truth = createTimeline(record);
const lastTs = record.createdTs.at(-1)!;

class Tally {
  #own = 0;
  #pace = 0;
  #hits = [0, 0];
  #n = 0;

  add(distribution: CountDistribution, final: number, pace?: CountDistribution): void {
    const { lo, hi } = pitInterval(distribution, final);
    this.#hits[0]! += coverageShare({ pitLo: lo, pitHi: hi }, 0.9);
    this.#hits[1]! += coverageShare({ pitLo: lo, pitHi: hi }, 0.5);
    this.#own += crps(distribution, final);
    if (pace) this.#pace += crps(pace, final);
    this.#n += 1;
  }

  toString(): string {
    const [wide, narrow] = this.#hits.map((hits) => ((100 * hits) / this.#n).toFixed(0));
    const skill = this.#pace > 0 ? `${(100 * (1 - this.#own / this.#pace)).toFixed(1)} ` : '';
    return `${skill}${wide}/${narrow}`;
  }
}

/** The posts of (fromTs, toTs]. */
function cutOut({ createdTs, isCounted }: PostHistory, fromTs: number, toTs: number): PostHistory {
  const first = createdTs.findIndex((ts) => ts > fromTs);
  const after = createdTs.findIndex((ts) => ts > toTs);
  const end = after < 0 ? createdTs.length : after;
  return { createdTs: createdTs.slice(first, end), isCounted: isCounted.slice(first, end) };
}

function windowFrom(ts: number): CountWindow {
  const { year, month, day } = zone.localParts(ts);
  return { startTs: zone.fromLocal(year, month, day, 12), endTs: zone.fromLocal(year, month, day + 7, 12) };
}

function scoreCut(ageDays: number, leadHours: number, tally: Tally): void {
  const firstTs = truth.firstTs + WARM_UP_DAYS * DAY_MS;
  const { endTs } = windowFrom(firstTs + random.uniform() * (lastTs - firstTs - 9 * DAY_MS));
  const asofTs = endTs - leadHours * HOUR_MS;
  // The window begins with the record or later, so that both see every post that counts.
  const window = { startTs: Math.max(endTs - 7 * DAY_MS, asofTs - ageDays * DAY_MS), endTs };
  const known = cutOut(record, asofTs - ageDays * DAY_MS, asofTs);
  if (known.createdTs.length === 0) return;
  const countSoFar = truth.counted.countSince(window.startTs, asofTs);
  const final = countSoFar + truth.counted.countSince(asofTs, endTs);
  const request = { window, asofTs, countSoFar };
  const forecaster = createForecaster(known, parameters, FORECAST_SEED);
  const exposure = forecaster.refit(asofTs).exposure;
  const { counted, firstTs: bornTs } = createTimeline(known);
  const pace = new Baselines(counted, bornTs).distributions(request, exposure)['pace-nb'];
  tally.add(forecaster.forecast(request).distribution, final, shiftDistribution(pace, countSoFar));
}

function showYoung(): void {
  console.log(
    `account ${letter}: skill against pace-nb in percent, coverage of 90/50 % at ${LEADS.join(' | ')} h`,
  );
  for (const ageDays of AGES_DAYS) {
    const tallies = LEADS.map((lead) => {
      const tally = new Tally();
      for (let i = 0; i < Number(cuts); i++) scoreCut(ageDays, lead, tally);
      return tally;
    });
    console.log(`  ${String(ageDays).padStart(2)} days  ${tallies.join(' | ')}`);
  }
}

/** From jumpTs on every second post is left out, or every post is made twice, a minute apart. */
function withJump({ createdTs, isCounted }: PostHistory, jumpTs: number, factor: 0.5 | 2): PostHistory {
  const posts: [number, number][] = [];
  createdTs.forEach((ts, i) => {
    const isKept = ts < jumpTs || factor === 2 || random.uniform() < 0.5;
    if (isKept) posts.push([ts, isCounted[i]!]);
    if (ts >= jumpTs && factor === 2) posts.push([ts + 60_000, isCounted[i]!]);
  });
  posts.sort((a, b) => a[0] - b[0]);
  return {
    createdTs: Float64Array.from(posts, ([ts]) => ts),
    isCounted: Uint8Array.from(posts, ([, counts]) => counts),
  };
}

function scoreJump(factor: 0.5 | 2, tallies: Map<number, Tally>): void {
  const firstTs = truth.firstTs + WARM_UP_DAYS * DAY_MS;
  const jumpTs = firstTs + random.uniform() * (lastTs - firstTs - 36 * DAY_MS);
  const history = cutOut(withJump(record, jumpTs, factor), 0, jumpTs + 36 * DAY_MS);
  // Seven-day windows whose forecasts are all made in the third week and later.
  const windows = Array.from({ length: 7 }, (_, i) => windowFrom(jumpTs + (15 + 2 * i) * DAY_MS));
  for (const step of walkForward({
    history,
    parameters,
    windows,
    leadsHours: LEADS.slice(2),
    withOthers: false,
  })) {
    tallies.get(step.leadHours)!.add(step.forecast.distribution, step.final);
  }
}

function showJumps(): void {
  console.log(
    `account ${letter}: coverage of 90/50 % from two weeks after a jump on, ${LEADS.slice(2).join(' | ')} h`,
  );
  for (const factor of [0.5, 2] as const) {
    const tallies = new Map(LEADS.slice(2).map((lead) => [lead, new Tally()]));
    for (let i = 0; i < Number(cuts); i++) scoreJump(factor, tallies);
    console.log(`  rate x ${factor}  ${[...tallies.values()].join(' | ')}`);
  }
}

if (kind === 'jumps') showJumps();
else showYoung();
