// Pays for one call and prints {status, transaction, amount, body} as JSON.

import { readWordsAndOptions, required } from '../../src/cli/arguments.ts';
import { type Command, DONE, FAILED, print } from '../../src/cli/command.ts';
import { loadConfig } from '../../src/config/config.ts';
import { payOnce } from './pay-once.ts';

export const usage = `usage: npx tallycast lab pay URL [--terms URL_THAT_RETURNS_402]

Call the URL, read the 402, sign, call again, and print status, transaction, amount and body as JSON. Uses the wallet in
PAY_PRIVATE_KEY, or a temporary one that only a demo faucet can fund.

  --terms URL   read the price from this URL, if the called URL also works without payment

examples:
  npx tallycast lab pay http://127.0.0.1:8080/api/v1/signals/account_a
  PAY_PRIVATE_KEY=0x... npx tallycast lab pay https://tallycast.example/api/v1/signals/account_a`;

export const run: Command['run'] = async (args, terminal) => {
  const { rest, secrets } = loadConfig(args, terminal.env, 'store');
  const { values, positionals } = readWordsAndOptions(rest, 1, { terms: { type: 'string' } });
  const url = required(positionals[0], 'URL');
  const termsUrl = values.terms ?? null;
  const answer = await payOnce({ url, termsUrl, privateKey: secrets.payPrivateKey, fetch });
  print(terminal, JSON.stringify(answer, null, 2));
  return answer.status === 200 ? DONE : FAILED;
};
