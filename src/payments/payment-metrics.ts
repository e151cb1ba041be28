// Prometheus metrics for payments by state, read from the store so that all replicas report the same numbers.

import { Gauge, type Registry } from 'prom-client';
import type { PaymentGate } from './payment-gate.ts';

type Totals = Awaited<ReturnType<PaymentGate['totals']>>;

export function addPaymentMetrics(registry: Registry, gate: Pick<PaymentGate, 'totals'>): void {
  const addGauge = (name: string, help: string, read: (total: Totals[number]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        // If the store is down, these metrics keep their last values and others are unaffected.
        const totals = await gate.totals().catch(() => null);
        if (totals === null) return;
        this.reset();
        for (const total of totals) this.set({ state: total.state }, read(total));
      },
    });
  addGauge('tallycast_payments', 'Payments by state', (total) => total.count);
  addGauge('tallycast_payments_amount', 'Payment amounts by state, in atomic units of the asset', (total) =>
    Number(total.amount),
  );
}
