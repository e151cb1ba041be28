// Prices of a venue's open buckets: one websocket for all accounts, and REST while the websocket is silent.

import type { VenueId } from '../../domain/contract.ts';
import { nameFeed } from '../../domain/feed.ts';
import { isTradedAt } from '../../domain/market-event.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createPollLoop } from '../../runtime/poll-loop.ts';
import { FEEDS } from '../../sources/feeds.ts';
import type { QuoteSource } from '../../sources/source.ts';
import { type AccountRecorder, reportProblem, reportRemark } from '../recorder/account-recorder.ts';
import type { Service } from '../service.ts';
import { type IngestTools, stretchPeriodMs } from './feed-loop.ts';
import { createPriceStream } from './price-stream.ts';
import { describeSilence } from './push-feed.ts';

export interface PriceFeedOptions extends IngestTools {
  /** An additional venue; absent for the first one. */
  venue?: VenueId;
  source: QuoteSource;
  recorders: readonly AccountRecorder[];
}

/** How often to check, alongside a healthy stream, which tokens have a book. */
const CHECK_MS = 60_000;

export function createPriceFeed(options: PriceFeedOptions): Service {
  const { source, recorders, clock, logger, venue } = options;
  const name = nameFeed({ feed: 'prices', ...(venue === undefined ? {} : { venue }) });
  const listTokens = (among: readonly AccountRecorder[]) => openTokens(among, clock.now(), venue);
  const problems = createPriceProblems(clock, name);
  let owners: Owners = new Map();
  /** Tokens that were pushed since the last request for books. */
  let pushed = new Set<string>();
  /** Returns every open token; from then on its quotes go to its account. */
  function refreshTokens(): string[] {
    owners = new Map(recorders.flatMap((one) => listTokens([one]).map((tokenId) => [tokenId, one])));
    return [...owners.keys()];
  }
  /** Passes each account the quotes for its tokens. */
  const share = (quotes: readonly Quote[]) => shareQuotes(owners, quotes, (one) => listTokens([one]));
  const batches = createQuoteBatches(clock, logger, share);
  const stream = createPriceStream({
    ...options,
    listTokens: refreshTokens,
    onQuote(quote) {
      pushed.add(quote.tokenId);
      batches.add(withLastTrade(owners, quote));
    },
    onBroken: problems.note,
  });
  const stopping = new AbortController();
  const periodMs = stretchPeriodMs(FEEDS.prices.pollPeriodMs, FEEDS.prices, options.crowding);
  let askedTs = Number.NEGATIVE_INFINITY;
  let isChecking = false;
  let checking: Promise<void> = Promise.resolve();

  /** Tokens without a book get an empty quote: nothing can be bought there at any listed price. */
  async function askAll(tokenIds: readonly string[], signal: AbortSignal): Promise<Quote[]> {
    askedTs = clock.now();
    pushed = new Set();
    const quotes = await source.fetchQuotes(tokenIds, signal, problems.note);
    if (quotes.length === 0) throw noneKnown(tokenIds.length);
    const known = collectQuotes(recorders);
    const seen = quotes.map((quote) => withLastTrade(owners, quote));
    const missing = tokenIds.filter((tokenId) => !pushed.has(tokenId));
    return [...seen, ...blankQuotes(missing, quotes, known, clock.now())];
  }

  /**
   * Runs alongside a healthy stream: finds tokens without a book, and books the stream has not mentioned. Not
   * awaited, because slow book requests must not affect the stream.
   */
  async function check(tokenIds: readonly string[]): Promise<void> {
    try {
      const quotes = await askAll(tokenIds, stopping.signal);
      const known = collectQuotes(recorders);
      await share(quotes.filter((quote) => isEmpty(quote) || isEmpty(known.get(quote.tokenId))));
    } catch (error) {
      logger.debug({ error: errorMessage(error) }, 'order book check failed; stream continues');
    }
  }

  function checkSoon(tokenIds: readonly string[]): void {
    if (isChecking || clock.now() - askedTs < CHECK_MS * options.timeScale) return;
    isChecking = true;
    checking = check(tokenIds).finally(() => {
      isChecking = false;
    });
  }

  const loop = createPollLoop({
    ...options,
    periodMs,
    timeoutMs: FEEDS.prices.timeoutMs * options.timeScale,
    maxBackoffMs: FEEDS.prices.maxBackoffMs,
    async runOnce(signal) {
      const tokenIds = refreshTokens();
      stream.setTokens(tokenIds);
      const isStreamFresh = clock.now() - stream.dataTs() < periodMs * 2;
      if (tokenIds.length > 0) {
        if (!isStreamFresh) await share(await askAll(tokenIds, signal));
        else checkSoon(tokenIds);
      }
      await problems.publish(recorders);
      const silence = describeSilence('price stream', stream.muteSinceTs(), clock.now(), options.timeScale);
      for (const recorder of recorders) {
        await reportProblem(recorder, `silent ${name}`, silence);
        await reportRemark(recorder, `restricted ${name}`, source.restriction?.() ?? null);
      }
      for (const recorder of recorders) {
        // There is nothing to request until an event is listed.
        if (venue !== undefined || recorder.snapshot().events.length > 0)
          await recorder.feedAnswered('prices', { venue });
      }
    },
    onError(error) {
      for (const recorder of recorders) {
        void recorder.note({ kind: 'feed-troubled', feed: 'prices', venue, problem: errorMessage(error) });
      }
    },
  });

  return {
    start() {
      void stream.start();
      loop.start();
    },
    async stop() {
      stopping.abort();
      await Promise.all([loop.stop(), stream.stop(), checking]);
      await batches.stop();
    },
  };
}

type Owners = ReadonlyMap<string, AccountRecorder>;

async function shareQuotes(
  owners: Owners,
  quotes: readonly Quote[],
  tokensOf: (recorder: AccountRecorder) => string[],
): Promise<void> {
  const groups = Map.groupBy(quotes, ({ tokenId }) => owners.get(tokenId));
  // All at once, so that the store can write them together.
  await Promise.all(
    [...groups].map(async ([recorder, group]) => {
      if (!recorder) return;
      // A bucket may have closed since.
      const open = new Set(tokensOf(recorder));
      const mine = group.filter(({ tokenId }) => open.has(tokenId));
      if (mine.length > 0) await recorder.readQuotes(mine);
    }),
  );
}

/** Book snapshots may omit the last trade; keep the known one. */
function withLastTrade(owners: Owners, seen: Quote): Quote {
  if (seen.lastTradePrice !== null) return seen;
  const known = owners.get(seen.tokenId)?.snapshot().quotes[seen.tokenId];
  return { ...seen, lastTradePrice: known?.lastTradePrice ?? null };
}

/** Empty quotes for tokens missing from the response. */
function blankQuotes(
  tokenIds: readonly string[],
  quotes: readonly Quote[],
  known: ReadonlyMap<string, Quote>,
  nowTs: number,
): Quote[] {
  const answered = new Set(quotes.map(({ tokenId }) => tokenId));
  return tokenIds.filter((id) => !answered.has(id)).map((id) => emptyQuote(id, known.get(id), nowTs));
}

/** The known quote of every token, gathered once for all accounts. */
function collectQuotes(recorders: readonly AccountRecorder[]): Map<string, Quote> {
  return new Map(recorders.flatMap((recorder) => Object.entries(recorder.snapshot().quotes)));
}

function isEmpty(quote: Quote | undefined): boolean {
  return !quote || (quote.bid === null && quote.ask === null);
}

function emptyQuote(tokenId: string, known: Quote | undefined, observedTs: number): Quote {
  const lastTradePrice = known?.lastTradePrice ?? null;
  return { tokenId, bid: null, ask: null, bidShares: null, askShares: null, lastTradePrice, observedTs };
}

function noneKnown(asked: number): SourceError {
  return new SourceError(`prices: the market returned none of the ${asked} requested books`, {
    isRetryable: true,
  });
}

/** Yes and No tokens of the buckets that can still be traded. */
function openTokens(
  recorders: readonly AccountRecorder[],
  nowTs: number,
  venue: VenueId | undefined,
): string[] {
  return recorders.flatMap((recorder) =>
    recorder
      .snapshot()
      .events.filter(({ event }) => event.terms?.venue === venue && isTradedAt(event, nowTs))
      .flatMap(({ event }) => event.buckets.filter((bucket) => bucket.isOpen))
      .flatMap((bucket) => [bucket.yesTokenId, bucket.noTokenId]),
  );
}

/** Reports unreadable books and frames while other prices arrive, until ten minutes after the last problem. */
interface PriceProblems {
  note(problem: string): void;
  /** Updates the health report. */
  publish(recorders: readonly AccountRecorder[]): Promise<void>;
}

const SHOWN_MS = 10 * 60_000;

/** `about` keeps the problems of different venues separate. */
function createPriceProblems(clock: Clock, about: string): PriceProblems {
  let latest: { problem: string; ts: number; times: number } | null = null;

  function describe(): string | null {
    if (latest && clock.now() - latest.ts > SHOWN_MS) latest = null;
    return latest && (latest.times > 1 ? `${latest.problem}, ${latest.times} times` : latest.problem);
  }

  return {
    note(problem) {
      latest = { problem, ts: clock.now(), times: (latest?.times ?? 0) + 1 };
    },
    async publish(recorders) {
      const text = describe();
      for (const recorder of recorders) await reportProblem(recorder, `unreadable ${about}`, text);
    },
  };
}

const GATHER_MS = 200;

/** Batches pushed quotes, so that a burst takes only one commit. */
interface QuoteBatches {
  add(quote: Quote): void;
  /** Resolves once everything is written. */
  stop(): Promise<void>;
}

function createQuoteBatches(
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
