import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import { createFundedWallet, FUNDS, type PaymentRig, PRICE, startRig } from './support.ts';

describe('the payment gate', () => {
  let rig: PaymentRig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  for (const header of ['x402', 'PAYMENT-SIGNATURE', 'X-PAYMENT'])
    for (const version of [1, 2])
      it(`accepts a version ${version} payment in ${header}`, async () => {
        const wallet = await createFundedWallet(rig.demo);
        const payment = await signPayment(rig.demo, wallet);
        const value = version === 1 ? wrapV1(payment) : wrapV2(rig.demo, payment);
        const response = await fetch(`${rig.server.url}/paid`, { headers: { [header]: value } });
        assert.equal(response.status, 200, await response.clone().text());
        assert.equal(rig.demo.balanceOf(wallet.address), FUNDS - PRICE);
        const receipt = JSON.parse(atob(response.headers.get('x-payment-response')!));
        assert.equal(receipt.network, version === 1 ? 'base-sepolia' : 'eip155:84532');
        assert.equal(response.headers.get('payment-response'), response.headers.get('x-payment-response'));
      });

  it('prefers x402 to the other headers, and treats an empty header as absent', async () => {
    const wallet = await createFundedWallet(rig.demo);
    const header = async () => wrapV2(rig.demo, await signPayment(rig.demo, wallet));
    for (const headers of [
      { x402: await header(), 'PAYMENT-SIGNATURE': 'garbage' },
      { x402: '', 'PAYMENT-SIGNATURE': '', 'X-PAYMENT': await header() },
    ])
      assert.equal((await fetch(`${rig.server.url}/paid`, { headers })).status, 200);
  });

  it('offers both versions in one response', async () => {
    const response = await fetch(`${rig.server.url}/paid`);
    assert.equal(response.status, 402);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const body = (await response.json()) as { accepts: Record<string, unknown>[]; [key: string]: unknown };
    assert.deepEqual([body.x402Version, typeof body.detail], [1, 'string']);
    const [offer] = body.accepts;
    assert.deepEqual([offer!.maxAmountRequired, offer!.network], [String(PRICE), 'base-sepolia']);
    assert.equal('outputSchema' in offer!, false);
    const required = JSON.parse(atob(response.headers.get('payment-required')!));
    assert.equal(required.x402Version, 2);
    assert.deepEqual(
      [required.accepts[0].amount, required.accepts[0].network],
      [String(PRICE), 'eip155:84532'],
    );
    assert.equal(required.resource.url, `${rig.server.url}/paid`);
  });
});
