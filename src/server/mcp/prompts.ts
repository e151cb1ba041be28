// Two prompts that an agent can follow with these tools.

import { type GetPromptResult, ProtocolError } from '@modelcontextprotocol/server';

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  write(values: Readonly<Record<string, string>>): string;
}

const INVALID_PARAMS = -32602;
const HONESTY =
  'Separate facts (counts, prices) from model estimates (forecasts, signals). ' +
  'No orders are placed, and no profit is guaranteed.';

const argument = (name: string, description: string, required = true) => ({ name, description, required });

const PROMPTS: readonly Prompt[] = [
  {
    name: 'morning_review',
    title: 'Morning review',
    description: 'What happened, what is open, and what to do today',
    arguments: [argument('bankroll', 'Bankroll in USD; default: the service default', false)],
    write: ({ bankroll }) =>
      [
        'Give me my morning review, on one screen.',
        '1. get_health: if a feed is stale, say which and what it affects.',
        '2. The resource tallycast://events, or get_counters for each account: the count of each open event, and where our own count and the oracle differ.',
        '3. get_forecast for each account: which outcome is likeliest, and where model and market differ most.',
        `4. what_to_trade${bankroll ? ` with bankroll ${bankroll}` : ''}: the current trades in order; if there are none, the nearest and the price at which it would be worth it.`,
        '5. The resource tallycast://record: one line on how good signals have been.',
        HONESTY,
      ].join('\n'),
  },
  {
    name: 'size_this_trade',
    title: 'Size this trade',
    description: 'Whether to buy one bucket of one event, how much, and at what limit',
    arguments: [
      argument('account', 'Which account'),
      argument('event_id', 'Which event'),
      argument('bucket', 'Which bucket, as the market names it'),
      argument('bankroll', 'Bankroll in USD'),
    ],
    write: ({ account, event_id, bucket, bankroll }) =>
      [
        `Size a trade in the bucket ${bucket} of event ${event_id} of ${account} for a bankroll of ${bankroll} USD.`,
        `1. get_ladder with account ${account}, event_id ${event_id}, bankroll ${bankroll}, detail "full": find the row of the bucket; its advice has the verdict, the limit, the shares and the reasons.`,
        `2. get_forecast with account ${account}, event_id ${event_id}: compare the bucket with the percentiles.`,
        '3. If the verdict is NOTHING, say why, and at what cost per share it would change. Never size beyond the advice or beyond the depth of the book.',
        HONESTY,
      ].join('\n'),
  },
];

export function listPrompts() {
  return PROMPTS.map(({ write: _write, ...prompt }) => prompt);
}

export function writePrompt(name: string, values: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(INVALID_PARAMS, `Unknown prompt ${name}`);
  const missing = prompt.arguments.filter(({ name: key, required }) => required && !values[key]);
  if (missing.length > 0) {
    const names = missing.map(({ name: key }) => key).join(', ');
    throw new ProtocolError(INVALID_PARAMS, `The prompt ${name} needs ${names}`);
  }
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.write(values) } }],
  };
}
