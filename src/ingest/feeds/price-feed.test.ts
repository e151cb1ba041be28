import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '../../domain/account.ts';
import type { Quote } from '../../domain/quote.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { type Logger, silentLogger } from '../../runtime/logger.ts';
import { createRandom } from '../../runtime/random.ts';
import { presentHealth } from '../../server/endpoints/health.ts';
import { FEEDS } from '../../sources/feeds.ts';
import type { QuoteSource, QuoteStreamHandlers } from '../../sources/source.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import { stretchPeriodMs } from './feed-loop.ts';
import { createPriceFeed } from './price-feed.ts';

const START = Date.UTC(2026, 5, 1);

function setUp(books: readonly Quote[] = [], silentFromTs = Number.POSITIVE_INFINITY, terms: object = {}) {
  const quotes: Record<string, Quote> = {};
  const clock = createManualClock(START);
  const kept: string[] = [];
  const answeredTs: number[] = [];
  const errors: string[] = [];
  const notices: (string | null)[] = [];
  const silences: (string | null)[] = [];
  const remarks: Record<string, string> = {};
  const restriction: { text: string | null } = { text: null };
  let isStoreOpen = true;
  const bucket = { isOpen: true, yesTokenId: 'yes', noTokenId: 'no' };
  const window = { startTs: START - HOUR_MS, endTs: START + HOUR_MS };
  const event = { window, buckets: [bucket], ...terms };
  const recorder = {
    snapshot: () => ({
      events: [{ event }],
      quotes,
      remarks,
      notices: { 'unreadable prices': notices.at(-1), 'silent prices': silences.at(-1) },
    }),
    async readQuotes(given: readonly Quote[]) {
      await Promise.resolve();
      if (!isStoreOpen) throw new Error('the store is closed');
      kept.push(...given.map(({ tokenId }) => tokenId));
      for (const quote of given) quotes[quote.tokenId] = quote;
    },
    feedAnswered: async () => void answeredTs.push(clock.now()),
    note: async ({ kind, about, text }: { kind: string; about: string; text: string }) => {
      if (kind === 'remark-set') remarks[about] = text;
      else (about === 'silent prices' ? silences : notices).push(text);
    },
  } as unknown as AccountRecorder;
  let listener: QuoteStreamHandlers | undefined;
  const source: QuoteSource = {
    restriction: () => restriction.text,
    fetchQuotes: (_tokens, signal) =>
      clock.now() < silentFromTs
        ? Promise.resolve([...books])
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
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
  const alive = () => listener!.onAlive!();
  return {
    clock,
    feed,
    quote,
    kept,
    errors,
    closeStore,
    quotes,
    alive,
    openStream: () => listener!.onOpen!(),
    silences,
    remarks,
    restriction,
    answeredTs,
    notices,
    bucket,
    breakFrame: () => listener!.onBroken!('market stream: a frame cannot be read (book)'),
    push: (one: Quote) => listener!.onQuote(one),
  };
}

function book(tokenId: string, ask: number): Quote {
  const shares = { bidShares: 9, askShares: 9 };
  return { tokenId, bid: ask - 0.02, ask, ...shares, lastTradePrice: ask, observedTs: START };
}

describe('price feed', () => {
  it('stores pending quotes before it stops, and accepts none afterwards', async () => {
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

  it('keeps the last trade if a snapshot has none', async () => {
    const { clock, feed, quotes, alive, push } = setUp([book('yes', 0.4)]);
    await clock.advanceAsync(100);
    push({ ...book('yes', 0.5), lastTradePrice: null, observedTs: clock.now() });
    for (let step = 0; step < 16; step++) {
      alive();
      await clock.advanceAsync(5_000);
    }
    assert.equal(quotes.yes!.lastTradePrice, 0.4);
    await feed.stop();
  });

  it('does not publish the book of a bucket that closed during the request', async () => {
    const { clock, feed, kept, bucket } = setUp([book('yes', 0.4)]);
    bucket.isOpen = false;
    await clock.advanceAsync(100);
    assert.deepEqual(kept, []);
    await feed.stop();
  });

  // A weekly Kalshi contract counts until midnight and trades until 09:59, as recorded for KXTRUTHSOCIAL.
  it('reads prices until trading ends, which may be after the counted period', async () => {
    for (const [terms, hours] of [
      [{}, 1],
      [{ terms: { tradedUntilTs: START + 11 * HOUR_MS } }, 11],
    ] as const) {
      const { clock, feed, kept } = setUp([book('yes', 0.4)], undefined, terms);
      const readAt = async (ts: number) => {
        await clock.advanceAsync(ts - clock.now() - 60_000);
        kept.length = 0;
        await clock.advanceAsync(59_000);
        return kept.length > 0;
      };
      assert.equal(await readAt(START + hours * HOUR_MS), true);
      assert.equal(await readAt(START + hours * HOUR_MS + 120_000), false);
      await feed.stop();
    }
  });

  it('does not use a listed price for a token without a book', async () => {
    const { clock, feed, quotes, alive, push } = setUp([book('yes', 0.4)]);
    quotes.no = { ...book('no', 0.6), askShares: null, observedTs: START - 1 };
    await clock.advanceAsync(100);
    assert.deepEqual([quotes.yes!.ask, quotes.no.ask, quotes.no.lastTradePrice], [0.4, null, 0.6]);
    // A healthy stream takes precedence; tokens it never mentioned are requested occasionally.
    push({ ...book('yes', 0.5), observedTs: clock.now() });
    for (let step = 0; step < 16; step++) {
      alive();
      await clock.advanceAsync(5_000);
    }
    assert.deepEqual([quotes.yes!.ask, quotes.no.ask], [0.5, null]);
    await feed.stop();
  });

  it('stays fresh while the stream delivers, even if book requests get no response', async () => {
    const { clock, feed, alive, answeredTs } = setUp([{ tokenId: 'yes' } as Quote], START + 1_000);
    for (let step = 0; step < 40; step++) {
      alive();
      await clock.advanceAsync(5_000);
    }
    const gaps = answeredTs.slice(1).map((ts, index) => ts - answeredTs[index]!);
    assert.ok(gaps.length > 20 && Math.max(...gaps) < 15_000, String(Math.max(...gaps)));
    await feed.stop();
  });

  it('reports unreadable frames in health until ten minutes after the last one', async () => {
    const { clock, feed, alive, notices, breakFrame } = setUp([{ tokenId: 'yes' } as Quote]);
    breakFrame();
    breakFrame();
    for (let step = 0; step < 130; step++) {
      alive();
      await clock.advanceAsync(5_000);
    }
    assert.deepEqual(notices, ['market stream: a frame cannot be read (book), 2 times', null]);
    await feed.stop();
  });

  it('names a stream that connects but delivers nothing within a minute, until it delivers', async () => {
    const { clock, feed, alive, openStream, silences } = setUp([book('yes', 0.4), book('no', 0.6)]);
    openStream();
    await clock.advanceAsync(30_000);
    assert.deepEqual(silences, []);
    await clock.advanceAsync(29_000);
    assert.deepEqual(silences, ['price stream: it connects but delivers nothing; polling instead']);
    alive();
    await clock.advanceAsync(5_000);
    assert.equal(silences.at(-1), null);
    await feed.stop();
  });

  it('shows in health what the venue refuses while prices arrive', async () => {
    const { clock, feed, remarks, restriction } = setUp([book('yes', 0.4)]);
    restriction.text = 'market: HTTP 400; books are read one by one';
    await clock.advanceAsync(6_000);
    const snapshot = { events: [], feeds: [], remarks } as unknown as AccountSnapshot;
    const account = { accountId: 'a', segment: 'account_a' } as Account;
    const build = { version: '1', commit: 'c' };
    const { body } = presentHealth(
      [account],
      () => snapshot,
      { isWritable: true, problem: null },
      build,
      START,
    );
    assert.deepEqual([body.status, body.notes], ['ok', [`account_a: ${restriction.text}`]]);
    restriction.text = null;
    await clock.advanceAsync(6_000);
    assert.equal(remarks['restricted prices'], null);
    await feed.stop();
  });

  it('asks less often with many accounts, but before it would look stale', () => {
    const stretch = (crowding: number) => stretchPeriodMs(5_000, FEEDS.prices, crowding);
    assert.deepEqual([0.02, 1, 2, 10].map(stretch), [5_000, 5_000, 10_000, 20_000]);
  });
});
