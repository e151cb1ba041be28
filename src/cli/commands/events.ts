// Lists active events with their counts.

import { ASK_OPTIONS_HELP, createQuestion, forEach } from '../ask.ts';
import { describeEvents } from '../describe.ts';

export const usage = `usage: npx tallycast events [options]

List active events with our count, the oracle's count, the market page's count, the difference and the time left.

${ASK_OPTIONS_HELP}

examples:
  npx tallycast events --account b`;

export const run = createQuestion({}, async ({ client, accounts }) => {
  const answers = await forEach(accounts, client.counters);
  return { json: answers, text: () => describeEvents(accounts, answers) };
});
