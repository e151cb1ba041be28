// A paid response is stored before the money is asked for and given again to the same payment, despite any failure.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SettleAnswer } from '../../src/payments/facilitator.ts';
import type { KeptResponse, PaidRequest, PaymentAttempt } from '../../src/payments/payment-gate.ts';
import { createX402Gate } from '../../src/payments/x402-gate.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { PaymentRecord, PaymentStore } from '../../src/store/ports.ts';
import { openTempStore, type TempStore } from '../support/temp-store.ts';
import { type SignedPayment, signPayment, wrapV2 } from './signing.ts';
import { createWallet, PRICE_USD } from './support.ts';

const ROUTE: PaidRequest = {
  ...{ method: 'GET', pattern: '/api/v1/signals/account_a', priceUsd: PRICE_USD },
  ...{ url: 'http://localhost/', description: 'test', digest: 'signals' },
};
const RESPONSE: KeptResponse = { status: 200, type: 'application/json', headers: {}, body: '{"secret":1}' };
const SETTLED: SettleAnswer = { kind: 'settled', transaction: `0x${'cd'.repeat(32)}` };
const UNKNOWN: SettleAnswer = { kind: 'unknown', reason: 'no response' };
const REFUSED: SettleAnswer = { kind: 'refused', reason: 'expired' };
const TERMS = {
  ...({ network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' } as const),
  payTo: `0x${'ab'.repeat(20)}`,
};

let temp: TempStore;
before(async () => {
  temp = await openTempStore();
});
after(() => temp.close());

/** A gate whose facilitator gives these answers to settlements, then says that the authorisation is used. */
function createBench(answers: SettleAnswer[] = [SETTLED], payments: PaymentStore = temp.store.payments) {
  const clock = { lateMs: 0, now: () => Date.now() + clock.lateMs };
  const bench = {
    settled: 0,
    /** What was stored when the facilitator was asked. */
    stored: [] as PaymentRecord[],
    clock,
    gate: createX402Gate({
      settings: { payTo: TERMS.payTo, network: TERMS.network, facilitatorUrl: 'http://127.0.0.1:1' },
      ...{ payments, clock, logger: silentLogger },
      facilitator: {
        verify: async () => ({ kind: 'valid' }),
        async settle() {
          bench.settled += 1;
          bench.stored = await temp.store.payments.listByState(['settling']);
          return answers.shift() ?? { kind: 'used' };
        },
      },
    }),
    /** Begins the call and, unless the payment is known, settles it. */
    async call(header: string, change: Partial<PaidRequest> = {}) {
      const begun = await bench.gate.begin(header, { ...ROUTE, ...change });
      const outcome = begun.kind === 'attempt' ? await begun.settle(RESPONSE) : begun;
      return outcome.kind === 'paid' ? outcome.response.body : outcome.status;
    },
  };
  return bench;
}

const sign = (): Promise<SignedPayment> => signPayment(TERMS, createWallet());
const wrap = (payment: SignedPayment) => wrapV2(TERMS, payment);
const newHeader = async () => wrap(await sign());

async function attempt(bench: ReturnType<typeof createBench>, header: string, signal?: AbortSignal) {
  return (await bench.gate.begin(header, ROUTE, signal)) as PaymentAttempt;
}

describe('a paid response', () => {
  it('is stored before the facilitator is asked for the money', async () => {
    const bench = createBench();
    await bench.call(await newHeader());
    const [row] = bench.stored;
    assert.equal(await temp.store.payments.findResponse(row!.paymentId), JSON.stringify(RESPONSE));
  });

  it('is given again to the same payment without another charge, until it is pruned', async () => {
    const bench = createBench();
    const header = await newHeader();
    assert.equal(await bench.call(header), RESPONSE.body);
    bench.clock.lateMs = 3_600_000;
    assert.equal(await bench.call(header), RESPONSE.body);
    assert.equal(bench.settled, 1);
    await temp.store.payments.prune(Date.now() + 1_000);
    assert.equal(await bench.call(header), 402);
  });

  it('is given to no other request and to no other signature', async () => {
    const bench = createBench();
    const payment = await sign();
    await bench.call(wrap(payment));
    assert.equal(await bench.call(wrap(payment), { digest: 'other' }), 402);
    assert.equal(await bench.call(wrap({ ...payment, signature: `0x${'11'.repeat(65)}` })), 402);
    assert.equal(bench.settled, 1);
  });

  it('is not charged if the payer disconnects before settlement', async () => {
    const bench = createBench();
    const header = await newHeader();
    const gone = new AbortController();
    const begun = await attempt(bench, header, gone.signal);
    gone.abort();
    assert.equal((await begun.settle(RESPONSE)).kind, 'rejection');
    assert.equal(bench.settled, 0);
    assert.equal(await bench.call(header), RESPONSE.body);
  });

  it('is given if an authorisation whose settlement got no answer turns out to be used', async () => {
    const bench = createBench([UNKNOWN]);
    const header = await newHeader();
    assert.equal(await bench.call(header), 503);
    assert.equal(await bench.call(header), RESPONSE.body);
  });

  it('is given once the authorisation has expired, if nobody knows whether it was charged', async () => {
    const bench = createBench([UNKNOWN, REFUSED, REFUSED]);
    const header = await newHeader();
    assert.equal(await bench.call(header), 503);
    assert.equal(await bench.call(header), 503, 'a refusal now proves nothing');
    bench.clock.lateMs = 3_600_000;
    assert.equal(await bench.call(header), RESPONSE.body);
  });

  it('is withheld if the facilitator refuses the first settlement', async () => {
    const bench = createBench([REFUSED]);
    const header = await newHeader();
    assert.equal(await bench.call(header), 402);
    assert.equal(await bench.call(header), 402);
    assert.equal(bench.settled, 1);
  });

  for (const method of ['insert', 'transition'] as const)
    for (const isWritten of [false, true])
      it(`is given for one charge if the store fails at its ${method}${isWritten ? ' but has written' : ''}`, async () => {
        const { payments } = temp.store;
        let isFailing = true;
        const write = payments[method] as (...args: unknown[]) => Promise<boolean>;
        const flaky = {
          ...payments,
          async [method](...args: unknown[]) {
            const moved = !isFailing || isWritten ? await write(...args) : false;
            if (isFailing) throw new Error('the connection was lost');
            return moved;
          },
        };
        const bench = createBench([SETTLED], flaky as PaymentStore);
        const header = await newHeader();
        const first = await bench.call(header).catch(() => 'failed');
        assert.equal(first, method === 'insert' ? 'failed' : RESPONSE.body);
        assert.equal(bench.settled, method === 'insert' ? 0 : 1);
        isFailing = false;
        assert.equal(await bench.call(header), RESPONSE.body);
        assert.equal((await payments.listByState(['settling'])).length, 0);
      });
});
