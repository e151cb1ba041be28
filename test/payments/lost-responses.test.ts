// A paid call returns its response exactly once, despite any failure between settlement and response. Invalid
// payments are limited and cheap to reject.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Hex } from 'viem';
import type { SettleAnswer } from '../../src/payments/gate/facilitator-client.ts';
import { createX402Gate } from '../../src/payments/gate/x402-gate.ts';
import type {
  PaidRoute,
  PaymentAttempt,
  PaymentGate,
  SettleOutcome,
} from '../../src/payments/payment-gate.ts';
import type { AuthorizationUse } from '../../src/payments/reconciling/authorization-reader.ts';
import { ANSWER_PENDING } from '../../src/payments/reconciling/reconcile.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { PaymentStore } from '../../src/store/ports.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { waitUntil } from '../support/boot.ts';
import { openTempStore, type TempStore } from '../support/temp-store.ts';
import { AUTHORIZATION_TYPES } from './signing.ts';
import { createWallet, PRICE, PRICE_USD, reconcileNow } from './support.ts';

const PAY_TO = `0x${'ab'.repeat(20)}`;
const ROUTE: PaidRoute = {
  method: 'GET',
  pattern: '/api/v1/signals/account_a',
  priceUsd: PRICE_USD,
  url: 'http://localhost/',
  description: 'test',
};
const TRANSACTION = `0x${'cd'.repeat(32)}`;

let temp: TempStore;
before(async () => {
  temp = await openTempStore();
});
const gates: PaymentGate[] = [];
afterEach(async () => {
  for (const gate of gates.splice(0)) await gate.close();
});
after(() => temp.close());

interface Bench {
  gate: PaymentGate;
  asked: { verify: number; settle: number };
  /** Completes the pending settlement. */
  settle(answer?: SettleAnswer): void;
  /** State on the chain. */
  use: AuthorizationUse;
}

function createBench(payments: PaymentStore = temp.store.payments, clock: Clock = systemClock): Bench {
  const asked = { verify: 0, settle: 0 };
  let settling = Promise.withResolvers<SettleAnswer>();
  const gate = createX402Gate({
    settings: { payTo: PAY_TO, network: 'eip155:84532', facilitatorUrl: 'http://127.0.0.1:1' },
    payments,
    clock,
    logger: silentLogger,
    reconciles: false,
    facilitator: {
      async verify() {
        asked.verify += 1;
        return { kind: 'valid' };
      },
      settle() {
        asked.settle += 1;
        return settling.promise;
      },
    },
    reader: { read: async () => bench.use },
  });
  gates.push(gate);
  const bench: Bench = {
    gate,
    asked,
    settle(answer = { kind: 'settled', transaction: TRANSACTION }) {
      settling.resolve(answer);
      settling = Promise.withResolvers();
    },
    use: { kind: 'used', transaction: TRANSACTION },
  };
  return bench;
}

/** Creates a payment header for this gate's terms, signed by a fresh wallet. */
async function pay(gate: PaymentGate, change: { signature?: Hex; extra?: object } = {}): Promise<string> {
  const wallet = createWallet();
  const required = JSON.parse(
    Buffer.from(gate.challenge(ROUTE).headers['payment-required']!, 'base64').toString(),
  );
  const [accepted] = required.accepts;
  const message = {
    from: wallet.address,
    to: accepted.payTo as Hex,
    value: PRICE,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 100),
    nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
  };
  const signature = await wallet.account.signTypedData({
    domain: { ...accepted.extra, chainId: 84532, verifyingContract: accepted.asset },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const authorization = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, String(value)]),
  );
  const payload = { signature: change.signature ?? signature, authorization, ...change.extra };
  return Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString('base64');
}

async function attempt(gate: PaymentGate, header: string, signal?: AbortSignal): Promise<PaymentAttempt> {
  const begun = await gate.begin(header, ROUTE, signal);
  assert.equal(begun.kind, 'attempt', JSON.stringify(begun));
  return begun as PaymentAttempt;
}

/** The status with which the gate refuses the payment, or null. */
async function refusalOf(gate: PaymentGate, header: string): Promise<number | null> {
  const begun = await gate.begin(header, ROUTE);
  return begun.kind === 'rejection' ? begun.status : null;
}

/** Starts a settlement and waits until the gate calls the facilitator. */
async function startSettling(bench: Bench, header: string, signal?: AbortSignal) {
  const asked = bench.asked.settle;
  const { paymentId, settle } = await attempt(bench.gate, header, signal);
  const outcome = settle();
  await waitUntil(() => bench.asked.settle === asked + 1);
  return { paymentId, outcome };
}

/** True if the response was bought; records whether it could be sent. */
async function conclude(outcome: Promise<SettleOutcome>, isSent = true): Promise<boolean> {
  const settled = await outcome;
  if (settled.ok) await settled.conclude(isSent);
  return settled.ok;
}

describe('a paid response', () => {
  it('is returned if the first settlement arrives late, after a repeat was rejected', async () => {
    const bench = createBench();
    const header = await pay(bench.gate);
    bench.use = { kind: 'unused', headTimestampS: Math.floor(Date.now() / 1000) };
    const answers: SettleAnswer[] = [
      { kind: 'open', problem: 'no receipt yet', transaction: TRANSACTION },
      { kind: 'refused', reason: 'authorization expired' },
    ];
    for (const answer of answers) {
      const { outcome } = await startSettling(bench, header);
      bench.settle(answer);
      const { ok, ...refusal } = await outcome;
      assert.deepEqual([ok, 'status' in refusal && refusal.status], [false, 503]);
    }
    bench.use = { kind: 'used', transaction: TRANSACTION };
    assert.ok(await conclude((await attempt(bench.gate, header)).settle()));
  });

  it('is returned once to a payer who was disconnected during settlement', async () => {
    const bench = createBench();
    const header = await pay(bench.gate);
    const gone = new AbortController();
    const { outcome } = await startSettling(bench, header, gone.signal);
    gone.abort();
    bench.settle();
    assert.ok(await conclude(outcome, !gone.signal.aborted));
    const again = await attempt(bench.gate, header);
    assert.ok(await conclude(again.settle()));
    assert.equal(bench.asked.settle, 1, 'charged once');
    assert.equal(await refusalOf(bench.gate, header), 402);
  });

  it('is returned to a payer who disconnected while the settlement was being recorded', async () => {
    const writing = Promise.withResolvers<void>();
    const gone = new AbortController();
    const { payments } = temp.store;
    const slow: PaymentStore = {
      ...payments,
      async transition(paymentId, from, to, change) {
        const isMoved = await payments.transition(paymentId, from, to, change);
        if (change.transaction && !gone.signal.aborted) await writing.promise;
        return isMoved;
      },
    };
    const bench = createBench(slow);
    const header = await pay(bench.gate);
    const begun = await startSettling(bench, header, gone.signal);
    bench.settle();
    await waitUntil(async () => (await payments.find(begun.paymentId))!.transaction !== null);
    gone.abort();
    writing.resolve();
    assert.ok(await conclude(begun.outcome, !gone.signal.aborted));
    assert.ok(await conclude((await attempt(bench.gate, header)).settle()));
  });

  it('is returned at any later time, and a late payment that bought nothing is rejected', async () => {
    let lateMs = 0;
    const bench = createBench(temp.store.payments, { ...systemClock, now: () => Date.now() + lateMs });
    const [header, unused] = [await pay(bench.gate), await pay(bench.gate)];
    const gone = new AbortController();
    const { outcome } = await startSettling(bench, header, gone.signal);
    gone.abort();
    bench.settle();
    assert.ok(await conclude(outcome, !gone.signal.aborted));
    lateMs = 3_600_000;
    assert.equal(await refusalOf(bench.gate, unused), 402);
    assert.ok(await conclude((await attempt(bench.gate, header)).settle()));
    assert.equal(await refusalOf(bench.gate, header), 402);
  });

  it('is returned once although the store fails after it was sent', async () => {
    const { payments } = temp.store;
    let isFailing = false;
    const flaky: PaymentStore = {
      ...payments,
      transition: (...args) =>
        isFailing ? Promise.reject(new Error('the connection was lost')) : payments.transition(...args),
    };
    const bench = createBench(flaky);
    const header = await pay(bench.gate);
    const { outcome, paymentId } = await startSettling(bench, header);
    bench.settle();
    await outcome;
    isFailing = true;
    const concluded = conclude(outcome);
    // The reconciling job, here of another process, sees a charge without a response.
    await reconcileNow(payments, { read: async () => bench.use });
    assert.equal((await payments.find(paymentId))!.reason, ANSWER_PENDING);
    assert.equal(await refusalOf(bench.gate, header), 503);
    isFailing = false;
    await concluded;
    assert.equal(await refusalOf(bench.gate, header), 402);
  });

  it('is not charged again while another call is using the payment', async () => {
    const bench = createBench();
    const header = await pay(bench.gate);
    const held = await attempt(bench.gate, header);
    assert.equal(await refusalOf(bench.gate, header), 503);
    await held.release('the handler failed');
    await (await attempt(bench.gate, header)).release('enough');
  });

  it('is not charged again while settlement is in progress', async () => {
    const bench = createBench();
    const header = await pay(bench.gate);
    const { outcome } = await startSettling(bench, header);
    assert.equal(await refusalOf(bench.gate, header), 503);
    bench.settle();
    assert.ok(await conclude(outcome));
  });

  for (const isWritten of [false, true]) {
    it(`is returned once if the store fails while recording the settlement${isWritten ? ', even though it was recorded' : ''}`, async () => {
      const { payments } = temp.store;
      let isFailing = false;
      const flaky: PaymentStore = {
        ...payments,
        async transition(paymentId, from, to, change) {
          const fails = isFailing && change.transaction !== undefined;
          if (!fails || isWritten) await payments.transition(paymentId, from, to, change);
          if (fails) throw new Error('the connection was lost');
          return true;
        },
      };
      const bench = createBench(flaky);
      const header = await pay(bench.gate);
      const { outcome } = await startSettling(bench, header);
      isFailing = true;
      bench.settle();
      let answers = Number(await conclude(outcome));
      isFailing = false;
      const reader = { read: async () => ({ kind: 'used' as const, transaction: TRANSACTION }) };
      await waitUntil(async () => {
        // The job that resolves open payments later does the same.
        await reconcileNow(payments, reader);
        const again = await bench.gate.begin(header, ROUTE);
        if (again.kind === 'rejection') return answers > 0;
        if (await conclude(again.settle())) answers += 1;
        return false;
      });
      assert.equal(answers, 1);
      assert.equal(bench.asked.settle, 1);
    });
  }
});

describe('an invalid payment', () => {
  it('is rejected without storing a row or calling the facilitator', async () => {
    const bench = createBench();
    const before = (await temp.store.payments.list({ limit: 1_000, offset: 0 })).length;
    const forged = await pay(bench.gate, { signature: `0x${'11'.repeat(65)}` });
    assert.equal(await refusalOf(bench.gate, forged), 402);
    assert.equal(bench.asked.verify, 0);
    assert.equal((await temp.store.payments.list({ limit: 1_000, offset: 0 })).length, before);
  });

  it('leaves only the verified fields in its reserved row', async () => {
    const bench = createBench();
    const header = await pay(bench.gate, { extra: { padding: 'x'.repeat(4_000) } });
    const { paymentId } = await attempt(bench.gate, header);
    const row = (await temp.store.payments.find(paymentId))!;
    assert.ok(row.payload.length < 2_000, `${row.payload.length} characters`);
  });

  it('is deleted a day after its release, while charged payments are kept', async () => {
    const { payments } = temp.store;
    const bench = createBench();
    const { paymentId, release } = await attempt(bench.gate, await pay(bench.gate));
    await release('the handler failed');
    await payments.prune(Date.now() - 1_000);
    assert.ok(await payments.find(paymentId));
    await payments.prune(Date.now() + 1_000);
    assert.equal(await payments.find(paymentId), undefined);
    const totals = await payments.totals();
    assert.ok(totals.some(({ state, count }) => state === 'settled' && count >= 3));
  });

  it('uses a separate allowance of 100 per hour', async () => {
    const bench = createBench();
    const harness: Harness = await startHarness({ payments: bench.gate });
    try {
      const headers = { x402: Buffer.from('{"x402Version":2}').toString('base64') };
      const send = (from: string) => harness.call('/signals/account_a', { headers, from });
      for (let i = 0; i < 100; i++) assert.equal((await send('127.0.0.5')).status, 400);
      assert.equal((await send('127.0.0.5')).status, 429);
      assert.equal((await send('127.0.0.6')).status, 400);
      assert.equal((await harness.call('/health', { from: '127.0.0.5' })).status, 200);
    } finally {
      await harness.close();
    }
  });
});
