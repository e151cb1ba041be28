// An additional venue of an account: its contracts, their settlement counts, and which of them have settled.

import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS } from '../../domain/units.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { PollLoop } from '../../runtime/poll-loop.ts';
import type { SettledEvent, VenueSources } from '../../sources/source.ts';
import type { Store } from '../../store/ports.ts';
import { type AccountRecorder, reportProblem } from '../recorder/account-recorder.ts';
import type { Service } from '../service.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';
import { FIRST_LOOK_DAYS } from './settled-feed.ts';

export interface VenueFeedOptions extends IngestTools {
  sources: VenueSources;
  recorder: AccountRecorder;
  store: Store;
  onSettled: (settled: readonly SettledEvent[]) => Promise<void>;
}

/** How long to follow counts of ended contracts, because deletions may be flagged after the close. */
const FOLLOWED_DAYS = 2;
const RECENT_DAYS = 8;

export function createVenueFeed(options: VenueFeedOptions): Service {
  const loops = [createListing(options), createCounts(options), createSettled(options)];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function createListing(options: VenueFeedOptions): PollLoop {
  const { sources, recorder } = options;
  return createFeedLoop({
    ...options,
    feed: 'venue',
    shownAs: [],
    async runOnce(signal) {
      const listing = await sources.market.fetchEvents([], signal);
      await recorder.listEvents(listing.events);
      const known = recorder.snapshot().quotes;
      await recorder.readQuotes(listing.quotes.filter(({ tokenId }) => !known[tokenId]));
      await reportFailure(options, listing.missed[0] ?? null);
      return listing.missed[0] ?? listing.oddities[0] ?? null;
    },
    onProblem: (problem) => void reportFailure(options, problem),
  });
}

function createCounts(options: VenueFeedOptions): PollLoop {
  const { sources, recorder, store, clock } = options;
  return createFeedLoop({
    ...options,
    feed: 'settlement-list',
    shownAs: ['oracle'],
    venue: sources.venue,
    async runOnce(signal) {
      const fromTs = clock.now() - FOLLOWED_DAYS * DAY_MS;
      const events = await store.events.list(recorder.account.accountId, fromTs);
      const begun = events.filter((event) => isOf(sources, event) && event.window.startTs <= clock.now());
      let oldestTs = clock.now();
      let problem: string | null = null;
      for (const source of sources.settlement) {
        const own = begun.filter(({ terms }) => terms?.settlementSource === source.name);
        if (own.length === 0) continue;
        const read = await source.fetchCounts(own, signal);
        await recorder.markDeleted(read.deletedIds, read.asofTs);
        await recorder.readCounts('oracle', read.readings, read.asofTs);
        oldestTs = Math.min(oldestTs, read.asofTs);
        problem ??= read.problem;
      }
      return { asofTs: oldestTs, problem };
    },
  });
}

function createSettled(options: VenueFeedOptions): PollLoop {
  const { sources, store, clock } = options;
  let isFirst = true;
  return createFeedLoop({
    ...options,
    feed: 'settled',
    shownAs: [],
    async runOnce(signal) {
      const sinceTs = clock.now() - (isFirst ? FIRST_LOOK_DAYS : RECENT_DAYS) * DAY_MS;
      const { settled, problem } = await sources.market.fetchSettled(sinceTs, signal);
      await store.events.upsert(settled.map(({ event }) => event));
      await options.onSettled(settled);
      isFirst = false;
      return problem;
    },
  });
}

function isOf({ venue }: VenueSources, { terms }: MarketEvent): boolean {
  return terms?.venue === venue;
}

function reportFailure({ sources, recorder }: VenueFeedOptions, problem: unknown): Promise<void> {
  const text = problem === null ? null : `${sources.venue}: ${errorMessage(problem)}`;
  return reportProblem(recorder, `venue ${sources.venue}`, text);
}
