// Scores the forecaster and every baseline on a history file, walking forward; with --signals, what the signals
// would have brought at the prices of a second file.

import { runBacktest } from '../forecast/backtest/command.ts';
import { BACKTEST_USAGE } from '../forecast/backtest/options.ts';
import { createRandom } from '../runtime/random.ts';
import { runSignalBacktest, SIGNALS_USAGE } from '../trade/backtest-signals.ts';
import { runFileCommand } from './file-command.ts';

if (process.argv.includes('--signals')) {
  runFileCommand((args, io) => runSignalBacktest(args, io, createRandom(1)), SIGNALS_USAGE);
} else {
  runFileCommand(runBacktest, BACKTEST_USAGE);
}
