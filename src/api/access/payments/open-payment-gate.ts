// The only way in to the payment code: the packages behind it are loaded when payments are on, and only then.

import type { PaymentGate } from '../payment-gate.ts';
import type { AuthorizationReader } from './reconciling/authorization-reader.ts';
import type { PaymentGateOptions } from './taking/gate.ts';

export async function openPaymentGate(options: PaymentGateOptions): Promise<PaymentGate> {
  const { createPaymentGate } = await import('./taking/gate.ts');
  return createPaymentGate(options);
}

/** The chain's word on authorisations, for the command that reconciles; rpcUrl null takes the public node. */
export async function openPaymentChain(network: string, rpcUrl: string | null): Promise<AuthorizationReader> {
  const { createAuthorizationReader } = await import('./reconciling/authorization-reader.ts');
  return createAuthorizationReader(network, rpcUrl);
}
