// Reads what the venues keep of the past: prices, then trades, of open events and of every ended one, newest
// first. Each event is durable by itself, so a killed process resumes with the next one.

import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { PastPricePoint, PastReading, PastTrade } from '../../domain/venue-past.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCourtesy, type Traffic } from '../../runtime/courtesy.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { mapWidth } from '../../sources/retry.ts';
import type { PastPrice, Sources } from '../../sources/source.ts';
import type { Store } from '../../store/ports.ts';
import type { Service } from '../service.ts';

export interface PastFeedOptions {
  sources: Pick<Sources, 'accounts' | 'fetchPastPrices' | 'fetchPastTrades'>;
  store: Pick<Store, 'events' | 'past'>;
  clock: Clock;
  logger: Logger;
  /** Request load; serving requests takes precedence. */
  traffic?: Traffic | undefined;
  /** Called after some prices were read, with the events for which that failed. */
  onPastRead?: (failed: readonly number[]) => void;
}

export interface PastFeed extends Service {
  /** Looks for new events soon. */
  wake(): void;
}

const PERIOD_MS = 10 * MINUTE_MS;
/** Events become known within seconds of a first start. */
const MIN_GAP_MS = 3 * SECOND_MS;
/** Prices of an open event are recorded live; this fills in what was missed. */
const OPEN_AGAIN_MS = 6 * HOUR_MS;
/** Responses may be cached for five minutes. */
const CACHED_MS = 10 * MINUTE_MS;
/** So that there is a price when the window opens. */
const PRICES_BEFORE_MS = 12 * HOUR_MS;
/** A passed bucket is traded until the market closes it. */
const TRADES_AFTER_MS = HOUR_MS;
const TOKENS_AT_ONCE = 2;
const REPORT_EVERY = 20;
/** A source that fails for this many events in a row is down. */
const MAX_FAILURES = 3;

export function createPastFeed(options: PastFeedOptions): PastFeed {
  const { sources, store, clock, logger } = options;
  const { fetchPastPrices, fetchPastTrades } = sources;
  const warned = new Set<string>();
  let hasNews = false;
  const accountIds = sources.accounts.map(({ account }) => account.accountId);

  async function run(signal: AbortSignal): Promise<void> {
    hasNews = false;
    const events = await listBegun();
    if (fetchPastPrices) {
      const readings = await store.past.listPriced();
      const readOne = async (event: MarketEvent) => {
        const span = spanOf(event, clock.now(), 0);
        const fromTs = event.window.startTs - PRICES_BEFORE_MS;
        const histories = await mapWidth(event.buckets, TOKENS_AT_ONCE, ({ yesTokenId }) =>
          fetchPastPrices(yesTokenId, { startTs: fromTs, endTs: span.untilTs }, signal),
        );
        await store.past.putPrices({ ...span, points: alignPoints(histories) });
      };
      const { onPastRead } = options;
      const plan = {
        what: 'prices of past events',
        events,
        readings,
        tailMs: 0,
        readOne,
        onRead: onPastRead,
      };
      await readDue(plan, signal);
    }
    if (fetchPastTrades) {
      const readings = await store.past.listTraded();
      const giveWay = createCourtesy({ traffic: options.traffic, signal });
      const readOne = async (event: MarketEvent) => {
        const span = spanOf(event, clock.now(), TRADES_AFTER_MS);
        const trades: PastTrade[] = [];
        for await (const page of fetchPastTrades(event, span.untilTs, signal)) {
          trades.push(...page);
          await giveWay();
        }
        await store.past.putTrades({ ...span, trades: mergeFills(trades) });
      };
      const tailMs = TRADES_AFTER_MS;
      // Prices of new events come before trades.
      const isOver = () => hasNews;
      await readDue({ what: 'trades of past events', events, readings, tailMs, readOne, isOver }, signal);
    }
  }

  /** A refusal is usually the same for every event. */
  function warnOnce({ eventId }: MarketEvent, what: string, error: string): void {
    if (warned.has(`${what} ${error}`)) return;
    warned.add(`${what} ${error}`);
    logger.warn({ eventId, error }, `${what} not read`);
  }

  /** Open events first, because people look at them; then the newest. */
  async function listBegun(): Promise<MarketEvent[]> {
    const all: MarketEvent[] = [];
    for (const accountId of accountIds) all.push(...(await store.events.list(accountId, 0)));
    return all
      .filter(({ window }) => window.startTs < clock.now())
      .sort((left, right) => right.window.endTs - left.window.endTs || left.eventId - right.eventId);
  }

  async function readDue(plan: ReadingPlan, signal: AbortSignal): Promise<void> {
    const { what, events, tailMs, readOne, onRead } = plan;
    const known = new Map(plan.readings.map((reading) => [reading.eventId, reading]));
    const due = events.filter((event) => isDue(event, known.get(event.eventId), clock.now(), tailMs));
    const giveWay = createCourtesy({ traffic: options.traffic, signal });
    const waiting = new Set(due.map(({ eventId }) => eventId));
    const report = (read: number) =>
      logger.info({ read: events.length - due.length + read, of: events.length }, what);
    let failures = 0;
    let read = 0;
    for (const event of due) {
      if (signal.aborted || failures >= MAX_FAILURES || plan.isOver?.()) break;
      try {
        await readOne(event);
        waiting.delete(event.eventId);
        failures = 0;
        read += 1;
        if (read % REPORT_EVERY === 0) {
          report(read);
          onRead?.([]);
        }
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof SourceError)) throw error;
        if (error.isRetryable) failures += 1;
        warnOnce(event, what, errorMessage(error));
      }
      await giveWay();
    }
    if (read % REPORT_EVERY > 0) report(read);
    if (!signal.aborted && due.length > 0) onRead?.([...waiting]);
  }

  const rounds = createRepeat({
    clock,
    pauseMs: PERIOD_MS,
    leastGapMs: MIN_GAP_MS,
    run,
    onError: (error) => logger.error({ error: errorMessage(error) }, 'reading past events failed; retrying'),
  });
  return {
    start: () => void rounds.start(),
    wake() {
      hasNews = true;
      rounds.wake();
    },
    stop: rounds.stop,
  };
}

interface ReadingPlan {
  what: string;
  events: readonly MarketEvent[];
  readings: readonly PastReading[];
  /** How long after its end an event still has something to read. */
  tailMs: number;
  readOne: (event: MarketEvent) => Promise<void>;
  onRead?: ((failed: readonly number[]) => void) | undefined;
  /** Whether to leave the rest to the next round. */
  isOver?: () => boolean;
}

function isDue(
  { window }: MarketEvent,
  reading: PastReading | undefined,
  nowTs: number,
  tailMs: number,
): boolean {
  if (!reading) return true;
  if (reading.isWhole) return false;
  const isOver = nowTs >= window.endTs + tailMs + CACHED_MS;
  return isOver || nowTs - reading.readTs >= OPEN_AGAIN_MS;
}

function spanOf({ eventId, window }: MarketEvent, readTs: number, tailMs: number): PastReading {
  const lastTs = window.endTs + tailMs;
  return { eventId, readTs, untilTs: Math.min(readTs, lastTs), isWhole: readTs >= lastTs + CACHED_MS };
}

/** One row per time at which any bucket has a price. */
function alignPoints(histories: readonly (readonly PastPrice[])[]): PastPricePoint[] {
  const byTs = new Map<number, (number | null)[]>();
  for (const [bucket, history] of histories.entries()) {
    for (const { ts, price } of history) {
      const prices = byTs.get(ts) ?? histories.map(() => null);
      prices[bucket] = price;
      byTs.set(ts, prices);
    }
  }
  return [...byTs].map(([ts, prices]) => ({ ts, prices })).sort((left, right) => left.ts - right.ts);
}

/** An order that met several others at one price counts as one trade: a third of the rows. */
export function mergeFills(trades: readonly PastTrade[]): PastTrade[] {
  const merged = new Map<string, PastTrade>();
  for (const trade of trades) {
    const { ts, bucket, side, taker, price } = trade;
    const key = `${ts} ${bucket} ${side} ${taker} ${price}`;
    const before = merged.get(key);
    const shares = Math.round(((before?.shares ?? 0) + trade.shares) * 1e6) / 1e6;
    merged.set(key, { ts, bucket, side, taker, price, shares });
  }
  // Sizes of equal times are in the order of the books, so that two readings agree.
  return [...merged.values()].sort(
    (left, right) =>
      left.ts - right.ts ||
      left.bucket - right.bucket ||
      left.side.localeCompare(right.side) ||
      left.taker.localeCompare(right.taker) ||
      left.price - right.price,
  );
}
