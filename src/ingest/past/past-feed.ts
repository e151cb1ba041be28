// Reads the prices that the venues keep of open events and of every ended one, newest first. Each event is durable by itself, so a killed process resumes with the next one.

import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import type { PastPricePoint, PastReading } from '../../domain/venue-past.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import { mapWidth } from '../../sources/retry.ts';
import type { PastPrice, Sources } from '../../sources/source.ts';
import type { Store } from '../../store/ports.ts';
import type { Service } from '../service.ts';

export interface PastFeedOptions {
  sources: Pick<Sources, 'accounts' | 'fetchPastPrices'>;
  store: Pick<Store, 'events' | 'past'>;
  clock: Clock;
  logger: Logger;
  /** Called after some prices were read, with the events for which that failed. */
  onPastRead?: (failed: readonly number[]) => void;
}

export interface PastFeed extends Service {
  /** Looks for new events soon. */
  wake(): void;
  /** Whether nothing is read, and the last round did not end because the source was down. */
  isResting(): boolean;
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
const TOKENS_AT_ONCE = 2;
const REPORT_EVERY = 20;
/** A source that fails for this many events in a row is down. */
const MAX_FAILURES = 3;

export function createPastFeed(options: PastFeedOptions): PastFeed {
  const { sources, store, clock, logger } = options;
  const { fetchPastPrices } = sources;
  const warned = new Set<string>();
  let isDown = false;
  const accountIds = sources.accounts.map(({ account }) => account.accountId);

  async function run(signal: AbortSignal): Promise<void> {
    if (!fetchPastPrices) return;
    const events = await listBegun();
    const known = new Map((await store.past.listPriced()).map((reading) => [reading.eventId, reading]));
    const due = events.filter((event) => isDue(event, known.get(event.eventId), clock.now()));
    await readDue(due, events.length, signal);
  }

  async function readOne(event: MarketEvent, signal: AbortSignal): Promise<void> {
    const span = spanOf(event, clock.now());
    const fromTs = event.window.startTs - PRICES_BEFORE_MS;
    const histories = await mapWidth(event.buckets, TOKENS_AT_ONCE, ({ yesTokenId }) =>
      fetchPastPrices!(yesTokenId, { startTs: fromTs, endTs: span.untilTs }, signal),
    );
    await store.past.putPrices({ ...span, points: alignPoints(histories) });
  }

  /** A refusal is usually the same for every event. */
  function warnOnce({ eventId }: MarketEvent, error: string): void {
    if (warned.has(error)) return;
    warned.add(error);
    logger.warn({ eventId, error }, 'prices of past events not read');
  }

  /** Open events first, because people look at them; then the newest. */
  async function listBegun(): Promise<MarketEvent[]> {
    const all: MarketEvent[] = [];
    for (const accountId of accountIds) all.push(...(await store.events.list(accountId, 0)));
    return all
      .filter(({ window }) => window.startTs < clock.now())
      .sort((left, right) => right.window.endTs - left.window.endTs || left.eventId - right.eventId);
  }

  async function readDue(due: readonly MarketEvent[], of: number, signal: AbortSignal): Promise<void> {
    const waiting = new Set(due.map(({ eventId }) => eventId));
    const report = (read: number) =>
      logger.info({ read: of - due.length + read, of }, 'prices of past events');
    let failures = 0;
    isDown = true;
    let read = 0;
    for (const event of due) {
      if (signal.aborted || failures >= MAX_FAILURES) break;
      try {
        await readOne(event, signal);
        waiting.delete(event.eventId);
        failures = 0;
        read += 1;
        if (read % REPORT_EVERY === 0) {
          report(read);
          options.onPastRead?.([]);
        }
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof SourceError)) throw error;
        if (error.isRetryable) failures += 1;
        warnOnce(event, errorMessage(error));
      }
      await takeBackgroundTurn();
    }
    isDown = failures > 0;
    if (read % REPORT_EVERY > 0) report(read);
    if (!signal.aborted && due.length > 0) options.onPastRead?.([...waiting]);
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
    wake: rounds.wake,
    isResting: () => !isDown && rounds.isResting(),
    stop: rounds.stop,
  };
}

function isDue({ window }: MarketEvent, reading: PastReading | undefined, nowTs: number): boolean {
  if (!reading) return true;
  if (reading.isWhole) return false;
  return nowTs >= window.endTs + CACHED_MS || nowTs - reading.readTs >= OPEN_AGAIN_MS;
}

function spanOf({ eventId, window }: MarketEvent, readTs: number): PastReading {
  const { endTs } = window;
  return { eventId, readTs, untilTs: Math.min(readTs, endTs), isWhole: readTs >= endTs + CACHED_MS };
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
