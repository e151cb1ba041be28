// Entry point to the payment code; its packages are loaded only if payments are enabled.

import type { X402GateOptions } from './gate/x402-gate.ts';
import type { PaymentGate } from './payment-gate.ts';
import type { AuthorizationReader } from './reconciling/authorization-reader.ts';

export async function loadPaymentGate(options: X402GateOptions): Promise<PaymentGate> {
  const { createX402Gate } = await import('./gate/x402-gate.ts');
  return createX402Gate(options);
}

/** Reads authorisations from the chain for the reconcile command; without rpcUrl it uses the public node. */
export async function loadPaymentChain(network: string, rpcUrl: string | null): Promise<AuthorizationReader> {
  const { createAuthorizationReader } = await import('./reconciling/authorization-reader.ts');
  return createAuthorizationReader(network, rpcUrl);
}
