// Payers during a storm: each signs one payment, may be disconnected, and retries until the outcome is final.
// Each must then have been charged and served the same number of times: once or never.

import { SECOND_MS } from '../../src/domain/units.ts';
import type { FacilitatorClient, SettleAnswer } from '../../src/payments/gate/facilitator-client.ts';
import { createX402Gate } from '../../src/payments/gate/x402-gate.ts';
import type { PaidRoute, PaymentGate } from '../../src/payments/payment-gate.ts';
import type { AuthorizationReader } from '../../src/payments/reconciling/authorization-reader.ts';
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
  answers: number;
  isOver: boolean;
}

const ROUTE: PaidRoute = {
  ...{ method: 'GET', pattern: '/api/v1/signals/account_a', priceUsd: 0.01 },
  ...{ url: 'http://localhost/', description: 'storm' },
};
const PAY_TO = `0x${'ab'.repeat(20)}`;
const PAYER = `0x${'cd'.repeat(20)}`;
/**
 * Longer than an ordinary wallet's: a contract signature, which only the chain can check. A storm does not
 * test elliptic curves.
 */
const SIGNATURE = `0x${'11'.repeat(66)}`;
const VALID_FOR_MS = 100 * SECOND_MS;
/** Some try again at once. */
const TRY_AGAIN_MS = 10 * SECOND_MS;
const SETTLES_WITHIN_MS = 4 * SECOND_MS;
const LOST_SHARE = 0.3;
/** After all faults: rows of an abandoned call are picked up after two minutes, every 15 seconds. */
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
    ...{ payments: options.payments, clock, logger: silentLogger },
    ...{ facilitator: chain.facilitator, reader: chain.reader },
  });
  const payers: Payer[] = [];
  const stopping = new AbortController();

  async function live(payer: Payer): Promise<void> {
    while (!payer.isOver && !stopping.signal.aborted) {
      await tryOnce(payer).catch(() => undefined);
      if (!payer.isOver) await sleep(clock, random.uniform() * TRY_AGAIN_MS, stopping.signal);
    }
  }

  /** Disconnects after a while, often before the response, and may then retry while the first call still runs. */
  async function tryOnce(payer: Payer): Promise<void> {
    const leaving = new AbortController();
    const left = sleep(clock, random.uniform() * 2 * SETTLES_WITHIN_MS).then(() => leaving.abort());
    const call = callOnce(payer, leaving.signal);
    const answer = await Promise.race([call, left.then(() => 'none' as const)]);
    if (leaving.signal.aborted) return;
    if (answer === 'response') payer.answers += 1;
    // Repeats the payment after the response; it must be rejected as already used.
    if (answer === 'refusal') payer.isOver = true;
  }

  async function callOnce(payer: Payer, signal: AbortSignal): Promise<'response' | 'refusal' | 'none'> {
    const begun = await gate.begin(payer.header, ROUTE, signal);
    const outcome = begun.kind === 'rejection' ? begun : await begun.settle();
    if ('ok' in outcome && outcome.ok) {
      void outcome.conclude(!signal.aborted);
      return 'response';
    }
    return outcome.status === 503 ? 'none' : 'refusal';
  }

  return {
    payAndLeave() {
      const number = payers.length + 1;
      const nonce = `0x${number.toString(16).padStart(64, '0')}`;
      const payer = {
        nonce,
        header: signPayment(gate, nonce, clock.now()),
        ...{ begunTs: clock.now(), answers: 0, isOver: false },
      };
      payers.push(payer);
      void live(payer);
    },
    judge() {
      const sinceTs = clock.now() - OVER_WITHIN_MS;
      return payers.flatMap(({ nonce, answers, isOver, begunTs }) => {
        const name = `payment ${Number(nonce)}`;
        const charged = chain.timesUsed(nonce);
        if (answers > charged) return [`${name} got ${answers} responses and was charged ${charged} times`];
        if (isOver && answers !== charged) return [`${name} was charged, but its response was refused`];
        const isDue = Math.max(begunTs, options.troubleTs()) < sinceTs;
        return !isOver && isDue ? [`${name} never got a response`] : [];
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
  const used = new Map<string, number>();
  const facilitator: FacilitatorClient = {
    verify: async () => ({ kind: 'valid' }),
    async settle({ payload }): Promise<SettleAnswer> {
      const { nonce, validBefore } = (payload as { payload: { authorization: Record<string, string> } })
        .payload.authorization;
      await sleep(clock, random.uniform() * SETTLES_WITHIN_MS);
      const isLate = Number(validBefore) * 1_000 < clock.now();
      if (used.has(nonce!) || isLate) return { kind: 'refused', reason: 'the authorisation cannot be used' };
      used.set(nonce!, 1);
      if (random.uniform() < LOST_SHARE) return { kind: 'open', problem: 'no response', transaction: null };
      return { kind: 'settled', transaction: `0x${nonce!.slice(2)}` };
    },
  };
  const reader: AuthorizationReader = {
    async read({ nonce }) {
      if (used.has(nonce)) return { kind: 'used', transaction: `0x${nonce.slice(2)}` };
      return { kind: 'unused', headTimestampS: Math.floor(clock.now() / 1_000) };
    },
  };
  return { facilitator, reader, timesUsed: (nonce: string) => used.get(nonce) ?? 0 };
}
