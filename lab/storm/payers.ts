// Payers during a storm: each signs one payment, may be disconnected, and retries until it has a response or a refusal.
// Who was charged must have got the response, and nobody is charged twice.

import { SECOND_MS } from '../../src/domain/units.ts';
import type { Facilitator, SettleAnswer } from '../../src/payments/facilitator.ts';
import type { KeptResponse, PaidRequest, PaymentGate } from '../../src/payments/payment-gate.ts';
import { createX402Gate } from '../../src/payments/x402-gate.ts';
import { type Clock, sleep } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { PaymentStore } from '../../src/store/ports.ts';

export interface Payers {
  payAndLeave(): void;
  /** Payers who waited too long, and those charged or served incorrectly. */
  judge(): string[];
  stop(): Promise<void>;
}

interface Payer {
  nonce: string;
  header: string;
  begunTs: number;
  /** When the response or a refusal came. */
  overTs: number | null;
  isServed: boolean;
}

const ROUTE: PaidRequest = {
  ...{ method: 'GET', pattern: '/api/v1/signals/account_a', priceUsd: 0.01 },
  ...{ url: 'http://localhost/', description: 'storm', digest: 'storm' },
};
const PAY_TO = `0x${'ab'.repeat(20)}`;
const PAYER = `0x${'cd'.repeat(20)}`;
/** Only the facilitator would check it, and a storm's facilitator does not. */
const SIGNATURE = `0x${'11'.repeat(65)}`;
const RESPONSE: KeptResponse = { status: 200, type: 'application/json', headers: {}, body: '{}' };
const VALID_FOR_MS = 100 * SECOND_MS;
/** Some try again at once. */
const TRY_AGAIN_MS = 10 * SECOND_MS;
const SETTLES_WITHIN_MS = 4 * SECOND_MS;
const LOST_SHARE = 0.3;
/** After all faults: an authorisation that may have been used counts as paid once it has expired. */
const OVER_WITHIN_MS = 240 * SECOND_MS;

export function createPayers(options: {
  payments: PaymentStore;
  clock: Clock;
  random: Random;
  /** When the store last failed. */
  troubleTs: () => number;
}): Payers {
  const { clock, random } = options;
  const chain = createChain(clock, random);
  const gate = createX402Gate({
    settings: { payTo: PAY_TO, network: 'eip155:84532', facilitatorUrl: 'http://127.0.0.1:1' },
    ...{ payments: options.payments, clock, logger: silentLogger, facilitator: chain.facilitator },
  });
  const payers: Payer[] = [];
  const stopping = new AbortController();

  async function live(payer: Payer): Promise<void> {
    while (payer.overTs === null && !stopping.signal.aborted) {
      await tryOnce(payer).catch(() => undefined);
      if (payer.overTs === null) await sleep(clock, random.uniform() * TRY_AGAIN_MS, stopping.signal);
    }
  }

  /** Disconnects after a while, often before the response, and may then retry while the first call still runs. */
  async function tryOnce(payer: Payer): Promise<void> {
    const leaving = new AbortController();
    const left = sleep(clock, random.uniform() * 2 * SETTLES_WITHIN_MS).then(() => leaving.abort());
    const call = callOnce(payer, leaving.signal);
    const answer = await Promise.race([call, left.then(() => 'none' as const)]);
    if (leaving.signal.aborted || answer === 'none') return;
    payer.overTs = clock.now();
    payer.isServed = answer === 'response';
  }

  async function callOnce(payer: Payer, signal: AbortSignal): Promise<'response' | 'refusal' | 'none'> {
    const begun = await gate.begin(payer.header, ROUTE, signal);
    const outcome = begun.kind === 'attempt' ? await begun.settle(RESPONSE) : begun;
    if (outcome.kind === 'paid') return 'response';
    return outcome.status === 503 ? 'none' : 'refusal';
  }

  return {
    payAndLeave() {
      const nonce = `0x${(payers.length + 1).toString(16).padStart(64, '0')}`;
      const header = signPayment(gate, nonce, clock.now());
      const payer = { nonce, header, begunTs: clock.now(), overTs: null, isServed: false };
      payers.push(payer);
      void live(payer);
    },
    judge() {
      const sinceTs = clock.now() - OVER_WITHIN_MS;
      return payers.flatMap(({ nonce, isServed, overTs, begunTs }) => {
        const name = `payment ${Number(nonce)}`;
        const isCharged = chain.isUsed(nonce);
        if (overTs === null) {
          const isDue = Math.max(begunTs, options.troubleTs()) < sinceTs;
          return isDue ? [`${name} never got a response`] : [];
        }
        if (isCharged && !isServed) return [`${name} was charged, but its response was refused`];
        const isFree = isServed && !isCharged && overTs < begunTs + VALID_FOR_MS;
        return isFree ? [`${name} got a response and was not charged`] : [];
      });
    },
    async stop() {
      stopping.abort();
      await gate.close();
    },
  };
}

function signPayment(gate: PaymentGate, nonce: string, nowTs: number): string {
  const { 'payment-required': required } = gate.challenge(ROUTE).headers;
  const [accepted] = JSON.parse(Buffer.from(required!, 'base64').toString()).accepts;
  const authorization = {
    ...{ from: PAYER, to: accepted.payTo, value: accepted.amount, validAfter: '0', nonce },
    validBefore: String(Math.floor((nowTs + VALID_FOR_MS) / 1_000)),
  };
  const payment = { x402Version: 2, accepted, payload: { signature: SIGNATURE, authorization } };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

/** Accepts each nonce once, after a delay, and sometimes loses the response. */
function createChain(clock: Clock, random: Random) {
  const used = new Set<string>();
  const facilitator: Partial<Facilitator> = {
    verify: async () => ({ kind: 'valid' }),
    async settle({ payload }): Promise<SettleAnswer> {
      const { nonce, validBefore } = payload.payload.authorization as Record<string, string>;
      await sleep(clock, random.uniform() * SETTLES_WITHIN_MS);
      if (used.has(nonce!)) return { kind: 'used' };
      if (Number(validBefore) * 1_000 < clock.now()) return { kind: 'refused', reason: 'expired' };
      used.add(nonce!);
      if (random.uniform() < LOST_SHARE) return { kind: 'unknown', reason: 'no response' };
      return { kind: 'settled', transaction: `0x${nonce!.slice(2)}` };
    },
  };
  return { facilitator, isUsed: (nonce: string) => used.has(nonce) };
}
