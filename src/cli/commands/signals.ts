// Lists signals with stake sizes for every open bucket.

import { ASK_OPTIONS_HELP, createQuestion, forEach, readBankroll } from '../ask.ts';
import { describeSignals, describeToDo } from '../describe.ts';

export const usage = `usage: npx tallycast signals [options]

List what to do now, the last advice with its outcome, and signals with stake sizes for every open bucket, best edge
first. Needs a PRO key. Signals are model estimates, not guaranteed profit.

${ASK_OPTIONS_HELP}
  --bankroll USD   1 to 1000000 (default: the service's)
  --actionable     only events where the advice is to buy or sell

examples:
  npx tallycast signals --bankroll 500 --actionable --key $KEY`;

export const run = createQuestion(
  { bankroll: { type: 'string' }, actionable: { type: 'boolean' } },
  async ({ client, accounts, own }) => {
    const query = { bankroll: readBankroll(own), only_with_signals: own.actionable === true };
    const [answers, now, activity] = await Promise.all([
      forEach(accounts, (account) => client.signals(account, query)),
      client.opportunities({ bankroll: query.bankroll, limit: 3 }),
      client.activity({ limit: 1 }),
    ]);
    const text = () => `${describeToDo(now, activity)}\n${describeSignals(accounts, answers)}`;
    return { json: answers, text };
  },
);
