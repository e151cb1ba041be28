// Event history: tiers, paging, time filters, JSON and CSV, on both engines.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENGINE_NAMES } from '../store/engines.ts';
import { HOUR_MS, START_TS, sampleEvent, sampleForecast, sampleSignal } from '../store/samples.ts';
import { type Harness, type Reply, startHarness } from './harness.ts';

const MINUTE_MS = 60_000;
const POINTS = 30;
const EVENTS = '/history/account_a/events';
const COURSE = '/history/account_a/101';
for (const engine of ENGINE_NAMES) {
  describe(`the history API on ${engine}`, () => {
    let harness: Harness;
    before(async () => {
      harness = await startHarness({ engine });
      await fill(harness);
    });
    after(() => harness.close());
    const pro = (path: string, headers = {}) => harness.call(path, { key: harness.keys.PRO, headers });

    it('pages through events with their settlements, latest end first', async () => {
      const ids: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { status, json } = await harness.call(`${EVENTS}?limit=2${cursor && `&cursor=${cursor}`}`);
        assert.equal(status, 200);
        ids.push(...json.data.map((event: { event_id: number }) => event.event_id));
        cursor = json.next_cursor;
      }
      assert.deepEqual(ids, [104, 103, 102, 101]);
      const { json } = await harness.call(`${EVENTS}?to=${START_TS + 1}`);
      const { settlement, buckets, start_ts } = json.data[0];
      assert.deepEqual([json.data.length, start_ts], [1, START_TS]);
      assert.deepEqual(settlement, {
        final_count: 36,
        winning_bucket: '<40',
        source: 'oracle',
        revision: 1,
        settled_ts: START_TS + 170 * HOUR_MS,
      });
      assert.deepEqual(buckets[1], { bucket: '40+', low: 40, high: null });
    });

    it('shows earlier market prices on the first page only', async () => {
      harness.clock.step(START_TS + 2_000 * HOUR_MS - harness.clock.now());
      const { json } = await harness.call('/history/account_a/102');
      assert.deepEqual(json.data.points, []);
      const [first] = json.data.past_prices;
      assert.deepEqual(
        first.market_prices,
        json.data.buckets.map(() => 0.5),
      );
      assert.ok(first.timestamp > json.data.start_ts && first.timestamp <= json.data.start_ts + HOUR_MS);
      for (const call of [harness.call, pro]) {
        const [columns, ...lines] = (await call('/history/account_a/102?format=csv')).text.split('\r\n');
        assert.equal(lines.length - 1, json.data.past_prices.length);
        const line = Object.fromEntries(
          columns!.split(',').map((name, i) => [name, lines[0]!.split(',')[i]]),
        );
        const [bucket] = json.data.buckets;
        assert.deepEqual(
          [line.timestamp, line.real_counter, line[`market_price ${bucket.bucket}`], line.price_source],
          [String(first.timestamp), '', '0.5', 'market_history'],
        );
      }
      const later = await harness.call(`/history/account_a/102?from=${json.data.start_ts + 1}`);
      assert.equal(later.json.data.past_prices, undefined);
    });

    it('shows counts and prices to everyone, but stored forecasts and verdicts only to PRO callers', async () => {
      const path = `${COURSE}?step=all&limit=1000`;
      const open = await harness.call(path);
      const free = await harness.call(path, { key: harness.keys.FREE });
      assert.deepEqual(free.json.data, open.json.data);
      assert.equal(open.json.data.points.length, POINTS);
      assert.deepEqual(open.json.data.points[7], {
        timestamp: START_TS + 7 * 5 * MINUTE_MS,
        real_counter: 7,
        market_oracle_counter: 5,
        market_ui_counter: null,
        market_prices: [0.65, null],
      });
      assert.equal(open.json.data.signals, undefined);
      const { data } = (await pro(path)).json;
      const stored = (await harness.store.forecasts.standingAt(101, data.points[7].timestamp))!;
      const { p5, p50, p95, bucketProbabilities, modelVersion } = stored;
      assert.deepEqual(data.points[7], {
        ...open.json.data.points[7],
        forecast: { p5, p50, p95 },
        model_probs: bucketProbabilities,
        model_version: modelVersion,
      });
      assert.deepEqual(
        data.signals.map(({ bucket, won, pnl }: Record<string, unknown>) => ({ bucket, won, pnl })),
        [{ bucket: '<40', won: true, pnl: 30.4 }],
      );
      assert.equal((await harness.call(path, { key: 'tc_wrong' })).status, 401);
    });

    it('pages through a time range without gaps or repeats at any resolution', async () => {
      for (const step of ['all', 'hour']) {
        const whole = (await pro(`${COURSE}?step=${step}&limit=1000`)).json.data.points;
        const paged: unknown[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const reply: Reply = await pro(`${COURSE}?step=${step}&limit=2${cursor && `&cursor=${cursor}`}`);
          paged.push(...reply.json.data.points);
          cursor = reply.json.data.next_cursor;
        }
        assert.deepEqual(paged, whole);
        assert.equal(whole.length, step === 'all' ? POINTS : 3);
      }
      const range = `from=${START_TS + 10 * MINUTE_MS}&to=${START_TS + 20 * MINUTE_MS}`;
      const { data } = (await harness.call(`${COURSE}?step=all&${range}`)).json;
      assert.deepEqual(
        data.points.map(({ real_counter }: { real_counter: number }) => real_counter),
        [2, 3],
      );
    });

    it("keeps its ETag while only the clock moves, and changes it with a point's time", async () => {
      const { store, clock, call } = harness;
      const { window } = (await store.events.find(102))!;
      const hourTs = Math.ceil(window.startTs / HOUR_MS) * HOUR_MS;
      const stored = (await store.forecasts.standingAt(101, START_TS + HOUR_MS))!;
      // Only the last point of each hour is returned, so the second replaces the first.
      const tagAfter = async (asofTs: number) => {
        await store.forecasts.record([{ ...stored, eventId: 102, asofTs }]);
        const { headers, json } = await call(`/history/account_a/102?from=${window.startTs + 1}`);
        assert.equal(json.data.points.length, 1);
        return headers.etag;
      };
      const first = await tagAfter(hourTs + 5 * MINUTE_MS);
      clock.step(MINUTE_MS);
      assert.equal(await tagAfter(hourTs + 5 * MINUTE_MS), first);
      assert.notEqual(await tagAfter(hourTs + 10 * MINUTE_MS), first);
    });

    it('returns CSV if the query or Accept header requests it, with the next page in the Link header', async () => {
      const byFormat = await harness.call(`${COURSE}?step=all&limit=2&format=csv`);
      const byAccept = await harness.call(`${COURSE}?step=all&limit=2`, {
        headers: { Accept: 'text/csv, application/json;q=0.5' },
      });
      assert.equal(byFormat.text, byAccept.text);
      assert.match(String(byFormat.headers['content-type']), /^text\/csv/);
      assert.deepEqual(byFormat.text.split('\r\n'), [
        'timestamp,real_counter,market_oracle_counter,market_ui_counter,market_price <40,market_price 40+,price_source',
        `${START_TS},0,,,0.65,,kept`,
        `${START_TS + 5 * MINUTE_MS},1,,,0.65,,kept`,
        '',
      ]);
      const next = /^<\/api\/v1(.+)>; rel="next"$/.exec(String(byFormat.headers.link))![1]!;
      assert.match((await harness.call(next)).text, new RegExp(`\r\n${START_TS + 10 * MINUTE_MS},2,`));
      const columns = (await pro(`${COURSE}?format=csv`)).text.split('\r\n')[0];
      assert.match(columns!, /,p5,p50,p95,model_prob <40,model_prob 40\+,price_source$/);
      const asJson = await harness.call(COURSE, { headers: { Accept: 'application/json' } });
      assert.equal(asJson.json.data.event_id, 101);
      assert.equal((await harness.call(COURSE, { headers: { Accept: 'image/png' } })).status, 406);
      const { text } = await harness.call(`${EVENTS}?format=csv`);
      assert.match(
        text,
        /^event_id,.+\r\n101,Posts from November 2 to November 9\?,\d+,\d+,36,<40,\d+,,\r\n$/s,
      );
    });

    it('rejects bad input with 422 and returns no events from other accounts', async () => {
      for (const query of [
        'limit=0',
        'limit=1001',
        'step=day',
        'from=x',
        'from=2&to=1',
        'cursor=!',
        'format=xml',
      ])
        assert.equal((await pro(`${COURSE}?${query}`)).status, 422, query);
      for (const query of ['limit=101', 'cursor=MQ', 'to=-1'])
        assert.equal((await pro(`${EVENTS}?${query}`)).status, 422, query);
      const bad = await pro('/history/account_a/latest');
      assert.deepEqual(bad.json.detail[0].loc, ['path', 'event_id']);
      assert.equal(bad.status, 422);
      const unknown = await pro('/history/account_a/999');
      assert.deepEqual([unknown.status, unknown.json], [404, { detail: 'account_a has no event 999' }]);
      assert.equal((await pro('/history/account_b/101')).status, 404);
      assert.equal((await pro('/history/account_c/events')).status, 404);
    });
  });
}

/** Four events a day apart; the first has a point every five minutes, a signal and a result. */
async function fill({ store }: Harness): Promise<void> {
  const events = [0, 1, 2, 3].map((day) =>
    sampleEvent({
      eventId: 101 + day,
      window: { startTs: START_TS + day * 24 * HOUR_MS, endTs: START_TS + (168 + day * 24) * HOUR_MS },
    }),
  );
  await store.events.upsert(events);
  const points = [{ ts: events[1]!.window.startTs + 1, prices: [0.5, 0.5] }];
  await store.past.putPrices({ eventId: 102, readTs: START_TS, untilTs: START_TS, isWhole: false, points });
  const times = Array.from({ length: POINTS }, (_, i) => START_TS + i * 5 * MINUTE_MS);
  await store.forecasts.record(
    times.map((asofTs, i) => sampleForecast({ asofTs, countSoFar: i, p50: 33 + i })),
  );
  await store.counts.record([
    { eventId: 101, feed: 'oracle', count: 5, observedTs: START_TS + 30 * MINUTE_MS },
    { eventId: 101, feed: 'oracle', count: 9, observedTs: START_TS + 50 * MINUTE_MS },
  ]);
  const settledTs = START_TS + 170 * HOUR_MS;
  const settled = { won: true, pnlUsd: 30.4, settledTs };
  await store.signals.record([sampleSignal(), sampleSignal({ eventId: 102 })]);
  await store.signals.settle([sampleSignal(settled)]);
  await store.settlements.record({
    eventId: 101,
    accountId: 'a',
    finalCount: 36,
    winningLabel: '<40',
    source: 'oracle',
    settledTs,
  });
}
