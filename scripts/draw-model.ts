// node scripts/draw-model.ts [POSTS.csv]: draws the model's view of an account into docs/img/model-*.svg.
// Without a file it uses a simulated account, so that the pictures can be reproduced anywhere.

import { readFileSync, writeFileSync } from 'node:fs';
import { ACCOUNT_A } from '../simulator/account-parameters.ts';
import { createPostProcess } from '../simulator/posts/post-process.ts';
import { profileOfLetter } from '../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../src/domain/units.ts';
import { type AxisNames, drawLines, type Series } from '../src/forecast/backtest/plots.ts';
import { parseHistory } from '../src/forecast/backtest/read-history.ts';
import { FORECAST_SEED } from '../src/forecast/backtest/walk-forward.ts';
import { createForecaster, type Forecaster } from '../src/forecast/forecaster.ts';
import { filterCore, initialCore } from '../src/forecast/model/core-state.ts';
import { cutBlocks, meanLogRate } from '../src/forecast/model/state-path.ts';
import { getAccountParameters } from '../src/forecast/parameters.ts';
import { getMarketZone } from '../src/forecast/time/market-zone.ts';
import type { CountDistribution, PostHistory } from '../src/forecast/types.ts';

const START_TS = Date.UTC(2025, 0, 1);
const SHOWN_DAYS = 120;
/** Normal quantile at the edge of a 90 percent band. */
const BAND = 1.645;
const zone = getMarketZone('America/New_York');
const STYLE =
  '<style>:root{--line:#dde3ea;--axis:#7b8794;--main:#0b63b6}svg{fill:#52606d;font-family:sans-serif}rect{fill:#fff}</style><rect width="100%" height="100%"/>';

function drawHistory(): PostHistory {
  const process = createPostProcess(ACCOUNT_A, 11, START_TS);
  const calm = { rateFactor: 1, dispersionFactor: 1, sleepShiftHours: 0 };
  const posts = Array.from({ length: 200 * 24 }, (_, hour) =>
    process.drawHour(START_TS + hour * HOUR_MS, calm),
  ).flat();
  posts.sort((a, b) => a.createdTs - b.createdTs);
  return {
    createdTs: Float64Array.from(posts, (post) => post.createdTs),
    isCounted: Uint8Array.from(posts, (post) => (post.kind === 'reply' ? 0 : 1)),
  };
}

function save(name: string, names: AxisNames, series: readonly Series[], bold: string): void {
  const picture = drawLines(series, bold, names)
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
    .replace('>', `>${STYLE}`);
  writeFileSync(new URL(`../docs/img/model-${name}.svg`, import.meta.url), `${picture}\n`);
}

function line(name: string, length: number, at: (i: number) => { x: number; y: number }): Series {
  return { name, points: Array.from({ length }, (_, i) => at(i)) };
}

function drawProfile(forecaster: Forecaster, nowTs: number): void {
  const { exposure } = forecaster.refit(nowTs);
  const { year, month, day } = zone.localParts(nowTs);
  const hours = line('profile', 24, (hour) => {
    const ts = zone.fromLocal(year, month, day, hour);
    return { x: hour, y: exposure.between(ts, ts + HOUR_MS) };
  });
  save('profile', { x: 'hour of the market day', y: 'relative to the mean' }, [hours], 'profile');
}

/** The core model's estimate of each day's rate, without daily noise. */
function drawLevel(forecaster: Forecaster, nowTs: number): void {
  const { exposure, core } = forecaster.refit(nowTs);
  const { counted, firstTs } = forecaster.timeline;
  const blocks = cutBlocks(counted, exposure, firstTs, nowTs, 400);
  const rates: { rate: number; sd: number }[] = [];
  const start = initialCore(core, meanLogRate(blocks));
  filterCore(blocks.counts, blocks.exposures, core, start, (_, __, { mean, cov }) => {
    const variance = cov[0] + cov[3] + cov[5] + 2 * (cov[1] + cov[2] + cov[4]);
    rates.push({ rate: 24 * Math.exp(mean[0] + mean[1] + mean[2]), sd: Math.sqrt(variance) });
  });
  const from = Math.max(0, rates.length - SHOWN_DAYS);
  const shown = rates.slice(from);
  const at = (z: number) => (i: number) => ({ x: i, y: shown[i]!.rate * Math.exp(z * shown[i]!.sd) });
  save(
    'level',
    { x: 'day', y: 'posts per day' },
    [
      line('level', shown.length, at(0)),
      line('5 percent', shown.length, at(-BAND)),
      line('95 percent', shown.length, at(BAND)),
      line('counted', shown.length, (i) => ({ x: i, y: blocks.counts[from + i]! })),
    ],
    'level',
  );
}

/** A day in quarter hours: activity, and whether the account was considered asleep. */
function drawSession(forecaster: Forecaster, nowTs: number): void {
  const states = Array.from({ length: 97 }, (_, i) =>
    forecaster.activity(nowTs - DAY_MS + i * (HOUR_MS / 4)),
  );
  save(
    'session',
    { x: 'hour', y: '' },
    [
      line('P(asleep) x 10', 97, (i) => ({ x: i / 4, y: 10 * states[i]!.sleepProbability })),
      line('posts in the last hour', 97, (i) => ({ x: i / 4, y: states[i]!.velocityAll1h })),
    ],
    'P(asleep) x 10',
  );
}

function drawForecast(forecaster: Forecaster, nowTs: number): void {
  const request = {
    window: { startTs: nowTs, endTs: nowTs + 7 * DAY_MS },
    asofTs: nowTs,
    countSoFar: 0,
  };
  const said = forecaster.forecast(request);
  const distributions: Record<string, CountDistribution> = {
    pool: said.distribution,
    ...forecaster.memberDistributions(request),
  };
  const to = said.p95 * 1.4;
  const series = Object.entries(distributions).map(([name, { from, pmf }]) =>
    line(name, 100, (i) => {
      const count = Math.round((i / 99) * to);
      return { x: count, y: 1000 * (pmf[count - from] ?? 0) };
    }),
  );
  save('forecast', { x: 'posts in the coming week', y: 'probability, per thousand' }, series, 'pool');
}

const file = process.argv[2];
const history = file === undefined ? drawHistory() : parseHistory(readFileSync(file, 'utf8'));
const nowTs = Math.floor(history.createdTs.at(-1)! / HOUR_MS) * HOUR_MS;
const forecaster = createForecaster(history, getAccountParameters(profileOfLetter('a')), FORECAST_SEED);
for (const draw of [drawProfile, drawLevel, drawSession, drawForecast]) draw(forecaster, nowTs);
