import assert from 'node:assert/strict';
import type { Store } from '../../src/store/ports.ts';
import { describeStore } from './engines.ts';
import { HOUR_MS, START_TS, sampleEvent, samplePastPrices, sampleQuote } from './samples.ts';

describeStore('events', (test) => {
  test('are stored as last listed', async (store) => {
    const first = sampleEvent();
    const changed = sampleEvent({ title: 'Renamed', isClosed: true });
    await store.events.upsert([first]);
    assert.deepEqual(await store.events.find(101), first);
    await store.events.upsert([first, changed]);
    assert.deepEqual(await store.events.find(101), changed);
    assert.equal(await store.events.find(999), undefined);
    await store.events.upsert([]);
  });

  test('are listed by end time and then id, if they end after a given time', async (store) => {
    const window = (endTs: number) => ({ startTs: START_TS, endTs });
    await store.events.upsert([
      sampleEvent({ eventId: 3, window: window(3_000) }),
      sampleEvent({ eventId: 2, window: window(2_000) }),
      sampleEvent({ eventId: 1, window: window(3_000) }),
      sampleEvent({ eventId: 4, window: window(9_000), accountId: 'b' }),
    ]);
    const ids = async (after: number) => (await store.events.list('a', after)).map((event) => event.eventId);
    assert.deepEqual(await ids(0), [2, 1, 3]);
    assert.deepEqual(await ids(2_000), [1, 3]);
  });
});

describeStore('counts', (test) => {
  test('get a new row when the count changes; otherwise the last row is confirmed', async (store) => {
    const at = (count: number, observedTs: number) => ({
      eventId: 1,
      feed: 'oracle' as const,
      count,
      observedTs,
    });
    await store.counts.record([at(5, 1_000)]);
    await store.counts.record([at(5, 2_000), at(6, 3_000)]);
    await store.counts.record([at(6, 4_000)]);
    assert.deepEqual(await store.counts.latest([1]), [at(6, 4_000)]);
    // The clock moved back.
    await store.counts.record([at(5, 2_000)]);
    assert.deepEqual(await store.counts.history(1, 'oracle'), [at(5, 1_000), at(6, 3_000), at(5, 2_000)]);
    assert.deepEqual(await store.counts.latest([1]), [at(5, 2_000)]);
  });

  test('can be read for several events and feeds at once', async (store) => {
    const observations = [
      { eventId: 1, feed: 'oracle' as const, count: 1, observedTs: 10 },
      { eventId: 1, feed: 'ui' as const, count: 2, observedTs: 11 },
      { eventId: 2, feed: 'oracle' as const, count: 3, observedTs: 12 },
    ];
    await store.counts.record(observations);
    assert.deepEqual(await store.counts.latest([1, 2, 3]), observations);
    assert.deepEqual(await store.counts.latest([]), []);
  });
});

describeStore("a venue's past", (test) => {
  test('is stored per event without loss, and replaced when read again', async (store) => {
    const prices = samplePastPrices();
    assert.equal(await store.past.findPrices(101), undefined);
    await store.past.putPrices(prices);
    assert.deepEqual(await store.past.findPrices(101), prices);
    const whole = samplePastPrices({ isWhole: true, points: prices.points.slice(1) });
    await store.past.putPrices(whole);
    assert.deepEqual(await store.past.findPrices(101), whole);
    await store.past.putPrices(samplePastPrices({ eventId: 99, points: [] }));
    assert.deepEqual((await store.past.findPrices(99))?.points, []);
  });

  test('lists how far each event was read, without its content', async (store) => {
    const { points: _, ...reading } = samplePastPrices();
    await store.past.putPrices(samplePastPrices());
    assert.deepEqual(await store.past.listPriced(), [reading]);
    assert.deepEqual(await store.past.listPriced([reading.eventId, 5]), [reading]);
    assert.deepEqual(await store.past.listPriced([5]), []);
  });
});

describeStore('quotes', (test) => {
  test('are added to the history when they change, and the latest quote has the last-seen time', async (store) => {
    const first = sampleQuote();
    const seenAgain = sampleQuote({ observedTs: START_TS + 1_000 });
    const moved = sampleQuote({ observedTs: START_TS + 2_000, bid: null, ask: 0.2 });
    await store.quotes.record([first]);
    await store.quotes.record([seenAgain]);
    assert.deepEqual(await store.quotes.latest(['yes0', 'other']), [seenAgain]);
    assert.deepEqual(await store.quotes.standingAt('yes0', START_TS + 1_500), first);
    await store.quotes.record([moved]);
    assert.deepEqual(await store.quotes.latest(['yes0']), [moved]);
    assert.deepEqual(await store.quotes.standingAt('yes0', START_TS + 2_000), moved);
    assert.deepEqual(await store.quotes.standingAt('yes0', START_TS + 1_999), first);
    assert.equal(await store.quotes.standingAt('yes0', START_TS - 1), undefined);
  });

  test('are never replaced by older quotes that arrive late', async (store) => {
    const newer = sampleQuote({ observedTs: START_TS + 5_000 });
    const late = sampleQuote({ observedTs: START_TS, bid: 0.05 });
    // Of several with the same timestamp, the last one holds.
    await store.quotes.record([sampleQuote({ observedTs: START_TS, bid: 0.04 }), newer]);
    await store.quotes.record([late]);
    assert.deepEqual(await store.quotes.latest(['yes0']), [newer]);
    assert.deepEqual(await store.quotes.standingAt('yes0', START_TS + 1), late);
    await store.quotes.record([]);
    assert.deepEqual(await store.quotes.latest([]), []);
  });

  test('can be paged through for one token', async (store) => {
    const quotes = [1, 2, 3].map((i) => sampleQuote({ observedTs: START_TS + i, bid: i / 100 }));
    await store.quotes.record([...quotes, sampleQuote({ tokenId: 'other' })]);
    const page = (fromTs: number, untilTs: number, limit: number) =>
      store.quotes.listRange('yes0', { fromTs, untilTs, limit });
    assert.deepEqual(await page(0, START_TS + 9, 2), quotes.slice(0, 2));
    assert.deepEqual(await page(START_TS + 3, START_TS + 9, 2), quotes.slice(2));
    assert.deepEqual(await page(0, START_TS + 1, 9), []);
    assert.deepEqual(await store.quotes.listRange('never seen', { fromTs: 0, untilTs: 9, limit: 1 }), []);
  });

  test('are thinned to the last of each hour in a range, for one token', async (store) => {
    const times = [0, 10, 59, 60, 61, 130].map((minute) => HOUR_TS + minute * 60_000);
    const record = (tokenId: string) =>
      store.quotes.record(times.map((observedTs, i) => sampleQuote({ tokenId, observedTs, bid: i / 100 })));
    // New tokens get their numbers from concurrent writers.
    await Promise.all(['one', 'two'].map(record));
    const stretch = { keptFromTs: 0, hourlyFromTs: HOUR_TS, hourlyUntilTs: HOUR_TS + 2 * 3_600_000 };
    assert.equal(await store.quotes.shorten('one', stretch), 3);
    assert.equal(await store.quotes.shorten('one', stretch), 0);
    const stood = async (tokenId: string) =>
      Promise.all(times.map(async (ts) => (await store.quotes.standingAt(tokenId, ts))?.observedTs ?? null));
    const [, , lastOfFirst, , lastOfSecond, later] = times;
    assert.deepEqual(await stood('one'), [null, null, lastOfFirst, lastOfFirst, lastOfSecond, later]);
    assert.deepEqual(await stood('two'), times);
  });

  test('that need thinning are listed page by page, by token', async (store) => {
    const hour = {
      keptFromTs: HOUR_TS,
      hourlyFromTs: HOUR_TS + HOUR_MS,
      hourlyUntilTs: HOUR_TS + 2 * HOUR_MS,
    };
    const recordAt = (tokenId: string, observedTs: number, bid = 0.5) =>
      store.quotes.record([sampleQuote({ tokenId, observedTs, bid })]);
    await recordAt('a old', HOUR_TS - 1);
    await recordAt('b kept', HOUR_TS);
    await recordAt('c alone', HOUR_TS + HOUR_MS);
    await recordAt('c in it', HOUR_TS + HOUR_MS);
    await recordAt('c in it', HOUR_TS + HOUR_MS + 1, 0.4);
    await recordAt('d after it', HOUR_TS + 2 * HOUR_MS);
    const listed = async (after: string, limit: number) =>
      (await store.quotes.listTokens(after, hour, limit)).map(({ tokenId, isDue }) => [tokenId, isDue]);
    const all = [
      ['a old', true],
      ['b kept', false],
      ['c alone', false],
      ['c in it', true],
      ['d after it', false],
    ];
    assert.deepEqual(await listed('', 10), all);
    assert.deepEqual(await listed('', 2), all.slice(0, 2));
    assert.deepEqual(await listed('b kept', 3), all.slice(2));
    assert.deepEqual(await listed('d after it', 2), []);
  });

  test('span months, and pruning old ones does not affect the latest', async (store) => {
    const monthly = [0, 1, 2, 3].map((month) =>
      sampleQuote({ observedTs: Date.UTC(2026, month, 15), bid: 0.1 + month / 100 }),
    );
    await store.quotes.record(monthly);
    await store.quotes.record([sampleQuote({ tokenId: 'quiet', observedTs: Date.UTC(2026, 0, 20) })]);
    assert.deepEqual(await store.quotes.standingAt('yes0', Date.UTC(2026, 2, 14)), monthly[1]);
    assert.equal(await prune(store, Date.UTC(2026, 2, 15)), 3);
    assert.equal(await store.quotes.standingAt('yes0', Date.UTC(2026, 2, 14)), undefined);
    assert.deepEqual(await store.quotes.standingAt('yes0', Date.UTC(2026, 2, 16)), monthly[2]);
    assert.equal((await store.quotes.latest(['quiet', 'yes0'])).length, 2);
    assert.equal(await prune(store, Date.UTC(2026, 2, 15)), 0);
  });
});

const HOUR_TS = Date.UTC(2026, 4, 5, 7);

/** Prunes as the job does: whole months first, then each token. */
async function prune(store: Store, keptFromTs: number): Promise<number> {
  let rows = await store.quotes.dropMonths(keptFromTs);
  for (const tokenId of ['quiet', 'yes0'])
    rows += await store.quotes.shorten(tokenId, { keptFromTs, hourlyFromTs: 0, hourlyUntilTs: 0 });
  return rows;
}

describeStore('settlements', (test) => {
  const settlement = {
    eventId: 1,
    accountId: 'a',
    finalCount: 40,
    winningLabel: '40+',
    source: 'oracle',
    settledTs: START_TS,
  };

  test('get a revision only when the outcome changes', async (store) => {
    assert.equal(await store.settlements.record(settlement), true);
    assert.equal(await store.settlements.record({ ...settlement, settledTs: START_TS + 1 }), false);
    // The market pays another bucket than the count implies.
    assert.equal(await store.settlements.record({ ...settlement, winningLabel: '<40' }), true);
    const revised = { ...settlement, finalCount: 39, winningLabel: '<40', settledTs: START_TS + HOUR_MS };
    assert.equal(await store.settlements.record(revised), true);
    assert.deepEqual(await store.settlements.latest([1, 2]), [{ ...revised, revision: 3 }]);
    assert.deepEqual(await store.settlements.latest([]), []);
  });

  test('are listed in their newest revision, after a given time', async (store) => {
    await store.settlements.record(settlement);
    await store.settlements.record({
      ...settlement,
      eventId: 2,
      settledTs: START_TS + 5,
      winningLabel: null,
    });
    await store.settlements.record({ ...settlement, eventId: 3, accountId: 'b' });
    await store.settlements.record({ ...settlement, finalCount: 41, settledTs: START_TS + 10 });
    const found = await store.settlements.list('a', START_TS);
    assert.deepEqual(
      found.map(({ eventId, revision }) => [eventId, revision]),
      [
        [2, 1],
        [1, 2],
      ],
    );
  });
});
