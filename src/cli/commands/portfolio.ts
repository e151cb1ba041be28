// Compares a wallet's positions with the model.

import { required } from '../arguments.ts';
import { ASK_OPTIONS_HELP, createQuestion, forEach, readBankroll } from '../ask.ts';
import { describePortfolios } from '../describe.ts';

export const usage = `usage: npx tallycast portfolio --wallet 0x... [options]

Show a wallet's open positions and how the model values them. Needs a PRO key.

${ASK_OPTIONS_HELP}
  --wallet 0x...   40 hex characters
  --bankroll USD   also show target position sizes

examples:
  npx tallycast portfolio --wallet 0x52908400098527886e0f7030069857d2e4169ee7 --bankroll 1000 --key $KEY`;

export const run = createQuestion(
  { wallet: { type: 'string' }, bankroll: { type: 'string' } },
  async ({ client, accounts, own }) => {
    const wallet = required(own.wallet as string | undefined, '--wallet 0x...');
    const query = { wallet, bankroll: readBankroll(own) };
    const answers = await forEach(accounts, (account) => client.portfolio(account, query));
    return { json: answers, text: () => describePortfolios(accounts, answers) };
  },
);
