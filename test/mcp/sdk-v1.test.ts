// Version 1 of the official SDK, which most hosts still use. It validates structured content even in errors,
// so an error that does not fit the schema would be lost.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Harness, startHarness } from '../api/harness.ts';
import { signPayment } from '../payments/signing.ts';
import { createFundedWallet, type PaidHarness, startPaidHarness } from '../payments/support.ts';

const WALLET = `0x${'ab'.repeat(20)}`;

interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

async function connect(harness: Harness, key: string | null): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' });
  const headers: Record<string, string> = key === null ? {} : { 'X-API-Key': key };
  const url = new URL(`http://127.0.0.1:${harness.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never);
  // The client builds its validators from this list; without listing, it checks nothing.
  await client.listTools();
  return client;
}

async function call(
  client: Client,
  name: string,
  args: object,
  meta?: Record<string, unknown>,
): Promise<ToolResult> {
  const params = { name, arguments: args as Record<string, unknown>, ...(meta ? { _meta: meta } : {}) };
  return (await client.callTool(params)) as unknown as ToolResult;
}

const VALUES: Record<string, unknown> = { account: 'account_a', wallet: WALLET, event_id: 1001 };

describe('version 1 of the official SDK', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
    await harness.store.events.upsert([harness.board.find('a')!.events[0]!.event]);
  });
  after(() => harness.close());

  it('gets every response as structured content and as identical text', async () => {
    const client = await connect(harness, harness.keys.PRO);
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const args = Object.fromEntries((inputSchema.required ?? []).map((key) => [key, VALUES[key] ?? 1000]));
      const result = await call(client, name, args);
      assert.equal(result.isError ?? false, false, `${name}: ${result.content[0]?.text}`);
      assert.deepEqual(JSON.parse(result.content[1]!.text), result.structuredContent, name);
    }
    await client.close();
  });

  it('gets a rejection as text and as structured content', async () => {
    const client = await connect(harness, harness.keys.PRO);
    for (const [name, args, words] of [
      ['get_portfolio', { account: 'account_a', wallet: 'me' }, /not a valid address/],
      ['get_counters', { account: 'someone' }, /account: Input should be/],
      ['get_rebalancing', { wallet: WALLET, bankroll: 0 }, /bankroll: Input should be/],
    ] as const) {
      const result = await call(client, name, args);
      assert.equal(result.isError, true, name);
      assert.match(result.content[0]!.text, words);
      assert.deepEqual(JSON.parse(result.content[1]!.text), result.structuredContent);
    }
    await client.close();
  });
});

describe('version 1 of the official SDK without a key', () => {
  let rig: PaidHarness;
  before(async () => {
    rig = await startPaidHarness();
  });
  after(() => rig.close());

  it('gets payment terms, pays and gets the response', async () => {
    const { demo, harness } = rig;
    const client = await connect(harness, null);
    const unpaid = await call(client, 'get_signals', { account: 'account_a' });
    assert.equal(unpaid.isError, true);
    const terms = JSON.parse(unpaid.content[0]!.text) as { accepts: Record<string, unknown>[] };
    assert.deepEqual(unpaid.structuredContent, terms);
    const payload = await signPayment(demo, await createFundedWallet(demo));
    const payment = { x402Version: 2, accepted: terms.accepts[0], payload };
    const paid = await call(client, 'get_signals', { account: 'account_a' }, { 'x402/payment': payment });
    assert.equal(paid.isError ?? false, false, paid.content[0]?.text);
    assert.ok(paid._meta?.['x402/payment-response']);
    await client.close();
  });
});
