// Scores the forecaster and every baseline on a history file, walking forward.

import { runBacktest } from '../forecast/backtest/command.ts';
import { BACKTEST_USAGE } from '../forecast/backtest/options.ts';
import { runFileCommand } from './file-command.ts';

runFileCommand(runBacktest, BACKTEST_USAGE);
