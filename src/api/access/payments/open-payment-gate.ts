// The only way in to the payment code: the packages behind it are loaded when payments are on, and only then.

import type { PaymentGate } from '../payment-gate.ts';
import type { PaymentGateOptions } from './gate.ts';

export async function openPaymentGate(options: PaymentGateOptions): Promise<PaymentGate> {
  const { createPaymentGate } = await import('./gate.ts');
  return createPaymentGate(options);
}
