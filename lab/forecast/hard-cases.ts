// Scores the forecaster with little information: accounts only a few days old, cut from real history, and
// accounts with a suddenly halved or doubled rate.

import type { CountWindow } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { coverageShare } from '../../src/forecast/backtest/score-book.ts';
import { shiftDistribution } from '../../src/forecast/distribution/distribution.ts';
import { createForecaster } from '../../src/forecast/forecaster.ts';
import { Baselines } from '../../src/forecast/model/baselines.ts';
import { crps, pitInterval } from '../../src/forecast/scoring/proper-scores.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import { createTimeline } from '../../src/forecast/time/timeline.ts';
import type { CountDistribution, PostHistory } from '../../src/forecast/types.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import type { BenchAccount } from './sample.ts';
import { LEADS, PARAMETERS, SEED, walkAccount } from './walk.ts';

const AGES_DAYS = [3, 7, 14, 30];
const WARM_UP_DAYS = 150;
const LONG_LEADS = LEADS.filter((lead) => lead >= 48);

class Tally {
  #own = 0;
  #pace = 0;
  #hits = [0, 0];
  #n = 0;

  add(distribution: CountDistribution, final: number, pace: CountDistribution): void {
    const { lo, hi } = pitInterval(distribution, final);
    this.#hits[0]! += coverageShare({ pitLo: lo, pitHi: hi }, 0.9);
    this.#hits[1]! += coverageShare({ pitLo: lo, pitHi: hi }, 0.5);
    this.#own += crps(distribution, final);
    this.#pace += crps(pace, final);
    this.#n += 1;
  }

  toString(): string {
    const [wide, narrow] = this.#hits.map((hits) => ((100 * hits) / this.#n).toFixed(0));
    return `${(100 * (1 - this.#own / this.#pace)).toFixed(1)} ${wide}/${narrow}`;
  }
}

/** Posts in (fromTs, toTs]. */
function cutOut({ createdTs, isCounted }: PostHistory, fromTs: number, toTs: number): PostHistory {
  const first = createdTs.findIndex((ts) => ts > fromTs);
  const after = createdTs.findIndex((ts) => ts > toTs);
  const end = after < 0 ? createdTs.length : after;
  return { createdTs: createdTs.slice(first, end), isCounted: isCounted.slice(first, end) };
}

function windowFrom(zone: MarketZone, ts: number): CountWindow {
  const { year, month, day } = zone.localParts(ts);
  return { startTs: zone.fromLocal(year, month, day, 12), endTs: zone.fromLocal(year, month, day + 7, 12) };
}

/** Skill vs. pace-nb in percent and 90/50% coverage for accounts known for a few days. */
export function printYoung({ name, history }: BenchAccount, zone: MarketZone, cuts: number): void {
  const random = createRandom(17);
  console.log(`\n${name} known for a few days: skill vs. pace-nb, 90/50% coverage at ${LEADS.join(' | ')} h`);
  for (const ageDays of AGES_DAYS) {
    const tallies = LEADS.map((lead) => {
      const tally = new Tally();
      for (let i = 0; i < cuts; i++) scoreCut(history, zone, ageDays, lead, random, tally);
      return tally;
    });
    console.log(`  ${String(ageDays).padStart(2)} days  ${tallies.join(' | ')}  (${cuts} cuts)`);
  }
}

function scoreCut(
  history: PostHistory,
  zone: MarketZone,
  ageDays: number,
  lead: number,
  random: Random,
  tally: Tally,
): void {
  const truth = createTimeline(history);
  const firstTs = truth.firstTs + WARM_UP_DAYS * DAY_MS;
  const { endTs } = windowFrom(
    zone,
    firstTs + random.uniform() * (history.createdTs.at(-1)! - firstTs - 9 * DAY_MS),
  );
  const asofTs = endTs - lead * HOUR_MS;
  // The window never starts before the data, so that both models see every counted post.
  const window = { startTs: Math.max(endTs - 7 * DAY_MS, asofTs - ageDays * DAY_MS), endTs };
  const known = cutOut(history, asofTs - ageDays * DAY_MS, asofTs);
  if (known.createdTs.length === 0) return;
  const countSoFar = truth.counted.countSince(window.startTs, asofTs);
  const final = countSoFar + truth.counted.countSince(asofTs, endTs);
  const request = { window, asofTs, countSoFar };
  const forecaster = createForecaster(known, PARAMETERS, SEED);
  const { exposure } = forecaster.refit(asofTs);
  const { counted, firstTs: bornTs } = createTimeline(known);
  const pace = new Baselines(counted, bornTs).distributions(request, exposure)['pace-nb'];
  tally.add(forecaster.forecast(request).distribution, final, shiftDistribution(pace, countSoFar));
}

/** 90% coverage, starting two weeks after a jump. */
export function printJumps({ name, history }: BenchAccount, zone: MarketZone, cuts: number): void {
  const random = createRandom(17);
  console.log(
    `\n${name} after a rate jump: 90% interval coverage starting in the third week, ${LONG_LEADS.join(' | ')} h`,
  );
  for (const factor of [0.5, 2] as const) {
    const rows = Array.from({ length: cuts }, () => scoreJump(history, zone, factor, random)).flat();
    const cells = LONG_LEADS.map((lead) => {
      const own = rows.filter((row) => row.lead === lead);
      const hits = own.reduce((sum, row) => sum + coverageShare(row.scores.model!, 0.9), 0);
      return ((100 * hits) / own.length).toFixed(0);
    });
    console.log(`  rate x ${factor}  ${cells.join(' | ')}  (${cuts} jumps)`);
  }
}

function scoreJump(history: PostHistory, zone: MarketZone, factor: 0.5 | 2, random: Random) {
  const firstTs = history.createdTs[0]! + WARM_UP_DAYS * DAY_MS;
  const jumpTs = firstTs + random.uniform() * (history.createdTs.at(-1)! - firstTs - 36 * DAY_MS);
  const jumped = cutOut(withJump(history, jumpTs, factor, random), 0, jumpTs + 36 * DAY_MS);
  // Seven-day windows with forecasts in the third week and later.
  const windows = Array.from({ length: 7 }, (_, i) => windowFrom(zone, jumpTs + (15 + 2 * i) * DAY_MS));
  const account = { name: 'jump', group: 'others' as const, history: jumped, windows };
  return walkAccount(account, { zone, before: null, withMembers: false });
}

/** Starting at jumpTs, drops every second post or repeats every post a minute later. */
function withJump(
  { createdTs, isCounted }: PostHistory,
  jumpTs: number,
  factor: 0.5 | 2,
  random: Random,
): PostHistory {
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
