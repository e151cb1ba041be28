// The only way in to the payment code: the packages behind it are loaded when payments are on, and only then.

import type { X402GateOptions } from './gate/x402-gate.ts';
import type { PaymentGate } from './payment-gate.ts';
import type { AuthorizationReader } from './reconciling/authorization-reader.ts';

export async function loadPaymentGate(options: X402GateOptions): Promise<PaymentGate> {
  const { createX402Gate } = await import('./gate/x402-gate.ts');
  return createX402Gate(options);
}

/** The chain's word on authorisations, for the command that reconciles; rpcUrl null takes the public node. */
export async function loadPaymentChain(network: string, rpcUrl: string | null): Promise<AuthorizationReader> {
  const { createAuthorizationReader } = await import('./reconciling/authorization-reader.ts');
  return createAuthorizationReader(network, rpcUrl);
}
