import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { addPaymentMetrics } from '../../src/server/source-metrics.ts';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import { countToldRightly, createFundedWallet, type PaymentRig, PRICE, startRig } from './support.ts';

const USES = 50;

describe('concurrent payments', () => {
  let rig: PaymentRig;
  let status = 200;
  before(async () => {
    rig = await startRig({ status: () => status });
  });
  after(() => rig.close());

  it('return one response and charge once if one payment is sent 50 times', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const payment = await signPayment(rig.demo, wallet);
    const runs = rig.server.runs();
    const answers = await Promise.all(
      Array.from({ length: USES }, (_, i) => {
        const header = i % 2 === 0 ? wrapV2(rig.demo, payment) : wrapV1(payment);
        return fetch(`${rig.server.url}/${i % 3 === 0 ? 'paid' : 'also-paid'}`, {
          headers: { x402: header },
        });
      }),
    );
    const statuses = answers.map((answer) => answer.status);
    assert.equal(statuses.filter((each) => each === 200).length, 1);
    assert.equal(await countToldRightly(answers), USES - 1);
    assert.equal(rig.server.runs(), runs + 1);
    assert.equal(await rig.demo.balanceOf(wallet.address), 1_000_000n - PRICE);
  });

  it('return 50 responses and charge 50 times for 50 payments', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const payee = await rig.demo.balanceOf(rig.demo.payTo);
    const answers = await Promise.all(
      Array.from({ length: USES }, async () => {
        const header = wrapV2(rig.demo, await signPayment(rig.demo, wallet));
        const response = await fetch(`${rig.server.url}/paid`, { headers: { x402: header } });
        const receipt = response.headers.get('payment-response');
        return { status: response.status, receipt: receipt && JSON.parse(atob(receipt)) };
      }),
    );
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal(new Set(answers.map((answer) => answer.receipt.transaction)).size, USES);
    assert.equal(await rig.demo.balanceOf(wallet.address), 1_000_000n - PRICE * BigInt(USES));
    assert.equal(await rig.demo.balanceOf(rig.demo.payTo), payee + PRICE * BigInt(USES));
  });

  it('are not charged if the call fails, and the same payment can then buy a successful call', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const headers = { x402: wrapV2(rig.demo, await signPayment(rig.demo, wallet)) };
    status = 503;
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 503);
    assert.equal(await rig.demo.balanceOf(wallet.address), 1_000_000n);
    status = 200;
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 200);
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 402);
    assert.equal(await rig.demo.balanceOf(wallet.address), 1_000_000n - PRICE);
  });

  it('are counted in the metrics', async () => {
    const totals = await rig.server.gate.totals();
    const settled = totals.find((total) => total.state === 'settled');
    assert.equal(settled?.count, USES + 2);
    assert.equal(settled?.amount, String(PRICE * BigInt(USES + 2)));
    const registry = new Registry();
    addPaymentMetrics(registry, rig.server.gate);
    const text = await registry.metrics();
    assert.match(text, /tallycast_payments\{state="settled"\} 52/);
    assert.match(text, /tallycast_payments_amount\{state="settled"\} 520000/);
  });
});
