// Callers during a storm: payments submitted to both replicas at once.

import type { Clock } from '../../src/runtime/clock.ts';
import type { PaymentRecord, Store } from '../../src/store/ports.ts';

export interface Callers {
  /** Submits the same authorisation to every replica at once. */
  payTwice(): Promise<void>;
  /** Called when the replicas' store fails. */
  noteTrouble(): void;
  /** When the store last failed. */
  troubleTs(): number;
}

export function createCallers(
  replicas: readonly { store: Store; clock: Clock }[],
  trueNow: () => number,
  fail: (what: string) => void,
): Callers {
  let troubleTs = Number.NEGATIVE_INFINITY;
  let payments = 0;

  return {
    async payTwice() {
      const number = ++payments;
      const won = await Promise.all(
        replicas.map(({ store, clock }, index) =>
          store.payments.insert(samplePayment(number, index, clock.now()), '{}').catch(() => false),
        ),
      );
      if (won.filter(Boolean).length > 1) fail(`payment ${number} was stored twice`);
    },
    noteTrouble() {
      troubleTs = trueNow();
    },
    troubleTs: () => troubleTs,
  };
}

function samplePayment(number: number, replica: number, nowTs: number): PaymentRecord {
  return {
    paymentId: `storm-${number}-${replica}`,
    network: 'eip155:84532',
    asset: '0xasset',
    payer: '0xpayer',
    nonce: `0x${number.toString(16)}`,
    payTo: '0xpayee',
    amount: '10000',
    route: 'GET /',
    request: '',
    state: 'settling',
    transaction: null,
    reason: null,
    validBefore: Math.floor(nowTs / 1000) + 600,
    payload: '{}',
    createdTs: nowTs,
    updatedTs: nowTs,
  };
}
