// Payments by state for Prometheus, read from the store: the same numbers on every replica.

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
        // If the store is down, other metrics continue and these keep their last values.
        const totals = await gate.totals().catch(() => null);
        if (totals === null) return;
        this.reset();
        for (const total of totals) this.set({ state: total.state }, read(total));
      },
    });
  addGauge('tallycast_payments', 'Payments by state', (total) => total.count);
  addGauge('tallycast_payments_amount', 'Sum of payments by state, atomic units of the asset', (total) =>
    Number(total.amount),
  );
}
