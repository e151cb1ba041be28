// A scripted service: one account, and advice that reaches each of a bot's limits.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Opportunity } from '../../packages/client-js/src/index.ts';
import { countersOf, snapshotOf } from '../../packages/client-js/src/samples.test-support.ts';

function chanceOf(bucket: string, change: Partial<Opportunity>): Opportunity {
  const event = { account: 'account_a', event_id: 1, event_title: 'Posts', market_url: null };
  const worth = {
    market_price: 0.4,
    model_prob: 0.7,
    belief_prob: 0.7,
    gain_per_usd: 0.5,
    expected_gain: 50,
  };
  const price = { limit_price: 0.4, cost_per_share: 0.4, depth_shares: 1000, shares: 500, stake: 200 };
  const rest = { seconds_remaining: 9_000, verdict: 'BUY_YES' as const, sentence: '', reasons: [] };
  const basis = {
    edge_kind: 'model' as const,
    fillable_usd: 400,
    win_probability: 0.7,
    win_probability_low: 0.6,
    abstain_reason: null,
    act_at_side: null,
    act_at_price: null,
    since_ts: 1,
    valid_while: { price_limit: 0.5, count_from: 1, count_to: null },
    changed_because: null,
    settlement_delta: null,
    settlement_risk: null,
  };
  const { feeds } = countersOf({});
  const all = { ...event, ...worth, ...price, ...rest, ...basis, feeds };
  return { bucket, token_id: `yes ${bucket}`, ...all, ...change };
}

/** For a bankroll of 500 USD: 25 per order, 75 per event, 150 in total. */
const ADVISED: Opportunity[] = [
  chanceOf('per order', {}),
  chanceOf('little gain', { gain_per_usd: 0.04 }),
  chanceOf('a lottery ticket', { limit_price: 0.01, cost_per_share: 0.01 }),
  chanceOf('nothing to win', { limit_price: 0.93, cost_per_share: 0.93 }),
  chanceOf('too few', { shares: 3 }),
  chanceOf('too late', { seconds_remaining: 600 }),
  chanceOf('of another account', { account: 'account_b' }),
  chanceOf('few offered', { limit_price: 0.2, cost_per_share: 0.21, depth_shares: 20 }),
  chanceOf('no book', { limit_price: null, cost_per_share: null, depth_shares: null }),
  chanceOf('the other side', { verdict: 'BUY_NO', token_id: 'no', limit_price: 0.5, cost_per_share: 0.5 }),
  chanceOf('per event', { limit_price: 0.5, cost_per_share: 0.5 }),
  chanceOf('no room', { limit_price: 0.5, cost_per_share: 0.5 }),
  chanceOf('held by nobody', { verdict: 'EXIT', limit_price: 0.3, cost_per_share: null, shares: 0 }),
];

/** For a bot that holds what ADVISED made it buy. */
const EXITS: Opportunity[] = [
  chanceOf('few offered', {
    verdict: 'EXIT',
    limit_price: 0.3,
    cost_per_share: null,
    shares: 0,
    depth_shares: 50,
  }),
];

export const EXPECTED_ORDERS = [
  ['per order', 'BUY', 'Yes', 0.4, 62],
  ['few offered', 'BUY', 'Yes', 0.2, 20],
  ['the other side', 'BUY', 'No', 0.5, 50],
  ['per event', 'BUY', 'Yes', 0.5, 42],
];

export interface ScriptedMarket {
  url: string;
  /** First to buy, then to sell what was bought. */
  advise(what: 'purchases' | 'exits'): void;
  close(): void;
}

export async function startScriptedMarket(): Promise<ScriptedMarket> {
  let data = ADVISED;
  const answer = (pathname: string): unknown => {
    if (pathname === '/config.json') return { accounts: [{ segment: 'account_a', label: 'Account A' }] };
    if (pathname === '/api/v1/signals')
      return { timestamp: 1, data, bankroll: 500, nearest: null, blind: [] };
    return null;
  };
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service.invalid');
    if (pathname.includes('/stream/')) return greet(response);
    const body = answer(pathname);
    response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body ?? { detail: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    advise: (what) => {
      data = what === 'exits' ? EXITS : ADVISED;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function greet(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`id: 1-0\nevent: snapshot\ndata: ${JSON.stringify(snapshotOf({}).data)}\n\n`);
}
