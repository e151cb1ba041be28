// Backtest of outages: the effect of missing hours before an origin on coverage and CRPS.

import { profileOfLetter } from '../domain/account-profile.ts';
import { type GapRow, walkGaps } from '../forecast/backtest/gap-walk.ts';
import { listWindows } from '../forecast/backtest/windows.ts';
import { MODEL_VERSION } from '../forecast/model-version.ts';
import { getAccountParameters } from '../forecast/parameters.ts';
import { getMarketZone } from '../forecast/time/market-zone.ts';
import { parseBacktestOptions, planWindows } from './backtest-options.ts';
import type { FileAccess } from './files.ts';
import { drawProgress } from './progress-bar.ts';
import { readPosts } from './read-posts.ts';
import { formatTable } from './text-table.ts';

const HEADER = [
  ...['lead h', 'gap h', 'n', 'cov90 seeing', 'cov90 blind', 'cov90 oracle'],
  ...['CRPS seeing', 'blind', 'gap h earlier', 'oracle', 'same after repair'],
];

export function runGapBacktest(args: readonly string[], io: FileAccess): void {
  const options = parseBacktestOptions(args);
  const history = readPosts(io, options.postsFile, options.columns);
  const parameters = getAccountParameters(profileOfLetter(options.accountId));
  const zone = getMarketZone(parameters.marketTimeZone);
  const all = listWindows(planWindows(options, history, zone), zone);
  const windows = options.origins === undefined ? all : all.slice(-options.origins);
  const { leadsHours, gapHours: gapsHours } = options;
  const rows = walkGaps({ history, parameters, windows, leadsHours, gapsHours }, (done, total) => {
    if (done % 100 === 0 || done === total) io.report(drawProgress(done, total));
  });
  io.print(
    `account ${options.accountId}, ${windows.length} windows, ${MODEL_VERSION}: posts stale for the hours before each origin\n`,
  );
  io.print(formatTable(HEADER, rows.map(toCells)));
}

function toCells(row: GapRow): (string | number)[] {
  const percent = (value: number) => value.toFixed(1).padStart(5);
  const score = (value: number) => value.toFixed(3).padStart(7);
  return [
    ...[row.leadHours, row.gapHours, row.origins],
    ...[row.coverageSeeing, row.coverageBlind, row.coverageByOracle].map(percent),
    ...[row.crpsSeeing, row.crpsBlind, row.crpsEarlier, row.crpsByOracle].map(score),
    `${row.repairedAlike} of ${row.origins}`,
  ];
}
