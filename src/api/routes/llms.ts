// /llms.txt: what an agent should know of this service, with every address taken from the routes themselves.

import type { RouteContext } from '../context.ts';
import { API_LINES } from '../http/fixed-headers.ts';
import { listTools } from '../mcp/tools.ts';
import type { Route } from '../route.ts';
import { pageRoute } from './documents.ts';

export function llmsRoute(
  context: RouteContext,
  published: readonly Route[],
  facts: { takesPayments: boolean },
): Route {
  const text = describeForAgents(context, published, facts);
  return pageRoute('/llms.txt', Buffer.from(text), 'text/plain; charset=utf-8', API_LINES);
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
    `Accounts: ${segments.join(', ')}. All bodies are JSON; all timestamps are UTC milliseconds unless stated otherwise. Nothing here places orders. Signals are estimates of a model, not guaranteed profit.`,
    '',
    '## Access',
    '',
    '- Send an API key in the header `X-API-Key`. Tiers: FREE (100 requests an hour, as without a key), PRO (10,000), INTERNAL.',
    takesPayments
      ? `- Or pay per call with x402: an unpaid PRO call is answered 402 with the terms (${context.settings.priceUsd} USD a call); send the payment in the header \`x402\`, \`PAYMENT-SIGNATURE\` or \`X-PAYMENT\`.`
      : '- Per-call payments (x402) are switched off here.',
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
    '- [Interface document](/openapi.json): OpenAPI 3.1, every field of every answer.',
    '- [Interface reference](/docs): the same for people.',
    '- [Dashboard](/): live view.',
    '',
  ].join('\n');
}

const ACCESS_WORDS: Record<Route['access'], string> = {
  public: 'open',
  optional: 'open, more with PRO',
  PRO: 'PRO',
  INTERNAL: 'INTERNAL',
};

function describeRoute({ method, path, access, document, query }: Route): string {
  const names = Object.keys(query?.properties ?? {});
  const parameters = names.length === 0 ? '' : ` Parameters: ${names.join(', ')}.`;
  return `- \`${method} ${path}\` (${ACCESS_WORDS[access]}): ${document.summary}.${parameters}`;
}
