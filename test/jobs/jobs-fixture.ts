// A small account on a real store: forty days of posts, one week-long event, slightly wrong prices.

import { after } from 'node:test';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { createInlineRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { createForecastPublisher, type Publication } from '../../src/jobs/forecasting/publish-forecasts.ts';
import { createTrackRecordBackfill } from '../../src/jobs/scoring/backfill-track-record.ts';
import { createSettlementJob } from '../../src/jobs/settling/settle-events.ts';
import { createManualClock, type ManualClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { applyObservation } from '../../src/state/apply-observation.ts';
import { createBoard } from '../../src/state/board.ts';
import { type AccountSnapshot, createEmptySnapshot, type Observation } from '../../src/state/snapshot.ts';
import type { Store } from '../../src/store/ports.ts';
import { sampleEvent, samplePost } from '../store/samples.ts';
import { evidenceOf } from '../support/priced-event.ts';
import { openTempStore, type TempStore } from '../support/temp-store.ts';

export const ORIGIN_TS = Date.UTC(2026, 2, 6, 17);
export const HISTORY_DAYS = 40;
export const identity = { modelVersion: '1.0.0', buildCommit: 'abc123' };
export const FORECAST_ACCOUNTS = [{ accountId: 'a', parameters: getAccountParameters(profileOfLetter('a')) }];
type TrackRecordOptions = Parameters<typeof createTrackRecordBackfill>[0];

export function eventOf(eventId: number, startTs: number, days: number): MarketEvent {
  const edges = Array.from({ length: 13 }, (_, i) => i * 20);
  return sampleEvent({
    eventId,
    window: { startTs, endTs: startTs + days * DAY_MS },
    buckets: edges.map((lo, i) => {
      const hi = i === edges.length - 1 ? null : lo + 19;
      return {
        label: hi === null ? `${lo}+` : `${lo}-${hi}`,
        lo,
        hi,
        marketId: `${eventId}-${i}`,
        conditionId: `${eventId}-${i}`,
        yesTokenId: `${eventId}-${i}-yes`,
        noTokenId: `${eventId}-${i}-no`,
        isOpen: true,
        tickSize: 0.01,
        minOrderShares: 5,
        fee: { rate: 0.05, exponent: 1 },
        listedPrice: 0.08,
      };
    }),
  });
}

export function postOf(createdTs: number, isCounted = true): CapturedPost {
  const counting = { isReply: !isCounted, isCounted };
  const firstSeenTs = createdTs + 1_000;
  return samplePost({ postId: String(createdTs), createdTs, firstSeenTs, text: null, ...counting });
}

export function quoteOf(tokenId: string, bid: number, ask: number, observedTs: number): Quote {
  return { tokenId, bid, ask, bidShares: 5_000, askShares: 5_000, lastTradePrice: null, observedTs };
}

/** About 20 posts a day, a quarter of them replies. */
export function pretendPosts(fromTs: number, untilTs: number): CapturedPost[] {
  const random = createRandom(3);
  const posts: CapturedPost[] = [];
  let ts = fromTs;
  while (true) {
    ts += Math.ceil(-Math.log(1 - random.uniform()) * 72 * 60_000);
    if (ts >= untilTs) return posts;
    posts.push(postOf(ts, random.uniform() > 0.25));
  }
}

async function openScratch(nowTs: number): Promise<TempStore & { clock: ManualClock }> {
  const clock = createManualClock(nowTs);
  return { ...(await openTempStore(clock)), clock };
}

/** Creates a bench with its own store, or with the given one, which stays open. */
export async function createBench(nowTs = ORIGIN_TS, given?: { store: Store; clock: ManualClock }) {
  const { store, clock, close } = given ? { ...given, close: async () => {} } : await openScratch(nowTs);
  const board = createBoard();
  // Evidence of a strong edge, so that there is advice.
  let snapshot: AccountSnapshot = { ...createEmptySnapshot('a', nowTs, []), evidence: evidenceOf(1) };
  const publications: Publication[] = [];

  function note(observation: Observation): void {
    const step = applyObservation(snapshot, observation, clock.now());
    snapshot = step.snapshot;
    board.publish(step);
  }

  async function capture(posts: readonly CapturedPost[]): Promise<void> {
    await store.posts.recordCaptures(posts);
    const captureDelay = { medianMs: null, p90Ms: null, p99Ms: null, sampleSize: 0 };
    note({ kind: 'posts-captured', posts, captureDelay });
  }

  async function listEvent(event: MarketEvent): Promise<void> {
    await store.events.upsert([event]);
    const { startTs, endTs } = event.window;
    const real = await store.posts.countCounted('a', startTs, endTs);
    const events = [...snapshot.events.map((state) => state.event), event];
    note({ kind: 'events-listed', events, realCounts: { [event.eventId]: real } });
  }

  return {
    clock,
    store,
    board,
    publications,
    note,
    capture,
    listEvent,
    snapshot: () => snapshot,
    async readOracle(eventId: number, count: number): Promise<void> {
      const observedTs = clock.now();
      await store.counts.record([{ eventId, feed: 'oracle', count, observedTs }]);
      note({ kind: 'counts-read', feed: 'oracle', readings: [{ eventId, count }], observedTs });
    },
    async readQuotes(quotes: readonly Quote[]): Promise<void> {
      await store.quotes.record(quotes);
      note({ kind: 'quotes-read', quotes });
    },
    async onPublished(_: string, publication: Publication): Promise<void> {
      publications.push(publication);
      note({ kind: 'forecasts-published', ...publication });
    },
    /** As all jobs give their results. */
    async give(_: string, observation: Observation): Promise<void> {
      if (observation.kind === 'forecasts-published') publications.push(observation);
      note(observation);
    },
    close,
  };
}

export type Bench = Awaited<ReturnType<typeof createBench>>;

export function publisherOf(bench: Bench, runner = createInlineRunner(), isPastIn = () => true) {
  return createForecastPublisher({
    ...bench,
    isPastIn,
    ...FORECAST_ACCOUNTS[0]!,
    runner,
    logger: silentLogger,
    identity,
  });
}

export function settlementOf(bench: Bench) {
  return createSettlementJob({
    ...bench,
    accountIds: ['a'],
    logger: silentLogger,
    onSettled: async () => {},
  });
}

/** Stores events that are over, with the oracle's counts, and reports that their markets have closed. */
export async function settlePast(bench: Bench, events: readonly MarketEvent[], count: number): Promise<void> {
  await bench.store.events.upsert(events);
  for (const { eventId } of events) await bench.readOracle(eventId, count);
  const resolutions = events.map((event) => ({ event, winningLabel: null }));
  await settlementOf(bench).noteResolutions({ accountId: 'a' }, resolutions);
}

/** Scores past events again, with the accounts and identity of these tests. */
export function trackRecordOf(bench: Bench, change: Partial<TrackRecordOptions> = {}) {
  return createTrackRecordBackfill({
    ...bench,
    ...{ accounts: FORECAST_ACCOUNTS, createRunner: createInlineRunner, isReady: () => true },
    ...{ logger: silentLogger, identity },
    ...change,
  });
}

/** Opens benches, and closes them at the end of the test file. */
export function keepBenches() {
  const benches: Bench[] = [];
  after(() => Promise.all(benches.map((bench) => bench.close())));

  async function empty(): Promise<Bench> {
    const bench = await createBench();
    benches.push(bench);
    return bench;
  }

  /** With history, but no event. */
  async function withHistory(): Promise<Bench> {
    const bench = await empty();
    await bench.capture(pretendPosts(ORIGIN_TS - HISTORY_DAYS * DAY_MS, ORIGIN_TS));
    return bench;
  }

  /** With history and a running event that ends `hoursLeft` hours from now. */
  async function running(hoursLeft: number, days = 7): Promise<{ bench: Bench; event: MarketEvent }> {
    const bench = await withHistory();
    const endTs = ORIGIN_TS + hoursLeft * HOUR_MS;
    const event = eventOf(1, endTs - days * DAY_MS, days);
    await bench.listEvent(event);
    return { bench, event };
  }

  return { empty, running, withHistory };
}
