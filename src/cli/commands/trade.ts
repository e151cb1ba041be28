// Places orders that follow the advice, on paper unless --live. Runs as a separate process that queries the
// service and trades on an exchange.

import { UsageError } from '../../runtime/errors.ts';
import { readWordsAndOptions } from '../arguments.ts';
import { type Command, note, print } from '../command.ts';
import { checkSetup } from '../trading/check-setup.ts';
import { acceptTransfer, controlTrading, exportTrading, reportTrading } from '../trading/manage.ts';
import { TRADE_OPTIONS, TRADE_OPTIONS_HELP } from '../trading/options.ts';
import { runTrading } from '../trading/run-trading.ts';

export const usage = `usage: npx tallycast trade [ACTION] [options]

Place limit orders that follow the service's advice, on paper by default. Read docs/trading-live.md before using --live.

actions:
  (none)      trade until stopped
  status      show halts and the last trading cycle
  stop        place no new orders and cancel open ones
  flatten     sell all positions at the best bid
  resume      trade again after stop or flatten; with --after-loss also after a loss limit or repeated refusals
  doctor      identify the wallet that the key signs for, and check every step to the first order
  setup       like doctor, and show how to do what is missing; with requests for the owner to sign elsewhere
  accept-transfer   show and accept money that you moved in or out
  report      show profit, drawdown, results by edge kind, fees, phantom fills and capacity
  csv         print every fill as CSV (--equity: the equity curve)

${TRADE_OPTIONS_HELP}

examples:
  npx tallycast trade --key tc_pro_... --bankroll 500
  npx tallycast trade report`;

const ACTIONS = [
  ...['status', 'stop', 'flatten', 'resume', 'report', 'csv'],
  ...['doctor', 'setup', 'accept-transfer'],
];

export const run: Command['run'] = async (args, terminal) => {
  const { positionals, values } = readWordsAndOptions(args, 1, TRADE_OPTIONS);
  const [action] = positionals;
  if (action === undefined) return runTrading(values, terminal);
  if (!ACTIONS.includes(action)) throw new UsageError(`unknown action "${action}": ${ACTIONS.join(', ')}`);
  if (action === 'doctor' || action === 'setup') return checkSetup(values, terminal, action === 'setup');
  if (action === 'accept-transfer') {
    note(terminal, acceptTransfer(values));
    return undefined;
  }
  if (action === 'report' || action === 'status') print(terminal, reportTrading(values, action));
  else if (action === 'csv') print(terminal, exportTrading(values, values.equity === true));
  else note(terminal, controlTrading(values, action, terminal.clock.now()));
  return undefined;
};
