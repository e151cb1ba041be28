// Where the past is read and computed: on a thread of its own, or on this one for tests with their own parts.

import { createPastFeed } from '../ingest/past/past-feed.ts';
import { createPastWork, type PastOptions, type PastWork, type RestingPastWork } from '../jobs/past-work.ts';
import type { Sources } from '../sources/source.ts';

export type OpenPast = (options: PastOptions, parts: PastParts) => PastWork;

export interface PastParts {
  sources: Pick<Sources, 'accounts' | 'fetchPastPrices'>;
  /** Shows a problem in /health; null when it is over. */
  showProblem(text: string | null): void;
}

/** On this thread: the venue's prices, and what is computed from them. */
export function openPastHere(options: PastOptions, { sources }: Pick<PastParts, 'sources'>): RestingPastWork {
  const work = createPastWork(options);
  const feed = createPastFeed({ ...options, sources, onPastRead: work.notePricesRead });
  return {
    start() {
      work.start();
      feed.start();
    },
    noteHistoryComplete: work.noteHistoryComplete,
    noteSettled() {
      work.noteSettled();
      feed.wake();
    },
    isResting: () => work.isResting() && feed.isResting(),
    async stop() {
      await feed.stop();
      await work.stop();
    },
  };
}
