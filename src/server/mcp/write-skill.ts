// Writes SKILL.md, a workflow for agents, from the tool list.

import { type GetPromptResult, ProtocolError } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import type { AgentTool } from './tools.ts';

export function writeSkill(tools: readonly AgentTool[], accounts: readonly string[]): string {
  return [
    '---',
    'name: tallycast',
    'description: Counts, forecasts and sized signals for prediction markets on how many posts an account makes within a window. Use for questions about what to trade, current counts, final counts, position sizes and forecast quality.',
    '---',
    '',
    '# Tallycast',
    '',
    `Accounts: ${accounts.join(', ')}. Connect to the service at \`/mcp\` (Streamable HTTP) with the header \`X-API-Key\`; without a key, only public tools work. \`/llms-full.txt\` describes the same API over plain HTTP.`,
    '',
    '## Workflow',
    '',
    '1. What to trade: `what_to_trade`, with the bankroll if known. Report its sentences in order. If the list is empty, report `disagreement`: the largest gap between model and market, and why it is not advised. What happened recently: `what_changed`.',
    '2. One account or event: `get_counters` for facts, `get_forecast` for the estimate, `get_signals` or `get_ladder` for prices and sizes; pass `event_id` and `action` to read less.',
    '3. Assumptions: `what_if`. History: `get_past_events`, `get_event_history`.',
    '4. A wallet: `get_portfolio`, and `get_rebalancing` where it exists.',
    '5. Reliability: `get_performance` and `get_calibration`.',
    '6. If `stale_feeds` or `blind` is not empty, say so first: stale feeds get no advice.',
    '',
    '## Tools',
    '',
    ...tools.map(describeTool),
    '',
    '## Rules',
    '',
    '- Nothing here places orders. Do not say that anything was bought.',
    '- Counts and prices are facts; forecasts and signals are model estimates, and no profit is guaranteed.',
    '- Never bet more than the stated stake or pay more than `limit_price`.',
    '- Every result starts with a summary in words; times there have their zone. In the data, timestamps are UTC milliseconds; money is USD; probabilities and prices are between 0 and 1.',
    '- `left_out` is the number of omitted rows; `detail: "full"` returns everything and can be long.',
    '- Errors say what to change; status 429 says when to retry.',
    '',
  ].join('\n');
}

function describeTool({ name, description, inputSchema }: AgentTool): string {
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const names = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
  return `- \`${name}(${names.join(', ')})\`: ${description}`;
}

// Describes a schema in compact notation: { event_id: integer, title: string }[].

interface Schema {
  type?: string;
  title?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
}

/** Named types are referenced by name and collected in `types`. */
export function describeType(schema: TSchema, types: Map<string, string>): string {
  const { title } = schema as Schema;
  if (title === undefined) return describeBare(schema as Schema, types);
  if (!types.has(title)) {
    // Register the type before its fields, so that a recursive type terminates.
    types.set(title, '');
    types.set(title, describeBare(schema as Schema, types));
  }
  return title;
}

function describeBare(
  { type, enum: values, anyOf, items, properties, required = [] }: Schema,
  types: Map<string, string>,
): string {
  const inner = (schema: Schema) => describeType(schema as TSchema, types);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(inner).join(' | ');
  if (items) return `${inner(items).includes(' | ') ? `(${inner(items)})` : inner(items)}[]`;
  if (!properties) return type ?? 'any';
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${inner(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** Describes one parameter with its constraints. */
export function describeParameter(name: string, schema: TSchema, isRequired: boolean): string {
  const { minimum, maximum, default: preset, description } = schema as Schema;
  const facts = [
    describeType(schema, new Map()),
    isRequired && 'required',
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    preset !== undefined && `default ${preset}`,
  ].filter((fact) => fact !== false);
  return `\`${name}\` (${facts.join(', ')})${description ? `: ${description}` : ''}`;
}

// Two ready-made prompts for agents with these tools.

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
