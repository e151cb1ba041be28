// Shows the accounts' live streams.

import { readPositive } from '../arguments.ts';
import { ASK_OPTIONS_HELP, createAsk } from '../ask.ts';
import { watch } from '../watch-views.ts';

export const usage = `usage: npx tallycast watch [options]

Show counters, posts, forecasts and prices live. A terminal is redrawn in place; a pipe gets one line per message.

${ASK_OPTIONS_HELP} (one message per line)
  --count N     exit after N messages

examples:
  npx tallycast watch
  npx tallycast watch --account a --json | jq -c 'select(.event == "post") | .data'`;

export const run = createAsk({ count: { type: 'string' } }, async (asking, terminal) => {
  const { count } = asking.own;
  const most = typeof count === 'string' ? readPositive('--count', count) : undefined;
  await watch({ ...asking, count: most }, terminal);
  return undefined;
});
