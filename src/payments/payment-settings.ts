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
