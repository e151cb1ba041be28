// Deletes expired rows to keep the store bounded.

import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Store } from '../store/ports.ts';
import { createJob, type Job } from './job.ts';
import { walkForecasts } from './scoring/walk-forecasts.ts';
import { walkQuotes } from './settling/walk-quotes.ts';

export interface Retention {
  /** Quotes are needed for signals and closing lines, and events last at most a month. */
  quotesDays: number;
  /** After this, only the last quote of each hour is kept; by then closing lines have usually been read. */
  quotesWholeDays: number;
  /** Older forecasts lose their distribution, except at scored horizons. */
  distributionsDays: number;
  /** After this, only hourly and scored-horizon forecasts are kept, and signal inputs are deleted. */
  forecastsDays: number;
  usageDays: number;
  webhookDeliveriesDays: number;
}

export const DEFAULT_RETENTION: Retention = {
  quotesDays: 40,
  quotesWholeDays: 3,
  distributionsDays: 7,
  forecastsDays: 90,
  usageDays: 90,
  webhookDeliveriesDays: 14,
};

export interface PruneOptions {
  store: Pick<
    Store,
    | 'quotes'
    | 'forecasts'
    | 'signals'
    | 'cursors'
    | 'usage'
    | 'webhooks'
    | 'alerts'
    | 'allowances'
    | 'payments'
  >;
  retention: Retention;
  clock: Clock;
  /** Clock for caller data, independent of the simulator's speed; `clock` by default. */
  wallClock?: Clock;
  logger: Logger;
}

const PERIOD_MS = HOUR_MS;
/** Alerts are kept for a month. */
const ALERTS_DAYS = 30;
/** Nothing was charged for these; kept for a day so that the operator can investigate. */
const RELEASED_PAYMENTS_DAYS = 1;
/** Well past expiry, because rows use monotonic time, which can be far from an adjusted clock. */
const ALLOWANCE_MS = DAY_MS;

export function createPruneJob(options: PruneOptions): Job {
  const { store, retention, clock, wallClock = clock, logger } = options;

  async function run(): Promise<void> {
    const before = (days: number) => clock.now() - days * DAY_MS;
    const wallBefore = (days: number) => wallClock.now() - days * DAY_MS;
    const tables: [string, () => Promise<number>][] = [
      ['quotes', () => walkQuotes(store, before(retention.quotesDays), before(retention.quotesWholeDays))],
      [
        'forecast distributions',
        () => walkForecasts(store, 'dropDistributions', before(retention.distributionsDays)),
      ],
      ['forecasts', () => walkForecasts(store, 'thin', before(retention.forecastsDays))],
      ['signal inputs', () => store.signals.pruneGrounds(before(retention.forecastsDays))],
      ['usage', () => store.usage.prune(wallBefore(retention.usageDays))],
      ['webhook deliveries', () => store.webhooks.prune(wallBefore(retention.webhookDeliveriesDays))],
      ['alerts', () => store.alerts.prune(wallBefore(ALERTS_DAYS))],
      ['released payments', () => store.payments.prune(wallBefore(RELEASED_PAYMENTS_DAYS))],
      ['allowances', () => store.allowances.prune(wallClock.now() - ALLOWANCE_MS)],
    ];
    for (const [what, prune] of tables) await pruneTable(what, prune);
  }

  /** One table's failure must not block the others. */
  async function pruneTable(what: string, prune: () => Promise<number>): Promise<void> {
    try {
      const rows = await prune();
      if (rows > 0) logger.debug({ what, rows }, 'pruned');
    } catch (error) {
      logger.warn({ what, error: errorMessage(error) }, 'pruning failed; retrying in an hour');
    }
  }

  return createJob({ ...options, name: 'prune', periodMs: PERIOD_MS, run });
}
