// npm run -s pay -- URL: pays for one call and prints {status, transaction, amount, body} as JSON.

import { payOnce } from '../api/access/payments/pay-once.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { UsageError } from '../runtime/errors.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  const { rest, secrets } = loadConfig(argv, readEnvironment());
  const termsAt = rest.indexOf('--terms');
  const termsUrl = termsAt < 0 ? null : (rest[termsAt + 1] ?? null);
  const url = rest.find((argument, i) => !argument.startsWith('--') && (termsAt < 0 || i !== termsAt + 1));
  if (!url) throw new UsageError('usage: npm run -s pay -- URL [--terms URL_THAT_ANSWERS_402]');
  const answer = await payOnce({ url, termsUrl, privateKey: secrets.payPrivateKey, fetch });
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  if (answer.status !== 200) process.exitCode = 1;
});
