// Batches pushed quotes, so that a burst takes only one commit.

import type { Quote } from '../../domain/quote.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';

const GATHER_MS = 200;

export interface QuoteBatches {
  add(quote: Quote): void;
  /** Resolves once everything is written. */
  stop(): Promise<void>;
}

export function createQuoteBatches(
  clock: Clock,
  logger: Logger,
  write: (quotes: readonly Quote[]) => Promise<void>,
): QuoteBatches {
  const gathered = new Map<string, Quote>();
  let isStopped = false;
  let writing: Promise<void> = Promise.resolve();
  let isDue = false;
  let cancel = () => {};

  /** Writes run one at a time, so awaiting the last write awaits them all. */
  function flush(): void {
    isDue = false;
    const quotes = [...gathered.values()];
    gathered.clear();
    if (quotes.length === 0) return;
    writing = writing
      .then(() => write(quotes))
      .catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'quotes not stored'));
  }

  return {
    add(quote) {
      if (isStopped) return;
      gathered.set(quote.tokenId, quote);
      if (isDue) return;
      isDue = true;
      cancel = clock.after(GATHER_MS, flush);
    },
    async stop() {
      isStopped = true;
      cancel();
      flush();
      await writing;
    },
  };
}
