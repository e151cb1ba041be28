// Shared by payment tests: the demo's facilitator, a store, and a server that applies the payment gate to its routes in
// the same order as the service.

import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type DemoPayments, startDemoPayments } from '../../simulator/chain/demo-payments.ts';
import type { KeptResponse, PaidRequest, PaymentSettings } from '../../src/payments/payment-gate.ts';
import { createX402Gate, type X402Gate, type X402GateOptions } from '../../src/payments/x402-gate.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { PaymentStore, Store } from '../../src/store/ports.ts';
import { type HarnessOptions, startHarness } from '../api/harness.ts';
import { openTempStore } from '../support/temp-store.ts';

export const PRICE_USD = 0.01;
export const PRICE = 10_000n;
export const FUNDS = 1_000_000n;

export interface Wallet {
  address: Hex;
  account: ReturnType<typeof privateKeyToAccount>;
}

export function createWallet(): Wallet {
  const account = privateKeyToAccount(generatePrivateKey());
  return { address: account.address, account };
}

export async function createFundedWallet({ faucetUrl }: DemoPayments): Promise<Wallet> {
  const wallet = createWallet();
  const body = JSON.stringify({ address: wallet.address });
  const response = await fetch(faucetUrl, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  return wallet;
}

export function settingsOf(demo: DemoPayments, change: Partial<PaymentSettings> = {}): PaymentSettings {
  const { payTo, network, facilitatorUrl, faucetUrl } = demo;
  return { payTo, network, facilitatorUrl, demoFaucetUrl: faucetUrl, ...change };
}

export interface PaidServer {
  url: string;
  gate: X402Gate;
  close(): Promise<void>;
}

export interface PaidServerOptions {
  settings: PaymentSettings;
  payments: PaymentStore;
  beforeSettle?: () => Promise<void>;
  afterSettle?: () => Promise<void>;
  gate?: Partial<X402GateOptions>;
}

/** Each response has a number of its own, so that a test can tell one given again from a new one. */
export async function startPaidServer(options: PaidServerOptions): Promise<PaidServer> {
  const { settings, payments } = options;
  const gate = createX402Gate({
    ...{ settings, payments, clock: systemClock, logger: silentLogger },
    ...options.gate,
  });
  const app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  let url = '';
  let handled = 0;

  async function answer(
    { routeOptions, headers }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const pattern = routeOptions.url!;
    const request: PaidRequest = {
      ...{ method: 'GET', pattern, priceUsd: PRICE_USD, url: url + pattern },
      ...{ description: 'test', digest: pattern },
    };
    const header = gate.findPaymentHeader(headers);
    if (header === null) return send(reply, { status: 402, ...gate.challenge(request) });
    let outcome = await gate.begin(header, request);
    if (outcome.kind === 'attempt') {
      await options.beforeSettle?.();
      const body = JSON.stringify({ secret: ++handled });
      outcome = await outcome.settle({ status: 200, type: 'application/json', headers: {}, body });
      await options.afterSettle?.();
    }
    if (outcome.kind === 'rejection') return send(reply, outcome);
    return send(reply, { status: 200, headers: outcome.headers, body: readKept(outcome.response) });
  }

  app.get('/paid', answer);
  app.get('/also-paid', answer);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    gate,
    async close() {
      await app.close();
      await gate.close();
    },
  };
}

function readKept({ body }: KeptResponse): object {
  return JSON.parse(body);
}

function send(
  reply: FastifyReply,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: object },
) {
  return reply.code(status).headers(headers).send(body);
}

export interface PaymentRig {
  demo: DemoPayments;
  store: Store;
  server: PaidServer;
  close(): Promise<void>;
}

export async function startRig(options: Partial<PaidServerOptions> = {}): Promise<PaymentRig> {
  const demo = await startDemoPayments();
  const { store, close } = await openTempStore();
  const server = await startPaidServer({ settings: settingsOf(demo), payments: store.payments, ...options });
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

/** The service's own API on its test data, paid through the demo. */
export async function startPaidHarness(options: HarnessOptions = {}) {
  const demo = await startDemoPayments();
  const temp = await openTempStore();
  const payments = createX402Gate({
    ...{ settings: settingsOf(demo), payments: temp.store.payments },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const harness = await startHarness({ ...options, payments });
  return {
    demo,
    harness,
    gate: payments,
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
