import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createPriceHistory } from './price-history.ts';

const START_TS = Date.UTC(2026, 8, 1);
const MONTH = { startTs: START_TS, endTs: START_TS + 31 * DAY_MS };
const DAY = { startTs: START_TS, endTs: START_TS + DAY_MS };
const MAX_SPAN_S = (15 * DAY_MS) / 1000;

/** Like the real order-book service: at most 15 days, and at least 12-hour steps for closed markets. */
function booksAnswer(url: URL, isClosed: boolean): unknown {
  const [start, end] = ['startTs', 'endTs'].map((name) => Number(url.searchParams.get(name)));
  if (end! - start! > MAX_SPAN_S) return json({ error: 'interval is too long' }, 400);
  if (isClosed && Number(url.searchParams.get('fidelity')) < 720) return { history: [] };
  return {
    history: [
      { t: start, p: 0.2 },
      { t: end, p: 0.3 },
    ],
  };
}

const refusing = () => json({ error: 'not found' }, 404);
const noPoints = { data: [], pagination: { limit: 1000, has_more: false, next_cursor: null } };

/** Only the order-book service offers prices, unless a reply says otherwise. */
function open(replies: Parameters<typeof scriptHttp>[0] = {}, nowTs = MONTH.endTs) {
  const books = (url: URL) => booksAnswer(url, false);
  const { http, asked } = scriptHttp({
    '/v2/prices-history': refusing,
    '/prices-history': books,
    ...replies,
  });
  const fetchPrices = createPriceHistory({ clob: http, data: http }, { now: () => nowTs });
  return { asked, fetchPrices };
}

const pathsOf = (asked: readonly { url: URL }[]) => asked.map(({ url }) => url.pathname);

describe('historical prices', () => {
  it('of a month are requested in slices of at most 15 days', async () => {
    const { fetchPrices, asked } = open();
    const points = await fetchPrices('7', MONTH, never());
    assert.equal(points[0]!.ts, MONTH.startTs);
    assert.equal(points.at(-1)!.ts, MONTH.endTs);
    assert.equal(points.length, 4, 'points at slice boundaries appear once');
    assert.equal(pathsOf(asked).filter((path) => path === '/prices-history').length, 3);
  });

  it('of a closed market are requested again in steps of 12 hours', async () => {
    const { fetchPrices } = open({ '/prices-history': (url: URL) => booksAnswer(url, true) });
    assert.equal((await fetchPrices('7', MONTH, never())).length, 4);
  });

  it('come from the data service if available, page by page and oldest first', async () => {
    const { fetchPrices, asked } = open({
      '/v2/prices-history': (url: URL) => {
        const [start, end] = ['start', 'end'].map((name) => Number(url.searchParams.get(name)));
        assert.ok(end! - start! <= MAX_SPAN_S);
        const second = url.searchParams.get('cursor') === 'c1';
        return {
          data: [{ timestamp: second ? start : start! + 3600, price: '0.25', resolution_seconds: 3600 }],
          pagination: { limit: 1, has_more: !second, next_cursor: second ? null : 'c1' },
        };
      },
    });
    assert.deepEqual(await fetchPrices('7', DAY, never()), [
      { ts: START_TS, price: 0.25 },
      { ts: START_TS + HOUR_MS, price: 0.25 },
    ]);
    assert.equal(asked.length, 2);
  });

  it('are requested in the steps that the service keeps at their age', async () => {
    for (const [days, steps] of [
      [60, ['3600', '10800']],
      [100, ['10800']],
    ] as const) {
      const { fetchPrices, asked } = open({ '/v2/prices-history': noPoints }, START_TS + days * DAY_MS);
      await fetchPrices('7', DAY, never());
      const wanted = asked.flatMap(({ url }) => url.searchParams.get('bucket_seconds') ?? []);
      assert.deepEqual(wanted, steps);
    }
  });

  it('are not requested again from a service that does not offer them', async () => {
    const { fetchPrices, asked } = open();
    await fetchPrices('7', DAY, never());
    await fetchPrices('8', DAY, never());
    assert.equal(pathsOf(asked).filter((path) => path === '/v2/prices-history').length, 1);
  });

  it('fail with an error if neither service can be read, or the one with fine steps is busy', async () => {
    for (const answer of [{ prices: [] }, { history: [{ time: 1, price: 0.2 }] }, json({}, 503)]) {
      const { fetchPrices } = open({ '/prices-history': answer });
      await assert.rejects(fetchPrices('7', DAY, never()));
    }
    const { fetchPrices } = open({ '/v2/prices-history': json({ error: 'busy', retryable: true }, 429) });
    await assert.rejects(fetchPrices('7', DAY, never()), { status: 429 });
  });
});
