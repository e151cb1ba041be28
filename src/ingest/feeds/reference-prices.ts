// Reference prices for crypto markets, from one stream that is reopened whenever it ends or is refused.

import type { CryptoMarket } from '../../domain/crypto-market.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { backoffMs } from '../../runtime/poll-loop.ts';
import { createRepeat, type Repeat } from '../../runtime/repeat.ts';
import type { CryptoSource, ReferencePrice } from '../../sources/source.ts';
import type { IngestTools } from './feed-loop.ts';

export interface ReferencePriceOptions extends IngestTools {
  source: CryptoSource;
  onChange(): void;
}

export interface ReferencePrices extends Pick<Repeat, 'start' | 'stop'> {
  find(market: CryptoMarket): number | null;
  /** Why prices are missing; null if all are available. */
  problem(): string | null;
}

const RECONNECT_MS = 5_000;
const MAX_RECONNECT_MS = 5 * MINUTE_MS;
/** A refusal lasts until the operator acts, and frequent retries would look like an attack. */
const REFUSED_PAUSE_MS = 15 * MINUTE_MS;
/** An older reference price is worse than none. */
const REFERENCE_MAX_AGE_MS = 2 * MINUTE_MS;

export function createReferencePrices(options: ReferencePriceOptions): ReferencePrices {
  const { source, clock, logger, onChange } = options;
  const references = new Map<string, ReferencePrice & { receivedTs: number }>();
  let referenceProblem: string | null = null;
  /** Set if the connection works but some requested data is missing. */
  let partialProblem: string | null = null;
  let failures = 0;
  let pauseMs = RECONNECT_MS;

  /** Returns only the kind of price the market settles on: an average is not a spot price. */
  function find({ referenceSource, asset }: CryptoMarket): number | null {
    const known = references.get(`${referenceSource}:${asset}`);
    const isFresh = known && clock.now() - known.receivedTs <= REFERENCE_MAX_AGE_MS * options.timeScale;
    return isFresh ? known.price : null;
  }

  function pauseAfter(error: unknown): number {
    if (error instanceof SourceError && !error.isRetryable) return REFUSED_PAUSE_MS;
    const retryAfterMs = error instanceof SourceError ? error.retryAfterMs : null;
    const limits = { periodMs: RECONNECT_MS, maxBackoffMs: MAX_RECONNECT_MS, random: options.random };
    return retryAfterMs ?? backoffMs(limits, failures, error);
  }

  const following = createRepeat({
    clock,
    pauseMs: () => pauseMs,
    run: (signal) =>
      source.openReferenceStream(
        {
          onOpen() {
            partialProblem = null;
          },
          onProblem(problem) {
            if (problem !== partialProblem) logger.warn({ problem }, 'reference prices incomplete');
            partialProblem = problem;
            onChange();
          },
          onPrice(price) {
            references.set(`${price.source}:${price.asset}`, { ...price, receivedTs: clock.now() });
            failures = 0;
            referenceProblem = null;
            onChange();
          },
        },
        signal,
      ),
    onError(error) {
      failures += 1;
      pauseMs = pauseAfter(error);
      const problem = errorMessage(error);
      if (problem !== referenceProblem) logger.warn({ error: problem, pauseMs }, 'no reference prices');
      referenceProblem = problem;
      onChange();
    },
  });

  return { ...following, find, problem: () => referenceProblem ?? partialProblem };
}
