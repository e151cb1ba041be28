// Service health and counts.

import { ASK_OPTIONS_HELP, createQuestion, forEach } from '../ask.ts';
import { DONE, FAILED } from '../command.ts';
import { describeStatus } from '../describe.ts';

export const usage = `usage: npx tallycast status [options]

Show health, feed ages and counts. Exits 1 unless the status is ok.

${ASK_OPTIONS_HELP}

examples:
  npx tallycast status
  npx tallycast status --url https://tallycast.example --json | jq .status`;

export const run = createQuestion({}, async ({ client, accounts }) => {
  const [health, counters] = await Promise.all([client.health(), forEach(accounts, client.counters)]);
  const byAccount = Object.fromEntries(accounts.map((account, i) => [account, counters[i]!.data]));
  return {
    json: { ...health, accounts: byAccount },
    text: () => describeStatus(health, byAccount),
    exitCode: health.status === 'ok' ? DONE : FAILED,
  };
});
