// The backtest against the market: a history of posts, a history of prices, and who knew better when.

import { profileOfLetter } from '../domain/account-profile.ts';
import { describeGap, measureGap, parseOracleCounts } from '../forecast/backtest/oracle-file.ts';
import { parseHistory } from '../forecast/backtest/read-history.ts';
import { getAccountParameters } from '../forecast/parameters.ts';
import { createTimeline } from '../forecast/time/timeline.ts';
import { createRandom } from '../runtime/random.ts';
import { compareAll, type MarketComparison, scoreLadders } from '../trade/backtest/market-score.ts';
import { parsePrices } from '../trade/backtest/price-file.ts';
import { walkSignals } from '../trade/backtest/signal-walk.ts';
import { getSizingRules } from '../trade/sizing/sizing-rules.ts';
import { required } from './arguments.ts';
import { parseBacktestOptions } from './backtest-options.ts';
import { type FileAccess, readParsed } from './files.ts';
import { formatTable } from './text-table.ts';

export function runMarketBacktest(args: readonly string[], io: FileAccess): void {
  const options = parseBacktestOptions(args);
  const profile = profileOfLetter(options.accountId);
  const history = readParsed(io, options.postsFile, parseHistory);
  const oracle = options.oracleFile ? readParsed(io, options.oracleFile, parseOracleCounts) : [];
  const finals = new Map(oracle.map(({ window, count }) => [`${window.startTs} ${window.endTs}`, count]));
  const steps = [
    ...walkSignals({
      history,
      parameters: getAccountParameters(profile),
      snapshots: readParsed(io, required(options.pricesFile, '--prices'), parsePrices),
      horizonsH: options.leadsHours,
      fee: { rate: 0, exponent: 1 },
      rules: getSizingRules(profile),
      modelWeight: null,
      findFinal: ({ startTs, endTs }) => finals.get(`${startTs} ${endTs}`) ?? null,
    }),
  ];
  const { counted } = createTimeline(history);
  if (oracle.length > 0) {
    const both = oracle.map(({ window, count }) => ({
      history: counted.countBefore(window.endTs) - counted.countBefore(window.startTs),
      oracle: count,
    }));
    io.print(`${describeGap(measureGap(both))}\n`);
  }
  const rows = compareAll(scoreLadders(steps, counted), createRandom(1));
  io.print('bucket log score, lower is better; differences from the market with 90 % intervals\n');
  io.print(
    formatTable(['', 'n', 'market', 'model', 'blend', 'model - market', 'blend - market'], rows.map(toRow)),
  );
}

function toRow(row: MarketComparison): (string | number)[] {
  const gap = (own: number, { lo, hi }: { lo: number; hi: number }) =>
    `${signed(own - row.market)} [${signed(lo)}, ${signed(hi)}]`;
  const score = (value: number) => value.toFixed(3);
  return [
    row.name,
    row.ladders,
    score(row.market),
    score(row.model),
    score(row.belief),
    gap(row.model, row.modelGain),
    gap(row.belief, row.beliefGain),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}
