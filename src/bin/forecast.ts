// Forecasts one window as of one instant from a history file: the backtest's row, without the answer.

import { runForecast } from '../forecast/backtest/command.ts';
import { FORECAST_USAGE } from '../forecast/backtest/options.ts';
import { runFileCommand } from './file-command.ts';

runFileCommand(runForecast, FORECAST_USAGE);
