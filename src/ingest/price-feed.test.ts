import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Quote } from '../domain/quote.ts';
import { HOUR_MS } from '../domain/units.ts';
import { createManualClock } from '../runtime/clock.ts';
import { type Logger, silentLogger } from '../runtime/logger.ts';
import { createRandom } from '../runtime/random.ts';
import type { QuoteSource, QuoteStreamHandlers } from '../sources/source.ts';
import type { AccountRecorder } from './account-recorder.ts';
import { createPriceFeed } from './price-feed.ts';

const START = Date.UTC(2026, 5, 1);

function setUp() {
  const clock = createManualClock(START);
  const kept: string[] = [];
  const errors: string[] = [];
  let isStoreOpen = true;
  const event = {
    window: { startTs: START - HOUR_MS, endTs: START + HOUR_MS },
    buckets: [{ isOpen: true, yesTokenId: 'yes', noTokenId: 'no' }],
  };
  const recorder = {
    snapshot: () => ({ events: [{ event }] }),
    async readQuotes(quotes: readonly Quote[]) {
      await Promise.resolve();
      if (!isStoreOpen) throw new Error('the store is closed');
      kept.push(...quotes.map(({ tokenId }) => tokenId));
    },
    feedAnswered: async () => {},
    note: async () => {},
  } as unknown as AccountRecorder;
  let listener: QuoteStreamHandlers | undefined;
  const source: QuoteSource = {
    fetchQuotes: async () => [],
    openQuoteStream(_tokens, given, signal) {
      listener = given;
      const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return { ended, setTokens() {} };
    },
  };
  const logger: Logger = { ...silentLogger, error: (_, text) => void errors.push(text) };
  const feed = createPriceFeed({
    source,
    recorders: [recorder],
    clock,
    random: createRandom(1),
    logger,
    timeScale: 1,
  });
  feed.start();
  const quote = (tokenId: string) => listener!.onQuote({ tokenId } as Quote);
  const closeStore = () => {
    isStoreOpen = false;
  };
  return { clock, feed, quote, kept, errors, closeStore };
}

describe('price feed', () => {
  it('keeps what it has gathered before it is stopped, and takes nothing after', async () => {
    const { clock, feed, quote, kept, errors, closeStore } = setUp();
    quote('yes');
    await clock.advanceAsync(300);
    assert.deepEqual(kept, ['yes']);
    quote('no');
    await feed.stop();
    assert.deepEqual(kept, ['yes', 'no']);
    closeStore();
    quote('yes');
    await clock.advanceAsync(1_000);
    assert.deepEqual([kept, errors], [['yes', 'no'], []]);
  });

  it('waits for every batch that is being written', async () => {
    const { clock, feed, quote, kept } = setUp();
    for (const tokenId of ['yes', 'no', 'yes']) {
      quote(tokenId);
      clock.advance(250);
    }
    await feed.stop();
    assert.deepEqual(kept, ['yes', 'no', 'yes']);
  });
});
