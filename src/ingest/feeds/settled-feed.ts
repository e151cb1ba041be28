// Ended events: the winners according to the market, and the oracle's final counts.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { PollLoop } from '../../runtime/poll-loop.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { AccountSources, SettledEvent } from '../../sources/source.ts';
import type { Store } from '../../store/ports.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';
import { BACKFILL_DAYS, readTrackings } from './oracle-feed.ts';

export interface SettledFeedOptions extends IngestTools {
  sources: AccountSources;
  recorder: AccountRecorder;
  store: Store;
  onSettled: (settled: readonly SettledEvent[]) => Promise<void>;
  /** Called when an attempt has ended, with or without success. */
  onLooked: () => void;
}

/** A disputed market resolves late, so results are checked this far back once an hour. */
const DISPUTE_DAYS = 45;

/** All events: the venue's oldest count markets are from 2024, and it keeps trades for three years. */
export const FIRST_LOOK_DAYS = 3 * 365;

const CHECKPOINT_EVERY = 10;
const LISTING_SLICE_MS = 30 * DAY_MS;

export function createSettledFeed(options: SettledFeedOptions): PollLoop {
  const { sources, recorder, store, clock } = options;
  const marker = `settled-all:${recorder.account.accountId}`;
  /** About 150 trackings are read one by one; after a failure, reading resumes at this checkpoint. */
  const checkpoint = `settled-trackings:${recorder.account.accountId}`;

  let wideTs = clock.now();

  return createFeedLoop({
    ...options,
    feed: 'settled',
    shownAs: [],
    runOnce: (signal) => look(signal).finally(options.onLooked),
  });

  async function look(signal: AbortSignal): Promise<string | null> {
    const isFirst = (await store.cursors.find(marker)) === undefined;
    const nowTs = clock.now();
    const isWide = nowTs - wideTs >= HOUR_MS;
    const days = isFirst ? FIRST_LOOK_DAYS : isWide ? DISPUTE_DAYS : BACKFILL_DAYS + 1;
    const sinceTs = nowTs - days * DAY_MS;
    const { settled, problem } = await sources.market.fetchSettled(sinceTs, signal);
    // Events are stored after their counts, so that none settles before its result is known, as if it were new.
    if (isFirst) await keepPastCounts(sinceTs, settled, signal);
    await store.events.upsert(settled.map(({ event }) => event));
    await options.onSettled(settled);
    if (isFirst) await keepPastListings(settled, signal);
    if (isFirst) await store.cursors.put(marker, String(clock.now()));
    if (isWide) wideTs = nowTs;
    return problem;
  }

  async function keepPastCounts(
    sinceTs: number,
    settled: readonly SettledEvent[],
    signal: AbortSignal,
  ): Promise<void> {
    const events = settled.map(({ event }) => event);
    const done = new Set<string>(parseIds(await store.cursors.find(checkpoint)));
    await sources.oracle.fetchEnded(
      sinceTs,
      (trackingId) => done.has(trackingId),
      async (tracking) => {
        const { readings } = readTrackings(events, [tracking]);
        await recorder.readCounts('oracle', readings, tracking.lastSyncTs);
        done.add(tracking.trackingId);
        if (done.size % CHECKPOINT_EVERY === 0)
          await store.cursors.put(checkpoint, JSON.stringify([...done]));
        await takeBackgroundTurn();
      },
      signal,
    );
  }

  /** When the oracle imported each post of past events: what it had counted at any time follows from it. */
  async function keepPastListings(settled: readonly SettledEvent[], signal: AbortSignal): Promise<void> {
    const { accountId } = recorder.account;
    const reached = `oracle-listings:${accountId}`;
    const firstTs = Math.min(...settled.map(({ event }) => event.window.startTs));
    let endTs = Number((await store.cursors.find(reached)) ?? clock.now());
    while (endTs > firstTs) {
      const startTs = Math.max(firstTs, endTs - LISTING_SLICE_MS);
      const listedTs = clock.now();
      const posts = await sources.oracle.fetchPosts({ startTs, endTs }, signal);
      const listings = posts.map(({ postId, createdTs, importedTs }) => ({
        ...{ postId, createdTs, importedTs, listedTs },
      }));
      if (listings.length > 0) await store.oraclePosts.record(accountId, listings);
      await store.cursors.put(reached, String(startTs));
      endTs = startTs;
      await takeBackgroundTurn();
    }
  }
}

function parseIds(text: string | undefined): string[] {
  const ids: unknown = text === undefined ? [] : JSON.parse(text);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
