import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { addPaymentMetrics } from '../../src/server/source-metrics.ts';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import { createFundedWallet, FUNDS, type PaymentRig, PRICE, startRig } from './support.ts';

const USES = 50;

describe('concurrent payments', () => {
  let rig: PaymentRig;
  let status = 200;
  before(async () => {
    rig = await startRig({ status: () => status });
  });
  after(() => rig.close());

  it('buy one response for one request if one payment is sent 50 times', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const payment = await signPayment(rig.demo, wallet);
    const answers = await Promise.all(
      Array.from({ length: USES }, async (_, i) => {
        const x402 = i % 2 === 0 ? wrapV2(rig.demo, payment) : wrapV1(payment);
        const path = i % 3 === 0 ? 'paid' : 'also-paid';
        const answer = await fetch(`${rig.server.url}/${path}`, { headers: { x402 } });
        const { secret, detail } = (await answer.json()) as { secret?: number; detail?: string };
        return { path, status: answer.status, secret, detail };
      }),
    );
    const served = answers.filter((answer) => answer.status === 200);
    assert.ok(served.length > 0);
    assert.equal(new Set(served.map(({ path, secret }) => `${path} ${secret}`)).size, 1);
    const others = answers.filter((answer) => answer.path !== served[0]!.path);
    assert.ok(
      others.every((answer) => answer.status === 402 && /payment already used$/.test(answer.detail!)),
    );
    assert.equal(served.length + others.length, USES);
    assert.equal(rig.demo.balanceOf(wallet.address), FUNDS - PRICE);
  });

  it('buy 50 responses and are charged 50 times if 50 payments are sent', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const answers = await Promise.all(
      Array.from({ length: USES }, async () => {
        const headers = { x402: wrapV2(rig.demo, await signPayment(rig.demo, wallet)) };
        const response = await fetch(`${rig.server.url}/paid`, { headers });
        return {
          status: response.status,
          receipt: JSON.parse(atob(response.headers.get('payment-response')!)),
        };
      }),
    );
    assert.ok(answers.every((answer) => answer.status === 200));
    assert.equal(new Set(answers.map((answer) => answer.receipt.transaction)).size, USES);
    assert.equal(rig.demo.balanceOf(wallet.address), FUNDS - PRICE * BigInt(USES));
  });

  it('are not charged if the call fails, and the same payment can then buy a successful call', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const headers = { x402: wrapV2(rig.demo, await signPayment(rig.demo, wallet)) };
    status = 503;
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 503);
    assert.equal(rig.demo.balanceOf(wallet.address), FUNDS);
    status = 200;
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 200);
    assert.equal(rig.demo.balanceOf(wallet.address), FUNDS - PRICE);
  });

  it('are counted in the metrics', async () => {
    const registry = new Registry();
    addPaymentMetrics(registry, rig.server.gate);
    const text = await registry.metrics();
    assert.match(text, /tallycast_payments\{state="settled"\} 52/);
    assert.match(text, /tallycast_payments_amount\{state="settled"\} 520000/);
  });
});
