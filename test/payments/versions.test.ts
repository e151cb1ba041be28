import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import { createFundedWallet, type PaymentRig, PRICE, startRig } from './support.ts';

describe('the payment gate', () => {
  let rig: PaymentRig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  for (const header of ['x402', 'PAYMENT-SIGNATURE', 'X-PAYMENT']) {
    for (const version of [1, 2]) {
      it(`accepts a version ${version} payment in ${header} and charges it once`, async () => {
        const wallet = await createFundedWallet(rig.demo);
        const payment = await signPayment(rig.demo, wallet);
        const value = version === 1 ? wrapV1(payment) : wrapV2(rig.demo, payment);
        const response = await fetch(`${rig.server.url}/paid`, { headers: { [header]: value } });
        assert.equal(response.status, 200, await response.clone().text());
        assert.equal(await rig.demo.balanceOf(wallet.address), 1_000_000n - PRICE);
        const receipt = JSON.parse(
          Buffer.from(response.headers.get('x-payment-response')!, 'base64').toString(),
        );
        assert.equal(receipt.network, version === 1 ? 'base-sepolia' : 'eip155:84532');
        assert.equal(receipt.payer, wallet.address);
        assert.equal(response.headers.get('payment-response'), response.headers.get('x-payment-response'));
      });
    }
  }

  it('prefers x402 to the other headers, and treats an empty header as absent', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const first = wrapV2(rig.demo, await signPayment(rig.demo, wallet));
    const headers = { x402: first, 'PAYMENT-SIGNATURE': 'garbage' };
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 200);
    const second = wrapV2(rig.demo, await signPayment(rig.demo, wallet));
    const sparse = { x402: '', 'PAYMENT-SIGNATURE': '', 'X-PAYMENT': second };
    assert.equal((await fetch(`${rig.server.url}/paid`, { headers: sparse })).status, 200);
  });

  it('offers both versions in one response', async () => {
    const response = await fetch(`${rig.server.url}/paid`);
    assert.equal(response.status, 402);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const body = (await response.json()) as { accepts: Record<string, unknown>[]; [key: string]: unknown };
    assert.equal(body.x402Version, 1);
    assert.equal(typeof body.detail, 'string');
    assert.equal(body.accepts[0]!.maxAmountRequired, String(PRICE));
    assert.equal(body.accepts[0]!.network, 'base-sepolia');
    assert.equal('outputSchema' in body.accepts[0]!, false);
    const required = JSON.parse(Buffer.from(response.headers.get('payment-required')!, 'base64').toString());
    assert.equal(required.x402Version, 2);
    assert.equal(required.accepts[0].amount, String(PRICE));
    assert.equal(required.accepts[0].network, 'eip155:84532');
    assert.equal(required.resource.url, `${rig.server.url}/paid`);
  });
});
