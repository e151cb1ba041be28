// A service that says what a test wants to hear: one account, two events, ladders that reach each of a bot's limits.

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CountersRecord, LadderRecord } from '../../packages/client-js/src/index.ts';
import { countersOf, snapshotOf } from '../../packages/client-js/src/samples.test-support.ts';

type Row = LadderRecord['rows'][number];

const NONE: Row['advice'] = {
  verdict: 'NOTHING',
  token_id: null,
  limit_price: null,
  cost_per_share: null,
  depth_shares: null,
  shares: 0,
  stake: 0,
  gain_per_usd: 0,
  expected_gain: 0,
  sentence: '',
  reasons: [],
};

function rowOf(bucket: string, change: Partial<Row>): Row {
  const base = {
    low: 0,
    high: 1,
    market_price: 0.4,
    bid: 0.39,
    ask: 0.4,
    ask_shares: 1000,
    fee_per_share: 0,
  };
  const sums = { cost_per_share: 0.4, edge: 0.2, edge_percent: 50, ev: 0.2, kelly_fraction: 0.3 };
  const target = { target_shares: 500, target_value: 200, action: 'BUY' as const, reasons: [] };
  const token_id = `token-${bucket}`;
  return {
    bucket,
    token_id,
    model_prob: 0.7,
    belief_prob: 0.7,
    advice: NONE,
    ...base,
    ...sums,
    ...target,
    ...change,
  };
}

/** For a bankroll of 500 USD: 25 an order, 75 an event, 150 in all. */
const ROWS: Row[] = [
  rowOf('per order', {}),
  rowOf('little edge', { model_prob: 0.42 }),
  rowOf('a lottery ticket', { ask: 0.01 }),
  rowOf('nothing to win', { ask: 0.93, model_prob: 0.99 }),
  rowOf('too few', { target_shares: 3 }),
  rowOf('few offered', { ask: 0.2, ask_shares: 20, fee_per_share: 0.01 }),
  rowOf('no book', { ask: null, ask_shares: null }),
  rowOf('held by nobody', { action: 'SELL' }),
  rowOf('to the brim', { ask: 0.5, model_prob: 0.8 }),
  rowOf('per event', { ask: 0.5, model_prob: 0.8 }),
  rowOf('no room', { ask: 0.5, model_prob: 0.8 }),
];

export const EXPECTED_ORDERS = [
  ['per order', 'BUY', 0.4, 62],
  ['few offered', 'BUY', 0.2, 20],
  ['to the brim', 'BUY', 0.5, 50],
  ['per event', 'BUY', 0.5, 42],
];

const STALE = { updated_ts: 1, age_s: 900, stale: true };

export async function startScriptedMarket(): Promise<{ url: string; close(): void }> {
  const fresh = countersOf({ event_id: 1 });
  const stale: CountersRecord = { ...countersOf({ event_id: 2 }), feeds: { ...fresh.feeds, oracle: STALE } };
  const meta = [fresh, stale];
  const answers: Record<string, unknown> = {
    '/config.json': { accounts: [{ segment: 'account_a', label: 'Account A' }] },
    '/api/v1/meta/account_a': { timestamp: 1, data: meta },
    '/api/v1/signals/account_a/ladder': {
      timestamp: 1,
      data: [{ event_id: 1, event_title: 'Posts', bankroll: 500, rows: ROWS }],
    },
  };
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service.invalid');
    if (pathname.includes('/stream/')) return greet(response, meta);
    response.writeHead(answers[pathname] ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answers[pathname] ?? { detail: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function greet(response: ServerResponse, meta: CountersRecord[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`id: 1-0\nevent: snapshot\ndata: ${JSON.stringify(snapshotOf({ meta }).data)}\n\n`);
}
