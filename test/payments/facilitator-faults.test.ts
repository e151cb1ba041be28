import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { createAuthorizationReader } from '../../src/payments/reconciling/authorization-reader.ts';
import { ANSWER_PENDING, decidePayment } from '../../src/payments/reconciling/reconcile.ts';
import { type Clock, createManualClock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openTempStore, type TempStore } from '../support/temp-store.ts';
import { type Fault, type FaultyFacilitator, startFaultyFacilitator } from './faulty-facilitator.ts';
import { askFacilitator, offerOf, signPayment, wrapV1, wrapV2 } from './signing.ts';
import {
  createFundedWallet,
  type PaidServer,
  PRICE,
  reconcileNow,
  settingsOf,
  startChain,
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
    demo = await startChain();
    facilitator = await startFaultyFacilitator(demo.facilitatorUrl);
    temp = await openTempStore();
    server = await startPaidServer({
      settings: settingsOf(demo, {
        facilitatorUrl: facilitator.url,
        verifyTimeoutMs: 2_500,
        settleTimeoutMs: 2_500,
      }),
      payments: temp.store.payments,
    });
  });
  after(async () => {
    await server.close();
    facilitator.close();
    await temp.close();
    await demo.close();
  });
  beforeEach(async () => {
    facilitator.faults.verify = 'pass';
    facilitator.faults.settle = 'pass';
    wallet = await createFundedWallet(demo);
  });

  const pay = (header: string) => fetch(`${server.url}/paid`, { headers: { x402: header } });
  const newestRow = async () => (await temp.store.payments.list({ limit: 1, offset: 0 }))[0]!;
  const reconcile = (clock?: Clock) => reconcileNow(temp.store.payments, demo, clock);

  for (const fault of ['500', '429', 'garbage', 'drop', 'hang'] as Fault[]) {
    it(`causes a 503 without a charge if verify fails with ${fault}, and the same payment works later`, async () => {
      const header = wrapV2(demo, await signPayment(demo, wallet));
      facilitator.faults.verify = fault;
      const runs = server.runs();
      const response = await pay(header);
      assert.equal(response.status, 503);
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal(response.headers.has('payment-required'), false);
      assert.equal(server.runs(), runs);
      assert.equal(await demo.balanceOf(wallet.address), 1_000_000n);
      facilitator.faults.verify = 'pass';
      assert.equal((await pay(header)).status, 200);
    });
  }

  it('does not prevent the 402 while it is down', async () => {
    facilitator.faults.verify = 'drop';
    assert.equal((await fetch(`${server.url}/paid`)).status, 402);
  });

  it('leaves a settlement unconfirmed, and the same payment later gets the pending response once', async () => {
    const payment = await signPayment(demo, wallet);
    facilitator.faults.settle = 'do-and-drop';
    const response = await pay(wrapV2(demo, payment));
    assert.equal(response.status, 503);
    assert.equal(response.headers.has('payment-required'), false);
    assert.match(((await response.json()) as { detail: string }).detail, /Do not pay again/);
    assert.equal((await newestRow()).state, 'undecided');
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);

    const calls = { ...facilitator.calls };
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((i) => pay(i % 2 === 0 ? wrapV2(demo, payment) : wrapV1(payment))),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    const owed = answers.find((answer) => answer.status === 200)!;
    const receipt = JSON.parse(atob(owed.headers.get('payment-response')!));
    assert.equal(demo.chain.find(receipt.transaction)?.succeeded, true);
    assert.equal((await pay(wrapV2(demo, payment))).status, 402);
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
    assert.deepEqual(facilitator.calls, calls);
    const row = await newestRow();
    assert.deepEqual([row.state, row.transaction, row.reason], ['settled', receipt.transaction, null]);
  });

  it('leaves an unconfirmed settlement that the job resolves, with the response still pending', async () => {
    const header = wrapV2(demo, await signPayment(demo, wallet));
    facilitator.faults.settle = 'do-and-drop';
    assert.equal((await pay(header)).status, 503);
    const summary = await reconcile();
    assert.deepEqual(summary, { released: 0, settled: 1, failed: 0, open: 0 });
    const row = await newestRow();
    assert.equal(row.state, 'settled');
    assert.equal(row.reason, ANSWER_PENDING);
    assert.equal(demo.chain.find(row.transaction!)?.succeeded, true);
    assert.equal((await pay(header)).status, 200);
    assert.equal((await pay(header)).status, 402);
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
  });

  it('leaves an unconfirmed settlement that the job resolves even if its last change is ahead of the clock', async () => {
    facilitator.faults.settle = 'do-and-drop';
    assert.equal((await pay(wrapV2(demo, await signPayment(demo, wallet)))).status, 503);
    const { updatedTs } = await newestRow();
    assert.equal((await reconcile(createManualClock(updatedTs))).settled, 1);
  });

  it('does not affect a payment that another call took while the chain was being read', async () => {
    facilitator.faults.settle = 'do-and-drop';
    assert.equal((await pay(wrapV2(demo, await signPayment(demo, wallet)))).status, 503);
    const judged = await newestRow();
    const { payments } = temp.store;
    const change = { updatedTs: systemClock.now() + 1 };
    assert.ok(await payments.transition(judged.paymentId, ['undecided'], 'settling', change));
    const reader = createAuthorizationReader(demo.network, demo.rpcUrl);
    await decidePayment(judged, { payments, reader, clock: systemClock, logger: silentLogger });
    assert.equal((await newestRow()).state, 'settling');
    await reconcile(createManualClock(systemClock.now() + 1_000));
    assert.equal((await newestRow()).reason, ANSWER_PENDING);
  });

  // `success: true` with an empty transaction conforms to the x402 schema, where it is a plain string.
  for (const fault of ['500', 'garbage', 'drop', 'hang', 'no-transaction'] as Fault[]) {
    it(`causes no charge if settle fails with ${fault}, and the same payment then buys the response`, async () => {
      const header = wrapV2(demo, await signPayment(demo, wallet));
      facilitator.faults.settle = fault;
      assert.equal((await pay(header)).status, 503);
      assert.deepEqual(await reconcile(), { released: 0, settled: 0, failed: 0, open: 1 });
      assert.equal(
        (await pay(header)).status,
        503,
        'neither serves the response nor requests another payment',
      );
      assert.equal(await demo.balanceOf(wallet.address), 1_000_000n);
      facilitator.faults.settle = 'pass';
      const answers = await Promise.all([pay(header), pay(header), pay(header)]);
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
      assert.equal((await pay(header)).status, 402);
      assert.equal(await demo.balanceOf(wallet.address), 1_000_000n - PRICE);
      assert.equal((await newestRow()).state, 'settled');
    });
  }

  it('has its unconfirmed settlement marked failed once the authorisation expires on the chain', async () => {
    const validBefore = Math.floor(Date.now() / 1000) + 100;
    const header = wrapV2(demo, await signPayment(demo, wallet, { validBefore }));
    facilitator.faults.settle = 'drop';
    assert.equal((await pay(header)).status, 503);
    const expired = { read: async () => ({ kind: 'unused' as const, headTimestampS: validBefore + 60 }) };
    const laterClock = createManualClock(Date.now() + 200_000);
    const summary = await reconcileNow(temp.store.payments, expired, laterClock);
    assert.equal(summary.failed, 1);
    assert.equal((await pay(header)).status, 402);
    assert.equal(await demo.balanceOf(wallet.address), 1_000_000n);
  });

  // Between verify and settle, the payer moves the money or uses the nonce for another transfer.
  for (const [what, value, isSameNonce] of [
    ['the money is gone', 1_000_000n, false],
    ['the payer used the authorisation for another transfer', 1n, true],
  ] as const) {
    it(`causes a 402 with the reason and no response data when ${what}`, async () => {
      const payment = await signPayment(demo, wallet);
      const { nonce } = payment.authorization;
      const other = await startPaidServer({
        settings: settingsOf(demo),
        payments: temp.store.payments,
        beforeSettle: () => spend(demo, wallet, { value, ...(isSameNonce && { nonce: nonce! }) }),
      });
      const response = await fetch(`${other.url}/paid`, { headers: { x402: wrapV2(demo, payment) } });
      assert.equal(response.status, 402);
      assert.equal(response.headers.has('payment-required'), true);
      assert.equal(JSON.parse(atob(response.headers.get('payment-response')!)).success, false);
      assert.equal((await newestRow()).state, 'failed');
      await other.close();
    });
  }

  it('has an open payment marked failed if its authorisation was used elsewhere', async () => {
    const payment = await signPayment(demo, wallet);
    facilitator.faults.settle = 'drop';
    assert.equal((await pay(wrapV2(demo, payment))).status, 503);
    await spend(demo, wallet, { value: 1n, nonce: payment.authorization.nonce! });
    assert.deepEqual(await reconcile(), { released: 0, settled: 0, failed: 1, open: 0 });
    assert.match((await newestRow()).reason!, /another transfer/);
  });
});

/** Transfers directly to the payee, bypassing the payment gate. */
async function spend(
  demo: DemoPayments,
  wallet: Wallet,
  options: { value: bigint; nonce?: string },
): Promise<void> {
  const payment = await signPayment(demo, wallet, options);
  const offer = { ...offerOf(demo), amount: String(options.value) };
  const response = await askFacilitator(`${demo.facilitatorUrl}/settle`, offer, payment);
  assert.equal(((await response.json()) as { success: boolean }).success, true);
}
