// An unmodified MCP client against the real API, in both generations of the protocol.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, SdkHttpError } from '@modelcontextprotocol/client';
import { type Harness, startHarness } from '../api/harness.ts';
import { connectAgent } from '../support/agent.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const ERAS = {
  '2025-11-25': {},
  '2026-07-28': { versionNegotiation: { mode: 'auto' } },
} as const;

const ARGUMENTS: Record<string, Record<string, unknown>> = {
  what_to_trade: { bankroll: 500 },
  what_changed: { since: '2h', account: 'account_a' },
  get_counters: { account: 'account_a' },
  get_posts: { account: 'account_b', limit: 3, offset: 1 },
  get_hourly: { account: 'account_a', tz: 'Europe/Paris' },
  get_forecast: { account: 'account_a' },
  get_signals: { account: 'account_b', bankroll: 500, only_with_signals: true },
  get_ladder: { account: 'account_a', bankroll: null },
  get_portfolio: { account: 'account_a', wallet: WALLET, bankroll: 1000 },
  get_performance: {},
  get_paper_ledger: {},
  what_if: { account: 'account_a', event_id: 1001, pace_factor: 2 },
  get_past_events: { account: 'account_b' },
  get_event_history: { account: 'account_a', event_id: 1001 },
  get_alerts: {},
  get_alert_rules: {},
  get_health: {},
};

type ToolResult = {
  isError?: boolean;
  content: { type: string; text?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
  structuredContent?: any;
};

const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

let harness: Harness;

function connect(key: string | null, era: keyof typeof ERAS = '2026-07-28'): Promise<Client> {
  return connectAgent(`http://127.0.0.1:${harness.port}`, key, ERAS[era]);
}

async function call(client: Client, name: string, args = ARGUMENTS[name]!): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: args })) as ToolResult;
}

before(async () => {
  harness = await startHarness();
  await harness.store.events.upsert([harness.board.find('a')!.events[0]!.event]);
});
after(() => harness.close());

for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
  describe(`an agent with the ${era} protocol generation`, () => {
    let client: Client;
    before(async () => {
      client = await connect(harness.keys.PRO, era);
    });
    after(() => client.close());

    it('negotiates its protocol version', () => {
      assert.equal(client.getNegotiatedProtocolVersion(), era);
    });

    it('lists every tool as read-only, with input and output schemas', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(ARGUMENTS).sort());
      for (const tool of tools) {
        assert.equal(tool.annotations?.readOnlyHint, true, tool.name);
        assert.equal(tool.inputSchema.type, 'object');
        assert.equal((tool.outputSchema as { type?: string }).type, 'object');
        assert.ok(tool.description!.length > 20);
      }
      assert.ok(JSON.stringify(tools).length < 16_000, `${JSON.stringify(tools).length} characters`);
    });

    for (const name of Object.keys(ARGUMENTS)) {
      it(`calls ${name} and gets a response that matches its published schema`, async () => {
        // The client itself validates structured content against the listed schemas.
        await client.listTools();
        const result = await call(client, name);
        assert.equal(result.isError ?? false, false, result.content[0]?.text);
        assert.ok(Object.keys(result.structuredContent).length > 1);
        assert.deepEqual(
          JSON.parse(result.content[1]!.text!),
          result.structuredContent,
          'text must match for hosts that pass on text only',
        );
        const summary = result.content[0]!.text!;
        assert.match(summary, /^[A-Z0-9][^{}[\]]{8,}\.$/, 'the summary is in words');
        assert.doesNotMatch(summary, /\d{12}|undefined|NaN|null/);
      });
    }
  });
}

describe('agent tools', () => {
  it('return the same data as the API route if all rows are requested', async () => {
    const client = await connect(harness.keys.PRO);
    for (const [tool, path] of [
      ['get_counters', '/meta/account_a'],
      ['get_forecast', '/prediction/account_a'],
      ['get_signals', '/signals/account_b?bankroll=500&only_with_signals=true'],
      ['get_posts', '/meta/account_b/tweets?limit=3&offset=1'],
      ['get_hourly', '/meta/account_a/hourly?tz=Europe/Paris'],
    ] as const) {
      const { structuredContent } = await call(client, tool, { ...ARGUMENTS[tool], detail: 'full' });
      assert.deepEqual(structuredContent, (await harness.call(path, { key: harness.keys.PRO })).json);
    }
    await client.close();
  });

  it('return the structured content of newer protocols as text in an older protocol', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_counters', arguments: { account: 'account_a' } },
    };
    const { 'mcp-protocol-version': _newer, ...headers } = MCP_HEADERS;
    const ask = async (more: Record<string, string>) => {
      const post = { method: 'POST', body: JSON.stringify(body), headers: { ...headers, ...more } };
      const { text } = await harness.call('//mcp', post);
      return JSON.parse(text.replace(/^[^{]*/, '')).result;
    };
    const newer = await ask({ 'mcp-protocol-version': '2025-06-18' });
    for (const older of [await ask({}), await ask({ 'mcp-protocol-version': '2025-03-26' })]) {
      assert.deepEqual(JSON.parse(older.content[1].text), newer.structuredContent);
      assert.equal(older.structuredContent, undefined);
    }
  });

  it('filter trades by account, event, side and gain, and page through them', async () => {
    const client = await connect(harness.keys.PRO);
    interface Trade {
      account: string;
      event_id: number;
      verdict: string;
      gain_per_usd: number;
    }
    const trades = async (more: Record<string, unknown>) => {
      const { structuredContent } = await call(client, 'what_to_trade', more);
      return structuredContent as { total: number; data: Trade[] };
    };
    const all = await trades({});
    assert.ok(all.total >= 2, `${all.total} trades`);
    const { account, event_id, verdict, gain_per_usd } = all.data[0]!;
    for (const [filter, isRight] of [
      [{ account }, (trade: Trade) => trade.account === account],
      [{ event_id }, (trade: Trade) => trade.event_id === event_id],
      [{ side: verdict.slice('BUY_'.length) }, (trade: Trade) => trade.verdict === verdict],
      [{ min_gain: gain_per_usd }, (trade: Trade) => trade.gain_per_usd >= gain_per_usd],
    ] as const) {
      const { data, total } = await trades(filter);
      assert.ok(total >= 1 && data.every(isRight), JSON.stringify(filter));
    }
    assert.equal((await trades({ account: 'account_z' })).total, 0);
    assert.deepEqual((await trades({ offset: 1 })).data[0], all.data[1]);
    await client.close();
  });

  it('accept an event and an action', async () => {
    const client = await connect(harness.keys.PRO);
    type Row = { event_id: number; signals: { action: string }[]; rows: { action: string }[] };
    const list = async (tool: string, more: object) => {
      const { structuredContent } = await call(client, tool, {
        account: 'account_a',
        detail: 'full',
        ...more,
      });
      return structuredContent.data as Row[];
    };
    for (const tool of ['get_counters', 'get_forecast', 'get_signals', 'get_ladder']) {
      const records = await list(tool, { event_id: 1002 });
      assert.deepEqual(
        records.map(({ event_id }) => event_id),
        [1002],
        tool,
      );
    }
    for (const [tool, name] of [
      ['get_signals', 'signals'],
      ['get_ladder', 'rows'],
    ] as const) {
      const all = (await list(tool, {})).flatMap((record) => record[name]);
      const bought = (await list(tool, { action: 'BUY' })).flatMap((record) => record[name]);
      assert.ok(bought.length > 0 && bought.length < all.length, tool);
      assert.ok(
        bought.every(({ action }) => action === 'BUY'),
        tool,
      );
    }
    const refused = await call(client, 'get_signals', { account: 'account_a', action: 'ALL', event_id: 'x' });
    assert.match(refused.content[0]!.text!, /event_id: .*integer.*; action: Input should be 'BUY'/);
    await client.close();
  });

  it('show a caller without a key the public view', async () => {
    const client = await connect(null);
    const posts = await call(client, 'get_posts', { account: 'account_a', limit: 100 });
    assert.ok(
      posts.structuredContent.data.every((post: { is_counted: unknown }) => post.is_counted === null),
    );
    assert.equal(posts.structuredContent.limit, 15);
    const forecast = await call(client, 'get_forecast');
    assert.ok(!('forecast' in forecast.structuredContent.data[0]));
    await client.close();
  });

  it('explain to a caller without PRO what is missing', async () => {
    for (const key of [null, harness.keys.FREE]) {
      const client = await connect(key);
      const result = await call(client, 'get_signals');
      assert.equal(result.isError, true);
      assert.match(result.content[0]!.text!, /PRO.*status 401/);
      await client.close();
    }
  });

  it('reject an unknown key first', async () => {
    await assert.rejects(connect('tc_pro_nonsense', '2025-11-25'), (error: unknown) => {
      assert.ok(error instanceof SdkHttpError);
      assert.equal(error.status, 401);
      return true;
    });
  });

  it('explain invalid arguments as the API does', async () => {
    const client = await connect(harness.keys.PRO);
    const given = { account: 'account_a', wallet: WALLET, bankroll: 0 };
    const faults = await call(client, 'get_portfolio', given);
    assert.equal(faults.isError, true);
    const key = harness.keys.PRO;
    const http = await harness.call(`/portfolio/account_a?wallet=${WALLET}&bankroll=0`, { key });
    assert.deepEqual(faults.structuredContent, http.json);
    assert.match(faults.content[0]!.text!, /bankroll: Input should be greater than or equal to 1/);
    const wallet = await call(client, 'get_portfolio', { account: 'account_a', wallet: 'me' });
    assert.match(wallet.content[0]!.text!, /not a valid address.*400/);
    const account = await call(client, 'get_counters', { account: 'someone' });
    assert.match(account.content[0]!.text!, /account: Input should be 'account_a' or 'account_b'/);
    const missing = await call(client, 'get_counters', {});
    assert.match(missing.content[0]!.text!, /account: Field required/);
    await client.close();
  });

  it('reject any other tool', async () => {
    const client = await connect(harness.keys.PRO);
    await assert.rejects(client.callTool({ name: 'place_order', arguments: {} }), /Unknown tool place_order/);
    await client.close();
  });

  it('are recorded in usage under the API route', async () => {
    const { key } = await harness.issue('INTERNAL');
    const client = await connect(key);
    await call(client, 'get_signals');
    await client.close();
    const { json } = await harness.call('/usage/summary', { key });
    assert.ok(json.data.total_requests >= 1);
    const end = Math.ceil(harness.clock.now() / 1000) + 1;
    const byEndpoint = await harness.call(`/usage/by-endpoint?start=0&end=${end}`, { key });
    const row = byEndpoint.json.data.find(
      ({ endpoint }: { endpoint: string }) => endpoint === '/api/v1/signals/account_b',
    );
    assert.deepEqual([row.method, row.requests, row.errors], ['GET', 1, 0]);
    assert.ok(row.bandwidth_bytes > 100);
  });
});
