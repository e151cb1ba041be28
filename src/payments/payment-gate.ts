// What the server knows of per-call payments, independent of the protocol. A request with a payment header goes
// begin -> handler (complete response) -> settle, which stores the response before it asks for the money -> send.

import type { PaymentState } from '../store/ports.ts';

/** The request a payment is for. */
export interface PaidRequest {
  method: string;
  /** The route pattern, stored with the payment. */
  pattern: string;
  priceUsd: number;
  /** Absolute URL of the resource as the client sees it; informational. */
  url: string;
  description: string;
  /** Equal for equal requests; a stored response is given again only to the same request. */
  digest: string;
}

/** A response as it is stored with its payment. */
export interface KeptResponse {
  status: number;
  type: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface PaymentRejection {
  kind: 'rejection';
  /** 400: unreadable payment; 402: not acceptable, with new terms; 503: unavailable, retry the same payment. */
  status: 400 | 402 | 503;
  headers: Record<string, string>;
  body: object;
}

export interface PaidResponse {
  kind: 'paid';
  response: KeptResponse;
  /** The receipt. */
  headers: Record<string, string>;
}

/** A verified payment. If `settle` is never called, nothing is charged. */
export interface PaymentAttempt {
  kind: 'attempt';
  /** Call when the complete successful response is ready and before any of it is sent. */
  settle(response: KeptResponse): Promise<PaidResponse | PaymentRejection>;
}

export interface PaymentGate {
  /** Headers and body of the 402 for a caller with neither key nor payment. */
  challenge(request: PaidRequest, detail?: string): { headers: Record<string, string>; body: object };
  /** The payment as sent, from the first of the three header names that is present and not empty. */
  findPaymentHeader(headers: Readonly<Record<string, string | string[] | undefined>>): string | null;
  /** Verifies the payment; one that was sent before gets its stored response. */
  begin(
    header: string,
    request: PaidRequest,
    signal?: AbortSignal,
  ): Promise<PaymentAttempt | PaidResponse | PaymentRejection>;
  /** Used by the metrics; amounts are in atomic units of the asset. */
  totals(): Promise<{ state: PaymentState; count: number; amount: string }[]>;
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
  facilitatorTimeoutMs?: number;
  /** Requested lifetime of a client's authorisation. */
  maxTimeoutSeconds?: number;
  /** Faucet URL in the demo's 402 response, used by the pay command. */
  demoFaucetUrl?: string | null;
}
