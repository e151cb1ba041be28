// Metrics for post sources and their cost.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { Account } from '../domain/account.ts';
import type { PostSourceStatus } from '../domain/feed.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import type { BoardReader } from '../state/board.ts';

export function addSourceMetrics(
  registry: Registry,
  board: BoardReader,
  accounts: readonly Pick<Account, 'accountId' | 'segment'>[],
): void {
  const statuses = () =>
    accounts.flatMap(({ accountId, segment }) =>
      (board.find(accountId)?.postSources ?? []).map((status) => ({ segment, status })),
    );
  new Gauge({
    name: 'tallycast_post_source_leads',
    help: '1 for the post source an account currently uses',
    labelNames: ['account', 'source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { segment, status } of statuses())
        this.set({ account: segment, source: status.name }, Number(status.state === 'leads'));
    },
  });
  new Gauge({
    name: 'tallycast_posts_second_hand',
    help: '1 while an account does not use its preferred post source',
    labelNames: ['account'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { accountId, segment } of accounts) {
        const [preferred] = board.find(accountId)?.postSources ?? [];
        if (preferred) this.set({ account: segment }, Number(preferred.state !== 'leads'));
      }
    },
  });
  new Gauge({
    name: 'tallycast_source_spend_usd',
    help: 'Estimated cost of a paid platform this UTC day or month, from its price list',
    labelNames: ['source', 'period'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, spend } of paid(statuses().map(({ status }) => status))) {
        this.set({ source: name, period: 'day' }, spend.dayUsd);
        this.set({ source: name, period: 'month' }, spend.monthUsd);
      }
    },
  });
  new Gauge({
    name: 'tallycast_source_spend_cap_usd',
    help: 'Monthly cost cap of a paid platform, if the operator set one',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, spend } of paid(statuses().map(({ status }) => status)))
        if (spend.capUsd !== null) this.set({ source: name }, spend.capUsd);
    },
  });
}

/** Accounts that share a credential share its bill; the highest value is the most recent. */
function paid(statuses: readonly PostSourceStatus[]) {
  const bills = new Map<string, NonNullable<PostSourceStatus['spend']>>();
  for (const { name, spend } of statuses) {
    const before = bills.get(name);
    if (spend && (!before || spend.monthUsd > before.monthUsd)) bills.set(name, spend);
  }
  return [...bills].map(([name, spend]) => ({ name, spend }));
}

// Counts invariant violations. Counters start at 0, so that the first violation shows as an increase.

export function addInvariantMetrics(
  registry: Registry,
  { counts }: { counts: Iterable<readonly [name: string, count: number]> },
): void {
  new Counter({
    name: 'tallycast_invariant_violations_total',
    help: 'Invariant violations; any violation is a bug',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [name, count] of counts) this.inc({ name }, count);
    },
  });
}

// Prometheus metrics for payments by state, read from the store so that all replicas report the same numbers.

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
