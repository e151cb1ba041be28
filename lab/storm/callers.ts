// Callers during a storm: one rate limit used through two replicas, and payments submitted to both at once.

import { DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import { createSharedLimiter } from '../../src/access/shared-limiter.ts';
import { HOUR_MS } from '../../src/domain/units.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { PaymentRecord, Store } from '../../src/store/ports.ts';

const REPLICAS = 2;
/** Maximum clock step of a replica. */
const SLACK_MS = 60_000;

export interface Callers {
  /** Sends a burst of requests from one caller, spread over the replicas. */
  callOften(requests: number): Promise<void>;
  /** Submits the same authorisation to every replica at once. */
  payTwice(): Promise<void>;
  /** Called when the replicas' store fails: each then enforces its share of the limit. */
  noteTrouble(): void;
  /** When the store last failed. */
  troubleTs(): number;
}

export function createCallers(
  replicas: readonly { store: Store; clock: Clock }[],
  trueNow: () => number,
  fail: (what: string) => void,
): Callers {
  const limiters = replicas.map(({ store, clock }) =>
    createSharedLimiter({
      settings: DEFAULT_LIMITS,
      allowances: store.allowances,
      replicas: REPLICAS,
      clock,
      logger: silentLogger,
    }),
  );
  let grantedTs: number[] = [];
  let troubleTs = Number.NEGATIVE_INFINITY;
  let payments = 0;

  function judge(): void {
    const nowTs = trueNow();
    grantedTs = grantedTs.filter((ts) => ts > nowTs - HOUR_MS + SLACK_MS);
    const isSharing = troubleTs > nowTs - 2 * HOUR_MS;
    const limit = DEFAULT_LIMITS.freePerHour * (isSharing ? 2 : 1);
    if (grantedTs.length > limit) fail(`${grantedTs.length} requests were granted in an hour`);
  }

  return {
    async callOften(requests) {
      // Judged by when a request arrived: its response may be delayed for as long as the machine sleeps.
      const nowTs = trueNow();
      const verdicts = await Promise.all(
        Array.from({ length: requests }, async (_, index) => {
          const caller = limiters[index % limiters.length]!.forAddress('192.0.2.7', 'other');
          return caller.take();
        }),
      );
      for (const isGranted of verdicts) if (isGranted) grantedTs.push(nowTs);
      judge();
    },
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
