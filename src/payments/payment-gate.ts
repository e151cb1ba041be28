// The server's view of per-call payments, independent of the protocol. A request with a payment header goes
// begin -> handler (complete response) -> settle -> send with receipt headers. If the handler fails, the
// attempt is released uncharged. With payments off there is no gate, and no payment package is loaded.

import type { PaymentState } from '../store/ports.ts';

/** The route a payment is for. Payments are bound to routes, never to URL patterns. */
export interface PaidRoute {
  method: string;
  /** The route pattern, stored with the payment. */
  pattern: string;
  priceUsd: number;
  /** Absolute URL of the resource as the client sees it; informational. */
  url: string;
  description: string;
}

export interface PaymentRejection {
  kind: 'rejection';
  /** 400: unreadable payment; 402: not acceptable, with new terms; 503: unavailable, nothing charged. */
  status: 400 | 402 | 503;
  headers: Record<string, string>;
  body: object;
}

export type SettleOutcome =
  | {
      ok: true;
      headers: Record<string, string>;
      /** Call once, right after sending: whether the caller was still connected. */
      conclude(isSent: boolean): Promise<void>;
    }
  | { ok: false; status: 402 | 503; headers: Record<string, string>; body: object };

export interface PaymentAttempt {
  kind: 'attempt';
  paymentId: string;
  payer: string;
  /** Call once, when the complete successful response is ready and before any of it is sent. */
  settle(): Promise<SettleOutcome>;
  /** Call once instead of settle if the response is not successful (status 400 or above, or an exception). */
  release(reason: string): Promise<void>;
}

export interface PaymentGate {
  /** Headers and body of the 402 for a caller with neither key nor payment. */
  challenge(route: PaidRoute, detail?: string): { headers: Record<string, string>; body: object };
  /**
   * The payment as sent, from the first of `x402`, `PAYMENT-SIGNATURE` and `X-PAYMENT` that is present and
   * not empty.
   */
  findPaymentHeader(headers: Readonly<Record<string, string | string[] | undefined>>): string | null;
  /** Reserves the payment's nonce, then verifies the payment. */
  begin(header: string, route: PaidRoute, signal?: AbortSignal): Promise<PaymentAttempt | PaymentRejection>;
  /** Used by the metrics; amounts are in atomic units of the asset. */
  totals(): Promise<{ state: PaymentState; count: number; amount: string }[]>;
  /** Stops the reconciling job and waits for running settlements. */
  close(): Promise<void>;
}

// Payment settings as a plain object; loads no payment package.

export interface PaymentSettings {
  /** Recipient address. */
  payTo: string;
  /** CAIP-2, for example eip155:8453. */
  network: `eip155:${string}`;
  facilitatorUrl: string;
  /** Authorization header for the facilitator, if it requires one. */
  facilitatorAuthorization?: string | null;
  /** Node used by the reconciling job; null uses the network's public node. */
  rpcUrl?: string | null;
  /** Requested lifetime of a client's authorisation. */
  maxTimeoutSeconds?: number;
  verifyTimeoutMs?: number;
  settleTimeoutMs?: number;
  reconcilePeriodMs?: number;
  /** Faucet URL in the demo's 402 response, used by the pay command. */
  demoFaucetUrl?: string | null;
}

export type ResolvedPaymentSettings = Required<PaymentSettings>;

export function resolvePaymentSettings(settings: PaymentSettings): ResolvedPaymentSettings {
  return {
    facilitatorAuthorization: null,
    rpcUrl: null,
    maxTimeoutSeconds: 120,
    verifyTimeoutMs: 20_000,
    settleTimeoutMs: 60_000,
    reconcilePeriodMs: 15_000,
    demoFaucetUrl: null,
    ...settings,
  };
}
