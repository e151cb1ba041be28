// Our Kalshi adapter against the simulated Kalshi: contracts, quotes, the book stream and the settlement list.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { openInProcess } from '../../simulator/in-process.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { completeProfile } from '../../src/domain/account-profile.ts';
import type { ContractSeries } from '../../src/domain/contract.ts';
import { MAIN_FEED_RULE } from '../../src/domain/counting-rule.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import type { Quote } from '../../src/domain/quote.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { SourceError } from '../../src/runtime/errors.ts';
import { createHttpTransport } from '../../src/sources/http-transport.ts';
import { createKalshiSource } from '../../src/sources/kalshi/client.ts';
import { createKalshiPriceHistory } from '../../src/sources/kalshi/past.ts';
import { createKalshiQuotes } from '../../src/sources/kalshi/quote-client.ts';
import { createSigner, signFetch } from '../../src/sources/kalshi/signing.ts';
import {
  createRollcallPostSource,
  createRollcallSettlement,
  readListPage,
} from '../../src/sources/rollcall/client.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
/** A Wednesday afternoon in New York. */
const NOW_TS = Date.UTC(2026, 10, 11, 19);
const RULE = { ...MAIN_FEED_RULE, deletedPosts: false };

function open(deleteShare: number) {
  const clock = createManualClock(NOW_TS);
  const simulator = createSimulator({
    seed: 11,
    anchorTs: Date.UTC(2026, 6, 1),
    clock,
    accounts: [{ ...ACCOUNT_B, deleteShare }],
    kalshiMembers: [{ keyId: 'member', publicKeyPem: publicKey }],
  });
  const { fetch, urls, createSocket } = openInProcess(simulator);
  const sign = createSigner({ keyId: 'member', privateKeyPem: privateKey });
  const transport = (name: string, baseUrl: string, isSigned = false) =>
    createHttpTransport({
      name,
      baseUrl,
      clock,
      fetch: isSigned ? signFetch(fetch, sign, clock.now) : fetch,
    });
  const series = ['KXACCOUNTB', 'KXACCOUNTBD'].map(
    (ticker): ContractSeries => ({
      venue: 'kalshi',
      series: ticker,
      countingRule: RULE,
      settlementSource: 'rollcall',
      timeZone: 'America/New_York',
    }),
  );
  const account = completeProfile({ accountId: 'b', platform: 'mastodon' }, 1);
  const source = createKalshiSource({
    accountId: 'b',
    series,
    http: transport('kalshi', urls.kalshi),
    clock,
  });
  const rollcall = { account, http: transport('rollcall', urls.rollcall), clock };
  return { clock, simulator, urls, createSocket, sign, transport, source, rollcall };
}

const signal = new AbortController().signal;

describe('Kalshi contracts', () => {
  it('are listed by series with complete ladders, fees, terms and windows of whole New York days', async () => {
    const { source } = open(0.02);
    const { events, missed, oddities } = await source.fetchEvents([], signal);
    assert.deepEqual([missed, oddities], [[], []]);
    const [day, nextDay, week] = events as [MarketEvent, MarketEvent, MarketEvent];
    assert.deepEqual(
      [day, week].map((event) => event!.window.endTs - event!.window.startTs),
      [DAY_MS, 7 * DAY_MS],
    );
    assert.equal(new Date(week!.window.startTs).toISOString(), '2026-11-08T05:00:00.000Z');
    assert.equal(nextDay!.window.startTs, day!.window.endTs);
    assert.deepEqual([day!.buckets.length, week!.buckets.length], [8, 11]);
    assert.equal(week!.buckets[0]!.label.startsWith('<'), true);
    assert.deepEqual(week!.buckets[3]!.fee, { rate: 0.07, exponent: 1 });
    assert.equal(week!.terms!.countingRule.deletedPosts, false);
    const tradedOnMs = [day, week].map(({ terms, window }) => terms!.tradedUntilTs! - window.endTs);
    assert.deepEqual(tradedOnMs, [Number.NaN, 10 * HOUR_MS - MINUTE_MS]);
    assert.ok(events.every(({ slug }) => !slug.startsWith('KXACCOUNTBDELETE')));
  });

  it('settle on one bracket each, and an unknown series is reported', async () => {
    const { source, clock, transport, urls } = open(0.02);
    const { settled } = await source.fetchSettled(NOW_TS - 30 * DAY_MS, signal);
    assert.ok(settled.length >= 30);
    assert.ok(settled.every(({ winningLabel }) => winningLabel !== null));
    const series = {
      venue: 'kalshi',
      series: 'KXNONE',
      countingRule: RULE,
      settlementSource: '',
      timeZone: 'UTC',
    };
    const none = createKalshiSource({
      accountId: 'b',
      series: [series],
      http: transport('kalshi', urls.kalshi),
      clock,
    });
    assert.match((await none.fetchEvents([], signal)).missed[0]!, /KXNONE does not exist/);
  });
});

describe('contracts that are no longer listed', () => {
  it('are settled from the archive, with their prices', async () => {
    const { source, transport, urls } = open(0.02);
    const { settled, rejected } = await source.fetchSettled(NOW_TS - 120 * DAY_MS, signal);
    assert.deepEqual(rejected, []);
    const days = settled.filter(({ event: { window } }) => window.endTs - window.startTs < 2 * DAY_MS);
    assert.equal(days.length, 120);
    assert.equal(new Set(days.map(({ event }) => event.eventId)).size, 120);
    assert.ok(settled.every(({ winningLabel, closedTs }) => winningLabel !== null && closedTs !== null));
    const [{ event }] = days as [(typeof days)[0]];
    assert.match(event.title, /^How many posts/);
    const history = createKalshiPriceHistory(transport('kalshi', urls.kalshi));
    const { endTs } = event.window;
    const { yesTokenId, noTokenId } = event.buckets[3]!;
    const span = { startTs: endTs - 6 * HOUR_MS, endTs };
    const [yes, no] = await Promise.all([yesTokenId, noTokenId].map((id) => history(id, span, signal)));
    assert.ok(yes!.length >= 5 && yes!.length === no!.length);
    for (const [i, { price }] of yes!.entries()) assert.ok(Math.abs(price + no![i]!.price - 1) < 1e-9);
  });
});

describe('Kalshi quotes', () => {
  it('are the same from the public list and from signed books, and the No side mirrors the Yes side', async () => {
    const { source, clock, createSocket, urls, transport, sign } = open(0.02);
    const { events } = await source.fetchEvents([], signal);
    const ids = events[0]!.buckets.flatMap(({ yesTokenId, noTokenId }) => [yesTokenId, noTokenId]);
    const shared = { streamUrl: urls.kalshiWs, createSocket, clock };
    const plain = createKalshiQuotes({ ...shared, http: transport('kalshi', urls.kalshi), sign: null });
    const keyed = createKalshiQuotes({ ...shared, http: transport('kalshi', urls.kalshi, true), sign });
    const strip = (quotes: Quote[]) => quotes.map(({ lastTradePrice: _, ...quote }) => quote);
    const fromList = strip(await plain.fetchQuotes(ids, signal));
    assert.deepEqual(strip(await keyed.fetchQuotes(ids, signal)), fromList);
    assert.equal(fromList.length, ids.length);
    for (let i = 0; i < fromList.length; i += 2) {
      const [yes, no] = [fromList[i]!, fromList[i + 1]!];
      if (yes.ask === null || yes.bid === null) continue;
      assert.ok(Math.abs(yes.ask + no.bid! - 1) < 1e-9);
      assert.ok(yes.bid < yes.ask);
    }
  });

  it('are read from the public list if whole books are refused, which is reported', async () => {
    const { source, clock, createSocket, urls, transport, sign } = open(0.02);
    const { events } = await source.fetchEvents([], signal);
    const ids = events[0]!.buckets.map(({ yesTokenId }) => yesTokenId);
    const http = transport('kalshi', urls.kalshi, true);
    let isRefusing = true;
    const getJson: typeof http.getJson = async (path, ...rest) => {
      if (isRefusing && path === '/markets/orderbooks')
        throw new SourceError('kalshi: HTTP 400', { isRetryable: false, status: 400 });
      return http.getJson(path, ...rest);
    };
    const shared = { streamUrl: urls.kalshiWs, createSocket, clock, sign };
    const quotes = createKalshiQuotes({ ...shared, http: { ...http, getJson } });
    assert.equal((await quotes.fetchQuotes(ids, signal)).length, ids.length);
    assert.match(quotes.restriction!()!, /HTTP 400; best prices are read from the list of markets/);
    isRefusing = false;
    await quotes.fetchQuotes(ids, signal);
    assert.equal(quotes.restriction!(), null);
  });

  it('are the same whether pushed or polled', async () => {
    const { source, clock, createSocket, urls, transport, sign } = open(0.02);
    const { events } = await source.fetchEvents([], signal);
    const ids = events[0]!.buckets.map(({ yesTokenId }) => yesTokenId);
    const http = transport('kalshi', urls.kalshi, true);
    const quotes = createKalshiQuotes({ streamUrl: urls.kalshiWs, createSocket, clock, http, sign });
    const seen = new Map<string, Quote>();
    const stop = new AbortController();
    const stream = quotes.openQuoteStream(
      ids,
      { onQuote: (quote) => seen.set(quote.tokenId, quote) },
      stop.signal,
    );
    await clock.advanceAsync(40 * MINUTE_MS);
    const polled = await quotes.fetchQuotes(ids, signal);
    for (const { tokenId, bid, ask } of polled)
      assert.deepEqual([seen.get(tokenId)!.bid, seen.get(tokenId)!.ask], [bid, ask]);
    stop.abort();
    await stream.ended;
  });
});

describe("Roll Call's list", () => {
  it('is rejected if no row can be read, because a count of 0 would be wrong', () => {
    const row = { id: '116457972455781406', date: '2026-10-12T14:04:05.000Z' };
    assert.throws(() => readListPage({ data: [row] }), /every listed post \(date, id, deleted_flag\)/);
    assert.equal(readListPage({ data: [{ ...row, deleted_flag: false }, row] }).unreadable, 1);
  });

  it("contains posts with their deletions, and gives each contract's count under its rule", async () => {
    const { source, rollcall, simulator, clock } = open(0.2);
    const { events } = await source.fetchEvents([], signal);
    const week = events.find(({ window }) => window.endTs - window.startTs === 7 * DAY_MS)!;
    const { posts } = await createRollcallPostSource(rollcall).fetchLatest(null, signal);
    assert.ok(posts.some(({ deletedTs }) => deletedTs === NOW_TS));
    // After the following nightly run, every deletion in the window so far is flagged.
    clock.step(3 * HOUR_MS);
    const settlement = createRollcallSettlement(rollcall);
    const { readings } = await settlement.fetchCounts([week], signal);
    const truth = simulator
      .truePosts(week.window.startTs, clock.now(), 'b')
      .filter(({ isCounted }) => isCounted);
    const standing = truth.filter(({ deletedTs }) => deletedTs === null).length;
    const counted = readings[0]!.count;
    assert.ok(counted >= standing - 3 && counted < truth.length, `${standing} ${counted} ${truth.length}`);
  });
});
