// Shared by payment tests: the simulated chain with its facilitator, a store, and a server that applies the
// payment gate to its routes in the same order as the service.

import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type DemoPayments, startDemoPayments } from '../../simulator/chain/demo-payments.ts';
import { createX402Gate, type X402GateOptions } from '../../src/payments/gate/x402-gate.ts';
import type { PaidRoute, PaymentGate, PaymentSettings } from '../../src/payments/payment-gate.ts';
import {
  type AuthorizationReader,
  createAuthorizationReader,
} from '../../src/payments/reconciling/authorization-reader.ts';
import { reconcilePayments } from '../../src/payments/reconciling/reconcile.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { PaymentStore, Store } from '../../src/store/ports.ts';
import { type HarnessOptions, startHarness } from '../api/harness.ts';
import { openTempStore } from '../support/temp-store.ts';

export const PRICE_USD = 0.01;
export const PRICE = 10_000n;

export interface Wallet {
  address: Hex;
  privateKey: Hex;
  account: ReturnType<typeof privateKeyToAccount>;
}

export async function startChain(): Promise<DemoPayments> {
  return startDemoPayments({ clock: systemClock, logger: silentLogger });
}

export function createWallet(): Wallet {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  return { address: account.address, privateKey, account };
}

export async function createFundedWallet(demo: DemoPayments): Promise<Wallet> {
  const wallet = createWallet();
  const response = await fetch(demo.faucetUrl, {
    method: 'POST',
    body: JSON.stringify({ address: wallet.address }),
  });
  if (!response.ok) throw new Error(await response.text());
  return wallet;
}

export function settingsOf(demo: DemoPayments, change: Partial<PaymentSettings> = {}): PaymentSettings {
  return {
    payTo: demo.payTo,
    network: demo.network,
    facilitatorUrl: demo.facilitatorUrl,
    rpcUrl: demo.rpcUrl,
    demoFaucetUrl: demo.faucetUrl,
    ...change,
  };
}

export interface PaidServer {
  url: string;
  gate: PaymentGate;
  /** Number of times a paid handler ran. */
  runs(): number;
  close(): Promise<void>;
}

export interface PaidServerOptions {
  settings: PaymentSettings;
  payments: PaymentStore;
  /** Status returned by the handler of /paid; 200 by default. */
  status?: () => number;
  /** Awaited between the handler's response and settlement. */
  beforeSettle?: () => Promise<void>;
  afterSettle?: () => Promise<void>;
  gate?: Partial<X402GateOptions>;
}

export async function startPaidServer(options: PaidServerOptions): Promise<PaidServer> {
  const gate = createX402Gate({
    settings: options.settings,
    payments: options.payments,
    clock: systemClock,
    logger: silentLogger,
    reconciles: false,
    ...options.gate,
  });
  const app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  let runs = 0;
  let url = '';
  let concluded: Promise<unknown> = Promise.resolve();
  // Otherwise a test could repeat a payment before it is used up.
  app.addHook('onRequest', () => concluded.then(() => {}));

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const route: PaidRoute = {
      method: 'GET',
      pattern: request.routeOptions.url ?? '',
      priceUsd: PRICE_USD,
      url: `${url}${request.routeOptions.url}`,
      description: 'test',
    };
    const header = gate.findPaymentHeader(request.headers);
    if (header === null) return send(reply, { status: 402, ...gate.challenge(route) });
    const attempt = await gate.begin(header, route);
    if (attempt.kind === 'rejection') return send(reply, attempt);
    runs++;
    const status = options.status?.() ?? 200;
    if (status >= 400) {
      await attempt.release(`status ${status}`);
      return reply.code(status).send({ detail: 'failed' });
    }
    await options.beforeSettle?.();
    const outcome = await attempt.settle();
    await options.afterSettle?.();
    if (!outcome.ok) return send(reply, outcome);
    send(reply, { status: 200, headers: outcome.headers, body: { secret: 'paid data' } });
    concluded = Promise.all([concluded, outcome.conclude(true)]);
    return reply;
  }

  app.get('/paid', answer);
  app.get('/also-paid', answer);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    gate,
    runs: () => runs,
    async close() {
      await app.close();
      await gate.close();
    },
  };
}

function send(
  reply: FastifyReply,
  answer: { status: number; headers: Record<string, string>; body: object },
) {
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

export interface PaymentRig {
  demo: DemoPayments;
  store: Store;
  server: PaidServer;
  close(): Promise<void>;
}

export async function startRig(
  options: Partial<PaidServerOptions> & { change?: Partial<PaymentSettings> } = {},
): Promise<PaymentRig> {
  const demo = await startChain();
  const { store, close } = await openTempStore();
  const settings = settingsOf(demo, options.change);
  const server = await startPaidServer({ settings, payments: store.payments, ...options });
  return {
    demo,
    store,
    server,
    async close() {
      await server.close();
      await close();
      await demo.close();
    },
  };
}

/**
 * Checks responses to a reused payment: 503 without terms while another call is using it, 402 only once it is
 * used up. A payer who is being charged must not see terms for another payment.
 */
export async function countToldRightly(answers: readonly Response[]): Promise<number> {
  const reported = await Promise.all(
    answers.map(async (answer) => {
      const { status, headers } = answer;
      const { detail } = (await answer.json()) as { detail?: string };
      if (status === 402) return /payment already used$/.test(detail!);
      return status === 503 && headers.has('retry-after') && !headers.has('payment-required');
    }),
  );
  return reported.filter(Boolean).length;
}

/** Decides every open payment now, however young it is. */
export function reconcileNow(
  payments: PaymentStore,
  chain: DemoPayments | AuthorizationReader,
  clock: Pick<Clock, 'now'> = systemClock,
) {
  const reader = 'read' in chain ? chain : createAuthorizationReader(chain.network, chain.rpcUrl);
  const ages = { minBegunAgeMs: 0, minSettlingAgeMs: 0, orphanAgeMs: 0 };
  return reconcilePayments({
    ...{ ...ages, payments, reader, logger: silentLogger },
    clock: { ...systemClock, now: () => clock.now() },
  });
}

/** The service's own API on its test data, paid on a simulated chain. */
export async function startPaidHarness(options: HarnessOptions = {}) {
  const demo = await startChain();
  const temp = await openTempStore();
  const payments = createX402Gate({
    ...{ settings: settingsOf(demo), payments: temp.store.payments, reconciles: false },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const harness = await startHarness({ ...options, payments });
  return {
    demo,
    harness,
    url: `http://127.0.0.1:${harness.port}`,
    async close() {
      await harness.close();
      await payments.close();
      await temp.close();
      await demo.close();
    },
  };
}

export type PaidHarness = Awaited<ReturnType<typeof startPaidHarness>>;
