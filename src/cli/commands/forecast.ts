// Shows a running service's forecasts or, with --posts, forecasts one window in a history file.

import { profileOfLetter } from '../../domain/account-profile.ts';
import { describeForecast, formatForecastLine } from '../../forecast/backtest/describe-forecast.ts';
import { FORECAST_SEED } from '../../forecast/backtest/walk-forward.ts';
import { createForecaster } from '../../forecast/forecaster.ts';
import { getAccountParameters } from '../../forecast/parameters.ts';
import { ASK_OPTIONS_HELP, createQuestion, forEach } from '../ask.ts';
import { parseForecastOptions } from '../backtest-options.ts';
import type { Command } from '../command.ts';
import { describeForecasts } from '../describe.ts';
import { type FileAccess, openFiles, readPosts } from '../files.ts';

export const usage = `usage: npx tallycast forecast [options]
       npx tallycast forecast --posts FILE.csv --start TS --end TS --asof TS [--account a|b] [--columns NAME=HEADER,...]
                         [--json]

Show the forecast for each active event; a PRO key adds percentiles and model probabilities. With --posts, forecast one
window in a history file without a service: times are milliseconds or ISO, posts after --asof are ignored, and --json
prints the whole distribution on one line.

${ASK_OPTIONS_HELP}

examples:
  npx tallycast forecast --key $KEY --account a
  npx tallycast forecast --json | jq '.[0].data[0].markets'
  npx tallycast forecast --posts history.csv --start 2026-03-03T17:00Z --end 2026-03-10T16:00Z --asof 2026-03-06`;

const askService = createQuestion({}, async ({ client, accounts }) => {
  const [answers, counters] = await Promise.all([
    forEach(accounts, client.forecast),
    forEach(accounts, client.counters),
  ]);
  return { json: answers, text: () => describeForecasts(accounts, answers, counters) };
});

export const run: Command['run'] = async (args, terminal) => {
  if (!args.some((argument) => /^--posts(=|$)/.test(argument))) return askService(args, terminal);
  forecastFromFile(args, openFiles(terminal));
  return undefined;
};

export function forecastFromFile(args: readonly string[], files: FileAccess): void {
  const { postsFile, columns, accountId, startTs, endTs, asofTs, isJson } = parseForecastOptions(args);
  const { createdTs, isCounted } = readPosts(files, postsFile, columns);
  let known = 0;
  while (known < createdTs.length && createdTs[known]! <= asofTs) known += 1;
  const history = { createdTs: createdTs.slice(0, known), isCounted: isCounted.slice(0, known) };
  const forecaster = createForecaster(
    history,
    getAccountParameters(profileOfLetter(accountId)),
    FORECAST_SEED,
  );
  const window = { startTs, endTs };
  const counted = forecaster.timeline.counted;
  const countSoFar = Math.max(
    0,
    Math.min(counted.countBefore(endTs), counted.countUpTo(asofTs)) - counted.countBefore(startTs),
  );
  const forecast = forecaster.forecast({ window, asofTs, countSoFar });
  files.print(`${isJson ? formatForecastLine(window, forecast) : describeForecast(window, forecast)}\n`);
}
