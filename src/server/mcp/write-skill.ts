// SKILL.md: how an agent should go about it, with every tool taken from the tools themselves.

import type { AgentTool } from './tools.ts';

export function writeSkill(tools: readonly AgentTool[], accounts: readonly string[]): string {
  return [
    '---',
    'name: tallycast',
    'description: Counts, forecasts and sized signals for prediction markets on how many posts an account makes within a window. Use when asked what to trade, where a count stands, what the final count will be, how large a position should be, or how good the forecasts have been.',
    '---',
    '',
    '# Tallycast',
    '',
    `Accounts: ${accounts.join(', ')}. Connect to \`/mcp\` of the service (Streamable HTTP) with the header \`X-API-Key\`; without a key the public tools answer. \`/llms-full.txt\` has the same over plain HTTP.`,
    '',
    '## How to go about it',
    '',
    '1. Asked what to do: `what_to_trade`, with the bankroll if you were told one. Tell its sentences in its order. An empty list is an answer: say what came nearest.',
    '2. Asked about one account or event: `get_counters` for facts, `get_forecast` for the estimate, `get_signals` or `get_ladder` for prices and sizes; pass `event_id` and `action` to read less.',
    '3. Asked about a wallet: `get_portfolio`, and `get_rebalancing` where it exists.',
    '4. Asked whether to believe it: `get_performance` and `get_calibration`.',
    '5. When `stale_feeds` or `blind` names something, say so first: nothing is advised on what was not heard.',
    '',
    '## Tools',
    '',
    ...tools.map(describeTool),
    '',
    '## Rules',
    '',
    '- Nothing here places orders. Do not say that anything was bought.',
    '- Counts and prices are facts; forecasts and signals are estimates of a model, and no profit is guaranteed.',
    '- Never size beyond the stated stake, nor pay more than `limit_price`.',
    '- Timestamps are UTC milliseconds; money is USD; probabilities and prices lie between 0 and 1.',
    '- `left_out` says how many rows were not told; `detail: "full"` gives all of them and can be long.',
    '- A refusal says in words what to change; status 429 says when to ask again.',
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
