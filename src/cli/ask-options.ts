// Arguments and environment of the commands that ask a running service.

import { parseArgs } from 'node:util';
import { errorMessage, UsageError } from '../runtime/errors.ts';

export interface AskOptions {
  command: string;
  url: string;
  apiKey: string | undefined;
  account: string | undefined;
  isJson: boolean;
  bankrollUsd: number | undefined;
  isOnlyActionable: boolean;
  wallet: string | undefined;
  /** Messages after which watch ends; without it, it goes on. */
  count: number | undefined;
  /** Text to print instead of anything else. */
  help: string | null;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

const COMMON = `  --url URL     where the service is (TALLYCAST_URL, else ${DEFAULT_URL})
  --key KEY     API key (TALLYCAST_KEY)
  --account X   a, b or a segment; both without it
  --json        as JSON`;

const HELP: Record<string, string> = {
  status: `usage: npx tallycast status [options]

Whether the service is well, how old each feed is, and the counts. Exits 1 unless its status is ok.

${COMMON}

examples:
  npx tallycast status
  npx tallycast status --url https://tallycast.example --json | jq .status
`,
  watch: `usage: npx tallycast watch [options]

Counters, posts, forecasts and prices as they happen: in place on a terminal, line by line into a pipe.

${COMMON} (one message per line)
  --count N     end after N messages

examples:
  npx tallycast watch
  npx tallycast watch --account a --json | jq -c 'select(.event == "post") | .data'
`,
  events: `usage: npx tallycast events [options]

Active events with the three counters, how far they are apart, and the time left.

${COMMON}

examples:
  npx tallycast events --account b
`,
  forecast: `usage: npx tallycast forecast [options]
       npx tallycast forecast --posts FILE.csv --start TS --end TS --asof TS [--account a|b]

Forecast of the final count of each active event; with a PRO key the percentiles, and model against market.
With --posts, one window of a history file instead, without a service.

${COMMON}

examples:
  npx tallycast forecast --key $KEY --account a
  npx tallycast forecast --json | jq '.[0].data[0].markets'
`,
  signals: `usage: npx tallycast signals [options]

Sized signals of every open bucket, best edge first. Needs a PRO key. Model estimates, not guaranteed profit.

${COMMON}
  --bankroll USD   1 to 1000000; the service's own default without it
  --actionable     only events with something to buy or sell

examples:
  npx tallycast signals --bankroll 500 --actionable --key $KEY
`,
  portfolio: `usage: npx tallycast portfolio --wallet 0x... [options]

Open positions of a wallet, valued by the model. Needs a PRO key.

${COMMON}
  --wallet 0x...   40 hex characters
  --bankroll USD   adds target sizes

examples:
  npx tallycast portfolio --wallet 0x52908400098527886e0f7030069857d2e4169ee7 --bankroll 1000 --key $KEY
`,
};

export function parseAsk(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AskOptions {
  const [command = '', ...rest] = argv;
  const usage = HELP[command];
  if (usage === undefined)
    throw new UsageError(`unknown command ${command}; there are ${Object.keys(HELP).join(', ')}`);
  const values = readArguments(rest, usage);
  return {
    command,
    url: readUrl(values.url ?? (env.TALLYCAST_URL || DEFAULT_URL)),
    apiKey: values.key ?? (env.TALLYCAST_KEY || undefined),
    account: values.account,
    isJson: values.json ?? false,
    bankrollUsd: readNumber('--bankroll', values.bankroll),
    isOnlyActionable: values.actionable ?? false,
    wallet: values.wallet,
    count: readNumber('--count', values.count),
    help: values.help ? usage : null,
  };
}

function readArguments(args: string[], usage: string) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        account: { type: 'string' },
        json: { type: 'boolean' },
        bankroll: { type: 'string' },
        actionable: { type: 'boolean' },
        wallet: { type: 'string' },
        count: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\n\n${usage}`);
  }
}

function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`--url: "${text}" is no http(s) address`);
  return text;
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value > 0) || !Number.isFinite(value)) {
    throw new UsageError(`${name}: "${text}" is not a number above zero`);
  }
  return value;
}
