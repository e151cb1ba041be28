// Events, their buckets and the count shown on the market's page.

import type { PollLoop } from '../../runtime/poll-loop.ts';
import { FEEDS } from '../../sources/feeds.ts';
import type { MarketListing, MarketSource, OracleTracking } from '../../sources/source.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import { createCountGates } from './count-gates.ts';
import { createFeedLoop, type IngestTools } from './feed-loop.ts';

export interface MarketFeedOptions extends IngestTools {
  source: MarketSource;
  recorder: AccountRecorder;
  trackings: () => readonly OracleTracking[];
}

export function createMarketFeed(options: MarketFeedOptions): PollLoop {
  const { source, recorder, clock } = options;
  const gates = createCountGates(FEEDS.ui.bounds!, 'ui', recorder.snapshot);

  return createFeedLoop({
    ...options,
    feed: 'market',
    shownAs: ['market', 'ui'],
    async runOnce(signal) {
      const listing = await source.fetchEvents(options.trackings(), signal);
      await recorder.listEvents(listing.events);
      await recorder.readQuotes(missingQuotes(recorder, listing));
      const observed = [...listing.uiCounts].flatMap(([eventId, count]) =>
        count === null ? [] : [{ eventId, count }],
      );
      const { readings, problem } = gates.judge(observed, clock.now());
      await recorder.readCounts('ui', readings, listing.asofTs);
      const [first, ...more] = [...listing.alarms, ...listing.missed];
      const alarm =
        first === undefined ? null : `${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
      return { problem: problem ?? describeOddity(listing), alarm, asofTs: listing.asofTs };
    },
  });
}

/** Inconsistencies in a readable list; null if there are none. */
function describeOddity({ conflicts: [conflict], oddities }: MarketListing): string | null {
  if (!conflict) return oddities[0] ?? null;
  return `'${conflict.title}': sources disagree about its window (${conflict.conflict})`;
}

/** Listed quotes have no depth, so they are used only until a book is known. */
function missingQuotes(recorder: AccountRecorder, listing: MarketListing) {
  const known = recorder.snapshot().quotes;
  return listing.quotes.filter((quote) => !known[quote.tokenId]);
}
