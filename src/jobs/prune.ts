// Deletes expired rows to keep the store bounded.

import { DAY_MS, HOUR_MS, hourOf } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Store } from '../store/ports.ts';
import { createJob, type Job } from './job.ts';

export interface Retention {
  /** Quotes are needed for signals and closing lines, and events last at most a month. */
  quotesDays: number;
  /** After this, only the last quote of each hour is kept; by then closing lines have usually been read. */
  quotesWholeDays: number;
  /** Older forecasts lose their distribution, except at scored horizons. */
  distributionsDays: number;
  /** After this, only hourly and scored-horizon forecasts and no price jumps are kept. */
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
    | 'happenings'
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
/** How long a payer whose connection broke can fetch the response again. */
const PAID_RESPONSES_DAYS = 1;
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
      ['price jumps and count differences', () => store.happenings.prune(before(retention.forecastsDays))],
      ['usage', () => store.usage.prune(wallBefore(retention.usageDays))],
      ['webhook deliveries', () => store.webhooks.prune(wallBefore(retention.webhookDeliveriesDays))],
      ['alerts', () => store.alerts.prune(wallBefore(ALERTS_DAYS))],
      ['paid responses', () => store.payments.prune(wallBefore(PAID_RESPONSES_DAYS))],
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

// Thins old quotes token by token in short writes, so that a capture waits for at most one token's rows.
// Keeps only the last quote of each hour after a few days, and none after a few weeks. A cursor stores the
// position, so no row is thinned twice.

const CURSOR = 'quotes thin';
/** Every pass checks all tokens, even unchanged ones, so a few passes a day are enough. */
const MIN_STRETCH_MS = 6 * HOUR_MS;
/** Most tokens have nothing in the range; reading this many takes about a millisecond. */
const TOKENS_AT_ONCE = 200;

/** Returns how many quotes were deleted. */
async function walkQuotes(
  { quotes, cursors }: Pick<Store, 'quotes' | 'cursors'>,
  keptFromTs: number,
  wholeFromTs: number,
): Promise<number> {
  const fromTs = Number((await cursors.find(CURSOR)) ?? 0);
  const untilTs = hourOf(wholeFromTs);
  if (untilTs - fromTs < MIN_STRETCH_MS) return 0;
  let rows = await quotes.dropMonths(keptFromTs);
  const stretch = { keptFromTs, hourlyFromTs: fromTs, hourlyUntilTs: untilTs };
  let afterTokenId: string | undefined = '';
  while (afterTokenId !== undefined) {
    const tokens = await quotes.listTokens(afterTokenId, stretch, TOKENS_AT_ONCE);
    for (const { tokenId, isDue } of tokens) if (isDue) rows += await quotes.shorten(tokenId, stretch);
    afterTokenId = tokens.at(-1)?.tokenId;
  }
  await cursors.put(CURSOR, String(untilTs));
  return rows;
}

// Thins old forecasts hour by hour in short writes, so that a capture waits for at most one hour's rows. A
// cursor stores the position, so no row is processed twice.

type ForecastThinning = 'dropDistributions' | 'thin';

/** Returns how many forecasts were changed or removed. */
async function walkForecasts(
  { forecasts, cursors }: Pick<Store, 'forecasts' | 'cursors'>,
  thinning: ForecastThinning,
  beforeTs: number,
): Promise<number> {
  const cursorName = `forecasts ${thinning}`;
  const untilTs = hourOf(beforeTs);
  const startTs = Number((await cursors.find(cursorName)) ?? 0);
  let rows = 0;
  let hourTs = await findNextHour(forecasts, startTs);
  while (hourTs !== undefined && hourTs < untilTs) {
    rows += await forecasts[thinning](hourTs, hourTs + HOUR_MS);
    hourTs = await findNextHour(forecasts, hourTs + HOUR_MS);
  }
  if (untilTs > startTs) await cursors.put(cursorName, String(untilTs));
  return rows;
}

async function findNextHour(forecasts: Store['forecasts'], fromTs: number): Promise<number | undefined> {
  const nextTs = await forecasts.findNextTs(fromTs);
  return nextTs === undefined ? undefined : hourOf(nextTs);
}
