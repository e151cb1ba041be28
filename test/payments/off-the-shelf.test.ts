import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createFundedWallet, FUNDS, type PaymentRig, PRICE, startRig } from './support.ts';

// The same axios copy that the payment package uses.
const axios = createRequire(import.meta.resolve('@x402/axios'))('axios') as { create(): AxiosInstance };
type AxiosInstance = Parameters<typeof wrapAxiosWithPayment>[0];

describe('a paid endpoint', () => {
  let rig: PaymentRig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  it('accepts payment by @x402/fetch, and returns the data and a receipt that the chain confirms', async () => {
    const { demo, server } = rig;
    const wallet = await createFundedWallet(demo);
    const payee = demo.balanceOf(demo.payTo);
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(wallet.account));
    const response = await wrapFetchWithPayment(fetch, client)(`${server.url}/paid`);
    assert.equal(response.status, 200);
    assert.ok('secret' in ((await response.json()) as object));
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!);
    assert.equal(receipt.success, true);
    assert.equal(receipt.payer, wallet.address);
    assert.equal(demo.findTransfer(receipt.transaction)?.to, demo.payTo);
    assert.equal(demo.balanceOf(wallet.address), FUNDS - PRICE);
    assert.equal(demo.balanceOf(demo.payTo), payee + PRICE);
    const [row] = await rig.store.payments.list({ limit: 1, offset: 0 });
    assert.equal(row?.state, 'settled');
    assert.equal(row?.transaction, receipt.transaction);
    assert.equal(row?.payer, wallet.address.toLowerCase());
    assert.equal(row?.route, 'GET /paid');
  });

  it('accepts payment by @x402/axios, and returns the data', async () => {
    const { demo, server } = rig;
    const wallet = await createFundedWallet(demo);
    const client = new AxiosClient().register('eip155:84532', new ExactEvmScheme(wallet.account) as never);
    const response = await wrapAxiosWithPayment(axios.create(), client).get(`${server.url}/also-paid`);
    assert.equal(response.status, 200);
    assert.ok('secret' in response.data);
    assert.equal(demo.balanceOf(wallet.address), FUNDS - PRICE);
  });
});
