// Sets up per-call payments as configured: off, a demo with its own chain, or a real facilitator.

import type { Config } from '../config/config.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Store } from '../store/ports.ts';

export interface OpenPayments {
  gate: PaymentGate | null;
  close(): Promise<void>;
}

/** Loads payment packages only if payments are on. */
export async function openPayments(
  config: Pick<Config, 'payments' | 'secrets' | 'dataDir'>,
  store: Store,
  logger: Logger,
): Promise<OpenPayments> {
  const { mode } = config.payments;
  if (mode === 'off') return { gate: null, close: async () => {} };
  const { loadPaymentGate } = await import('../payments/load-payments.ts');
  const demo = mode === 'demo' ? await startDemo(config, logger) : null;
  const gate = await loadPaymentGate({
    settings: {
      payTo: demo?.payTo ?? config.payments.payTo!,
      network: (demo?.network ?? config.payments.network) as `eip155:${string}`,
      facilitatorUrl: demo?.facilitatorUrl ?? config.payments.facilitatorUrl!,
      facilitatorAuthorization: demo ? null : config.secrets.facilitatorAuthorization,
      rpcUrl: demo?.rpcUrl ?? config.secrets.facilitatorRpcUrl,
      demoFaucetUrl: demo?.faucetUrl ?? null,
    },
    payments: store.payments,
    clock: systemClock,
    logger,
  });
  return {
    gate,
    async close() {
      await gate.close();
      await demo?.close();
    },
  };
}

async function startDemo(config: Pick<Config, 'payments' | 'dataDir'>, logger: Logger) {
  const { startDemoPayments } = await import('../../simulator/chain/demo-payments.ts');
  const { payTo } = config.payments;
  const { dataDir } = config;
  return startDemoPayments({ clock: systemClock, logger, dataDir, ...(payTo === null ? {} : { payTo }) });
}
