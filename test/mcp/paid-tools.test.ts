// An agent without a key pays for one tool call with x402 over MCP.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { signPayment } from '../payments/signing.ts';
import { createFundedWallet, type PaidHarness, startPaidHarness } from '../payments/support.ts';
import { connectAgent } from '../support/agent.ts';

describe('a paid tool call', () => {
  let rig: PaidHarness;
  let client: Client;

  before(async () => {
    rig = await startPaidHarness();
    client = await connectAgent(rig.url, null);
  });
  after(async () => {
    await client.close();
    await rig.close();
  });

  async function pay(accepted: Record<string, unknown>): Promise<Record<string, unknown>> {
    const payload = await signPayment(rig.demo, await createFundedWallet(rig.demo));
    return { x402Version: 2, accepted, payload };
  }

  const callSignals = (meta?: Record<string, unknown>) =>
    client.callTool({ name: 'get_signals', arguments: { account: 'account_a' }, _meta: meta });

  it('returns payment terms, then a receipt under _meta, and the same response to the same payment', async () => {
    const unpaid = await callSignals();
    assert.equal(unpaid.isError, true);
    const terms = unpaid.structuredContent as { x402Version: number; accepts: Record<string, unknown>[] };
    assert.equal(terms.x402Version, 2);
    const text = (unpaid.content as { text: string }[])[0]!.text;
    assert.deepEqual(JSON.parse(text), terms);

    const payment = await pay(terms.accepts[0]!);
    const paid = await callSignals({ 'x402/payment': payment });
    assert.equal(paid.isError ?? false, false);
    assert.ok((paid.structuredContent as { data: unknown[] }).data.length > 0);
    const receipt = paid._meta!['x402/payment-response'] as { success: boolean; transaction: string };
    assert.equal(receipt.success, true);
    assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/);

    const again = await callSignals({ 'x402/payment': payment });
    assert.deepEqual(again.structuredContent, paid.structuredContent);
    assert.deepEqual(again._meta, paid._meta);
  });

  it('costs nothing if it fails', async () => {
    const unpaid = await callSignals();
    const terms = unpaid.structuredContent as { accepts: Record<string, unknown>[] };
    const payment = await pay(terms.accepts[0]!);
    const bad = await client.callTool({
      name: 'get_signals',
      arguments: { account: 'account_a', bankroll: 0 },
      _meta: { 'x402/payment': payment },
    });
    assert.match((bad.content as { text: string }[])[0]!.text, /422/);
    const good = await callSignals({ 'x402/payment': payment });
    assert.equal(good.isError ?? false, false);
  });
});
