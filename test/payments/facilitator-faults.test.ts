import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type DemoPayments, startDemoPayments } from '../../simulator/chain/demo-payments.ts';
import { openTempStore, type TempStore } from '../support/temp-store.ts';
import { type Fault, type FaultyFacilitator, startFaultyFacilitator } from './faulty-facilitator.ts';
import { signPayment, wrapV1, wrapV2 } from './signing.ts';
import {
  createFundedWallet,
  FUNDS,
  type PaidServer,
  PRICE,
  settingsOf,
  startPaidServer,
  type Wallet,
} from './support.ts';

describe('a failing facilitator', () => {
  let demo: DemoPayments;
  let facilitator: FaultyFacilitator;
  let temp: TempStore;
  let server: PaidServer;
  let wallet: Wallet;

  before(async () => {
    demo = await startDemoPayments();
    facilitator = await startFaultyFacilitator(demo.facilitatorUrl);
    temp = await openTempStore();
    const settings = settingsOf(demo, { facilitatorUrl: facilitator.url, facilitatorTimeoutMs: 1_500 });
    server = await startPaidServer({ settings, payments: temp.store.payments });
  });
  after(async () => {
    await server.close();
    facilitator.close();
    await temp.close();
    await demo.close();
  });
  beforeEach(async () => {
    facilitator.faults = { verify: 'pass', settle: 'pass' };
    wallet = await createFundedWallet(demo);
  });

  const pay = (x402: string) => fetch(`${server.url}/paid`, { headers: { x402 } });
  const newestRow = async () => (await temp.store.payments.list({ limit: 1, offset: 0 }))[0]!;
  const spent = () => FUNDS - demo.balanceOf(wallet.address);

  async function isToldToRetry(response: Response): Promise<void> {
    assert.equal(response.status, 503);
    assert.match(response.headers.get('retry-after')!, /^\d+$/);
    assert.equal(response.headers.has('payment-required'), false);
    assert.match(((await response.json()) as { detail: string }).detail, /retry with the same payment/i);
  }

  for (const fault of ['500', '429', 'garbage', 'drop', 'hang'] as Fault[])
    it(`causes a 503 without a charge if verify fails with ${fault}, and the same payment works later`, async () => {
      const header = wrapV2(demo, await signPayment(demo, wallet));
      facilitator.faults.verify = fault;
      await isToldToRetry(await pay(header));
      assert.equal(spent(), 0n);
      facilitator.faults.verify = 'pass';
      assert.equal((await pay(header)).status, 200);
    });

  // `success: true` with an empty transaction conforms to the x402 schema, where it is a plain string.
  for (const fault of ['500', 'garbage', 'drop', 'hang', 'no-transaction', 'do-and-drop'] as Fault[])
    it(`causes a 503 if settle fails with ${fault}, and the same payment then gets its response for one charge`, async () => {
      const payment = await signPayment(demo, wallet);
      facilitator.faults.settle = fault;
      await isToldToRetry(await pay(wrapV2(demo, payment)));
      assert.equal((await newestRow()).state, 'settling');
      assert.equal(spent(), fault === 'do-and-drop' ? PRICE : 0n);
      facilitator.faults = { verify: 'drop', settle: 'pass' };
      const answers = await Promise.all([wrapV2(demo, payment), wrapV1(payment)].map(pay));
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 200],
      );
      assert.equal(spent(), PRICE);
      assert.equal((await newestRow()).state, 'settled');
    });

  it('does not prevent the 402 while it is down', async () => {
    facilitator.faults.verify = 'drop';
    assert.equal((await fetch(`${server.url}/paid`)).status, 402);
  });

  it('that refuses to settle causes a 402 with the reason and no response', async () => {
    facilitator.faults.settle = 'refuse';
    const response = await pay(wrapV2(demo, await signPayment(demo, wallet)));
    assert.equal(response.status, 402);
    assert.equal(response.headers.has('payment-required'), true);
    assert.equal(JSON.parse(atob(response.headers.get('payment-response')!)).success, false);
    assert.equal('secret' in ((await response.json()) as object), false);
    assert.equal((await newestRow()).state, 'failed');
  });
});
