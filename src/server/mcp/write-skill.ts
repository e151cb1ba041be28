// Writes SKILL.md, a workflow for agents, from the tool list.

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
    `Accounts: ${accounts.join(', ')}. Connect to the service at \`/mcp\` (Streamable HTTP) with the header \`X-API-Key\`; without a key, only public tools work. \`/openapi.json\` describes the same API over plain HTTP.`,
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
