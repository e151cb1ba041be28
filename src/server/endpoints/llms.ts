// Pages for agents, generated from the routes: /llms.txt is an overview, and /SKILL.md is a workflow.

import type { RouteContext } from '../context.ts';
import { API_LINES } from '../http/fixed-headers.ts';
import type { Route } from '../http/route.ts';
import { listTools } from '../mcp/tools.ts';
import { writeSkill } from '../mcp/write-skill.ts';
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
