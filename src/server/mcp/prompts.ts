// Two ready-made prompts for agents with these tools.

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
    description: 'What has changed, what is open, and what to trade today',
    arguments: [argument('bankroll', 'Bankroll in USD; default: the service default', false)],
    write: ({ bankroll }) =>
      [
        'Give me my morning review, on one screen.',
        '1. get_health: if a feed is stale, say which and what it affects.',
        '2. what_changed since 1d: posts, advice, price jumps and settlements.',
        '3. The resource tallycast://events, or get_counters for each account: the count for each open event, and where our own count and the oracle differ.',
        '4. get_forecast for each account: which outcome is most likely, and where model and market differ most.',
        `5. what_to_trade${bankroll ? ` with bankroll ${bankroll}` : ''}: the current trades in order; if there are none, the largest disagreement between model and market, and why it is not advised.`,
        '6. The resource tallycast://record: one line on how well signals have performed.',
        HONESTY,
      ].join('\n'),
  },
  {
    name: 'size_this_trade',
    title: 'Size this trade',
    description: 'Whether to buy one bucket of one event, how much, and at what limit',
    arguments: [
      argument('account', 'Account name'),
      argument('event_id', 'Event id'),
      argument('bucket', 'Bucket label, as shown by the market'),
      argument('bankroll', 'Bankroll in USD'),
    ],
    write: ({ account, event_id, bucket, bankroll }) =>
      [
        `Size a trade in bucket ${bucket} of ${account}'s event ${event_id} for a bankroll of ${bankroll} USD.`,
        `1. get_ladder with account ${account}, event_id ${event_id}, bankroll ${bankroll}, detail "full": find the bucket's row; its advice has the verdict, limit, shares and reasons.`,
        `2. get_forecast with account ${account}, event_id ${event_id}: compare the bucket with the percentiles.`,
        '3. If the verdict is NOTHING, say why, and at what cost per share that would change. Never size beyond the advice or the depth of the book.',
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
