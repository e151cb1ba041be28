import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucket, event, open, page, SERIES } from '../../../test/support/listed-events.ts';
import { ACCOUNT, inTurn, json, NOW_TS, never } from '../../../test/support/scripted-sources.ts';
import { findWinningLabel, parseMarketEvent } from './parse.ts';
import { readListedEvent } from './wire.ts';

describe('listed events', () => {
  it('become events with window, ladder, fees, counts and quotes', async () => {
    const { source, asked } = open({ '/series': SERIES, '/events/keyset': page(event()) });
    const listing = await source.fetchEvents([], never());
    const [found] = listing.events;
    assert.deepEqual(found!.window, { startTs: Date.UTC(2026, 7, 15, 16), endTs: Date.UTC(2026, 7, 17, 16) });
    assert.equal(found!.eventId, 777);
    assert.deepEqual(
      found!.buckets.map(({ label, lo, hi, isOpen }) => [label, lo, hi, isOpen]),
      [
        ['<40', 0, 39, false],
        ['40–64', 40, 64, true],
        ['65+', 65, null, true],
      ],
    );
    assert.deepEqual(found!.buckets[1]!.fee, { rate: 0.05, exponent: 1 });
    assert.equal(found!.buckets[1]!.yesTokenId, '1001');
    assert.deepEqual([...listing.uiCounts], [[777, 61]]);
    assert.deepEqual(
      listing.quotes.map(({ tokenId, bid, ask }) => [tokenId, bid, ask]),
      [
        ['1001', 0.24, 0.26],
        ['1002', 0.24, 0.26],
      ],
    );
    assert.deepEqual([listing.rejected, listing.conflicts], [[], []]);
    assert.equal(asked[1]!.url.searchParams.get('series_id'), '12');
  });

  it('of other series or other kinds of markets are skipped with a reason', async () => {
    const { source } = open({
      '/series': SERIES,
      '/events/keyset': page(
        event({ id: '1', seriesSlug: 'another' }),
        event({ id: '2', slug: 'somebody-of-tweets-august-15-august-17-higher-brackets' }),
        event({ id: '3', slug: 'arch-somebody-of-tweets-august-15-august-17' }),
        event({ id: '4', title: 'What will Somebody mention in tweets?', slug: 'somebody-tweet-mention' }),
        event({ id: '5', markets: [bucket('<40', 0), bucket('50+', 1)] }),
        event({ id: '6', slug: 'somebody-of-tweets-strikes-of-30' }),
        event({ id: 'x' }),
        event({ id: '7' }),
      ),
    });
    const listing = await source.fetchEvents([], never());
    assert.deepEqual(
      listing.events.map(({ eventId }) => eventId),
      [7],
    );
    assert.deepEqual(
      listing.rejected.map(({ eventId, reason }) => [eventId, reason.split(' (')[0]]),
      [
        [null, 'no id, title or slug'],
        [2, 'an add-on to another event'],
        [3, 'an archived duplicate'],
        [4, 'a word market'],
        [5, 'a gap between buckets <40 and 50+'],
        [6, 'an add-on to another event'],
      ],
    );
  });

  it('are fetched in pages of a hundred, by tag if configured, and identified by slug', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      event({ id: String(index + 1), seriesSlug: undefined }),
    );
    const { source, asked } = open(
      {
        '/events/keyset': inTurn(
          { events: many, next_cursor: 'c1' },
          page(
            event({ id: '101', seriesSlug: undefined }),
            event({ id: '102', slug: 'other-of-tweets-august-15-august-17', seriesSlug: undefined }),
          ),
        ),
      },
      { seriesSlugs: [], tagId: '972', slugPrefix: 'somebody-of-' },
    );
    const listing = await source.fetchEvents([], never());
    assert.equal(listing.events.length, 101);
    assert.deepEqual(
      asked.map(({ url }) => [url.searchParams.get('tag_id'), url.searchParams.get('after_cursor')]),
      [
        ['972', null],
        ['972', 'c1'],
      ],
    );
  });

  it('outside any series are found by prefix among all post-count markets', async () => {
    const { source, asked } = open(
      { '/events/keyset': page(event({ seriesSlug: undefined })) },
      { seriesSlugs: [], tagId: null, slugPrefix: 'somebody-of-' },
    );
    assert.equal((await source.fetchEvents([], never())).events.length, 1);
    assert.equal(asked[0]!.url.searchParams.get('tag_id'), '972');
  });

  it('have no UI count if the payload has none, and no fee without a schedule', async () => {
    const markets = [
      bucket('<40', 0, { feeSchedule: undefined }),
      bucket('40+', 1, { feeSchedule: { rate: 'x' } }),
    ];
    const { source } = open({
      '/series': SERIES,
      '/events/keyset': page(event({ tweetCount: undefined, markets })),
    });
    const listing = await source.fetchEvents([], never());
    assert.deepEqual([...listing.uiCounts], [[777, null]]);
    assert.deepEqual(
      listing.events[0]!.buckets.map(({ fee }) => fee.rate),
      [0, 0],
    );
  });

  it('keep a bucket without minted tokens, closed to trading', () => {
    const wire = readListedEvent(
      event({ markets: [bucket('<40', 0), bucket('40+', 1, { clobTokenIds: '[]' })] }),
    )!;
    const parsed = parseMarketEvent(wire, ACCOUNT, []);
    assert.ok('event' in parsed);
    assert.deepEqual(
      parsed.event.buckets.map(({ isOpen, yesTokenId }) => [isOpen, yesTokenId]),
      [
        [true, '1000'],
        [false, ''],
      ],
    );
  });

  it('report a tracking with a different window, but keep their own', () => {
    const tracking = {
      trackingId: 't',
      title: '',
      marketSlug: 'somebody-of-tweets-august-15-august-17',
      window: { startTs: Date.UTC(2026, 7, 15, 16), endTs: Date.UTC(2026, 7, 17, 4) },
      count: 1,
      lastSyncTs: null,
      syncError: null,
      isActive: true,
    };
    const parsed = parseMarketEvent(readListedEvent(event())!, ACCOUNT, [tracking]);
    assert.ok('event' in parsed);
    assert.equal(parsed.event.window.endTs, Date.UTC(2026, 7, 17, 16));
    assert.match(parsed.conflicts[0]!, /the oracle/);
  });

  it('have a winner once settled', async () => {
    const settled = (prices: string) => [
      bucket('<40', 0, { closed: true, outcomePrices: '["0", "1"]', closedTime: '2026-08-17 16:20:11+00' }),
      bucket('40+', 1, { closed: true, outcomePrices: prices, closedTime: '2026-08-17 17:00:00+00' }),
    ];
    const { source, asked } = open({
      '/series': SERIES,
      '/events/keyset': page(
        event({ closed: true, markets: settled('["1", "0"]') }),
        event({ id: '778', closed: true, markets: settled('["0.5", "0.5"]') }),
      ),
      '/v2/resolutions': { data: [] },
    });
    const { settled: found } = await source.fetchSettled(NOW_TS - 86_400_000 * 30, never());
    assert.deepEqual(
      found.map(({ winningLabel, closedTs }) => [winningLabel, closedTs]),
      [
        ['40+', Date.UTC(2026, 7, 17, 17)],
        [null, Date.UTC(2026, 7, 17, 17)],
      ],
    );
    assert.equal(asked[1]!.url.searchParams.get('closed'), 'true');
  });

  it('use the trading ids of their stated version, regardless of which fields are filled', () => {
    const ids = (fields: object) => {
      const wire = readListedEvent(event({ markets: [bucket('<40', 0, fields), bucket('40+', 1)] }))!;
      return [wire.markets[0]!.version, ...wire.markets[0]!.tokenIds];
    };
    assert.deepEqual(ids({ version: 'v1', positionIds: ['8', '9'] }), ['v1', '1000', '2000']);
    assert.deepEqual(ids({ version: 'v2', positionIds: ['8', '9'] }), ['v2', '8', '9']);
    assert.deepEqual(ids({ version: 'v2', clobTokenIds: null, positionIds: ['8', '9'] }), ['v2', '8', '9']);
    assert.deepEqual(ids({ version: 'v2', clobTokenIds: null, positionIds: ['8'] }), ['v2']);
    assert.deepEqual(ids({}), ['v1', '1000', '2000'], 'older than the second version');
    assert.deepEqual(ids({ positionIds: ['8', '9'] }), [null], 'states no version and could be either');
  });

  it("use the event's version if a market states none", () => {
    const markets = [bucket('<40', 0, { positionIds: ['8', '9'] }), bucket('40+', 1, { version: 'v1' })];
    const wire = readListedEvent(event({ version: 'v2', markets }))!;
    assert.deepEqual(
      wire.markets.map(({ version, tokenIds }) => [version, tokenIds[0]]),
      [
        ['v2', '8'],
        ['v1', '1001'],
      ],
    );
  });

  it('of an unknown version are listed as closed to trading, with an alarm', async () => {
    const markets = [bucket('<40', 0, { version: 'v3' }), bucket('40+', 1, { version: 'v3' })];
    const { source } = open({ '/series': SERIES, '/events/keyset': page(event({ markets })) });
    const { events, alarms, quotes } = await source.fetchEvents([], never());
    assert.deepEqual(
      events[0]!.buckets.map(({ isOpen }) => isOpen),
      [false, false],
    );
    assert.deepEqual(quotes, []);
    assert.equal(alarms.length, 1);
    assert.match(alarms[0]!, /August 15.*states 'v3'/);
  });

  it('report how long they were cached', async () => {
    const { source } = open({
      '/series': SERIES,
      '/events/keyset': inTurn(
        json(page(event()), 200, { age: '290' }),
        json(page(event()), 200, { age: 'x' }),
      ),
    });
    const listing = await source.fetchEvents([], never());
    assert.equal(listing.asofTs, NOW_TS - 290_000);
    assert.ok(listing.quotes.every(({ observedTs }) => observedTs === NOW_TS - 290_000));
    assert.equal((await source.fetchEvents([], never())).asofTs, NOW_TS);
  });

  it('are rejected as a whole when the cursor repeats', async () => {
    const { source } = open({
      '/series': SERIES,
      '/events/keyset': { ...page(event()), next_cursor: 'again' },
    });
    await assert.rejects(source.fetchEvents([], never()), /cursor/);
  });

  it('of the second version have a winner only once their record is resolved', async () => {
    const conditions = ['01', '02'].map((end) => `0x02${'ab'.repeat(29)}${end}`);
    const markets = ['<40', '40+'].map((label, index) =>
      bucket(label, index, {
        version: 'v2',
        conditionId: conditions[index],
        clobTokenIds: null,
        positionIds: [`${index}8`, `${index}9`],
        closed: true,
        outcomePrices: '["0.999", "0.001"]',
      }),
    );
    const row = (index: number, status: string, payouts?: number[]) => ({
      condition_id: `${conditions[index]}00`.toUpperCase().replace('0X', '0x'),
      status,
      ...(payouts ? { payouts } : {}),
    });
    const { source, asked } = open({
      '/series': SERIES,
      '/events/keyset': page(event({ closed: true, markets })),
      '/v2/resolutions': inTurn(
        { data: [row(0, 'proposed', [0, 1_000_000]), row(1, 'proposed', [1_000_000, 0])] },
        json({ error: 'busy' }, 503),
        { data: [row(0, 'resolved', [0, 1_000_000]), row(1, 'resolved', [1_000_000, 0])] },
      ),
    });
    const look = async () => {
      const { settled, problem } = await source.fetchSettled(0, never());
      return [settled[0]!.winningLabel, problem?.split(':')[0] ?? null];
    };
    assert.deepEqual(await look(), [null, null]);
    assert.deepEqual(await look(), [null, 'resolutions of 1 event(s) cannot be read']);
    assert.deepEqual(await look(), ['40+', null]);
    assert.deepEqual(await look(), ['40+', null]);
    const calls = asked.filter(({ url }) => url.pathname === '/v2/resolutions');
    assert.equal(calls.length, 3, 'final results are not requested again');
    assert.equal(calls[0]!.url.searchParams.get('event_id'), '777');
  });

  it('of the first version have no winner while the outcome is disputed', () => {
    const markets = ['proposed', 'disputed', 'resolved'].map((umaResolutionStatus) => {
      const closed = { closed: true, umaResolutionStatus };
      return [
        bucket('<40', 0, { ...closed, outcomePrices: '["0", "1"]' }),
        bucket('40+', 1, { ...closed, outcomePrices: '["1", "0"]' }),
      ];
    });
    const winners = markets.map((list) =>
      findWinningLabel(readListedEvent(event({ closed: true, markets: list }))!, new Map()),
    );
    assert.deepEqual(winners, [null, null, '40+']);
  });
});
