// Pages for agents, generated from the routes: /llms.txt is an overview, and /SKILL.md is a workflow.

import type { RouteContext } from '../context.ts';
import { API_LINES } from '../http/fixed-headers.ts';
import type { Route } from '../http/route.ts';
import { type AgentTool, listTools } from '../mcp/tools.ts';
import { pageRoute } from './site.ts';

export function agentPageRoutes(
  context: RouteContext,
  published: readonly Route[],
  facts: { takesPayments: boolean },
): Route[] {
  const segments = context.accounts.map(({ segment }) => segment);
  const page = (path: string, text: string, type = 'text/plain') =>
    pageRoute(path, Buffer.from(text), `${type}; charset=utf-8`, API_LINES);
  return [
    page('/llms.txt', describeForAgents(context, published, facts)),
    page('/SKILL.md', writeSkill(listTools(published, segments), segments), 'text/markdown'),
  ];
}

function describeForAgents(
  context: RouteContext,
  published: readonly Route[],
  { takesPayments }: { takesPayments: boolean },
): string {
  const segments = context.accounts.map(({ segment }) => segment);
  const tools = listTools(published, segments);
  return [
    '# Tallycast',
    '',
    '> Real-time counts, calibrated forecasts and sized signals for prediction markets that settle on how many posts an account makes within a window.',
    '',
    `Accounts: ${segments.join(', ')}. All bodies are JSON; all timestamps are UTC milliseconds unless stated otherwise. Nothing here places orders. Signals are model estimates, not guaranteed profit.`,
    '',
    '## Access',
    '',
    '- Send an API key in the header `X-API-Key`. Tiers: FREE (100 requests an hour, the same as without a key), PRO (10,000), INTERNAL.',
    takesPayments
      ? `- Or pay per call with x402: an unpaid PRO call returns 402 with the terms (${context.settings.priceUsd} USD per call); send the payment in the header \`x402\`, \`PAYMENT-SIGNATURE\` or \`X-PAYMENT\`.`
      : '- Per-call payments (x402) are not enabled on this service.',
    '- Over the limit: 429 with `Retry-After`. Bad parameters: 422 with `detail`, a list of faults.',
    '',
    '## For agents',
    '',
    '- [Model Context Protocol](/mcp): Streamable HTTP, no session needed, same keys and limits.',
    ...tools.map(({ name, description }) => `  - \`${name}\`: ${description}`),
    '',
    '## Interface',
    '',
    ...published.map(describeRoute),
    '',
    '## More',
    '',
    '- [Skill](/SKILL.md): workflow for agents.',
    '- [Interface document](/openapi.json): OpenAPI 3.1, every field of every response.',
    '- [API reference](/docs): the same reference for humans.',
    '- [Dashboard](/): live view.',
    '',
  ].join('\n');
}

const ACCESS_WORDS: Record<Route['access'], string> = {
  public: 'open',
  optional: 'public, more with PRO',
  PRO: 'PRO',
  INTERNAL: 'INTERNAL',
};

function describeRoute({ method, path, access, document, query }: Route): string {
  const names = Object.keys(query?.properties ?? {});
  const parameters = names.length === 0 ? '' : ` Parameters: ${names.join(', ')}.`;
  return `- \`${method} ${path}\` (${ACCESS_WORDS[access]}): ${document.summary}.${parameters}`;
}

/** Writes SKILL.md from the tool list. */
function writeSkill(tools: readonly AgentTool[], accounts: readonly string[]): string {
  return [
    '---',
    'name: tallycast',
    'description: Counts, forecasts and sized signals for prediction markets on how many posts an account makes within a window. Use for questions about what to trade, current counts, final counts, position sizes and forecast quality.',
    '---',
    '',
    '# Tallycast',
    '',
    `Accounts: ${accounts.join(', ')}. Connect to the service at \`/mcp\` (Streamable HTTP) with the header \`X-API-Key\`; without a key, only public tools work. \`/openapi.json\` describes the same API over plain HTTP.`,
    '',
    '## Workflow',
    '',
    '1. What to trade: `what_to_trade`, with the bankroll if known. Report its sentences in order. If the list is empty, report `disagreement`: the largest gap between model and market, and why it is not advised. What happened recently: `what_changed`.',
    '2. One account or event: `get_counters` for facts, `get_forecast` for the estimate, `get_signals` or `get_ladder` for prices and sizes; pass `event_id` and `action` to read less.',
    '3. Assumptions: `what_if`. History: `get_past_events`, `get_event_history`.',
    '4. A wallet: `get_portfolio`.',
    '5. Reliability: `get_performance` and `get_paper_ledger`.',
    '6. If `stale_feeds` or `blind` is not empty, say so first: stale feeds get no advice.',
    '',
    '## Tools',
    '',
    ...tools.map(describeArguments),
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

function describeArguments({ name, description, inputSchema }: AgentTool): string {
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const names = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
  return `- \`${name}(${names.join(', ')})\`: ${description}`;
}
