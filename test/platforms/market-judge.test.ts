// Checks every simulated market response against the market's own published schemas. They do not cover order-book
// price history, which is checked against its documentation.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { FetchOrderBookResponseSchema, OrderBooksSchema } from '@polymarket/bindings/clob';
import {
  FetchResolutionsResponseSchema,
  ListPositionsResponseSchema,
  ListPriceHistoryResponseSchema,
} from '@polymarket/bindings/data';
import {
  GammaEventSchema,
  ListEventsKeysetResponseSchema,
  ListEventsResponseSchema,
  ListMarketsResponseSchema,
  ListSeriesResponseSchema,
} from '@polymarket/bindings/gamma';
import {
  MarketBookEventSchema,
  MarketLastTradePriceEventSchema,
  MarketPriceChangeEventSchema,
  MarketResolvedEventSchema,
  NewMarketEventSchema,
} from '@polymarket/bindings/subscriptions';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import { DEMO_WALLET, otherWallets, WHALE_WALLET } from '../../simulator/trading/wallets.ts';
import { MARKET_SOCKET_PATH } from '../../simulator/urls.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createJudge } from './judge.ts';

interface Schema<T> {
  parse(value: unknown): T;
}

// biome-ignore lint/suspicious/noExplicitAny: payloads are checked field by field.
type Json = any;

const NOW_TS = Date.UTC(2026, 10, 15, 15);
const OPTIONS = { seed: 7, anchorTs: Date.UTC(2026, 7, 18) };
const clock = createManualClock(NOW_TS);
const simulator = createSimulator({ ...OPTIONS, clock });
const judge = createJudge();
after(() => judge.verdict("the market's schemas"));

async function ask(path: string, init?: RequestInit): Promise<Json> {
  const response = await simulator.fetch(new Request(`http://simulator${path}`, init));
  assert.equal(response.status, 200, path);
  return response.json();
}

async function check<T>(path: string, schema: Schema<T>, init?: RequestInit): Promise<Json> {
  const answer = await ask(path, init);
  await judge.check(path, () => schema.parse(answer));
  return answer;
}

function tokensOf(market: Json): string[] {
  return market.version === 'v2' ? market.positionIds : JSON.parse(market.clobTokenIds);
}

describe("the market's published schemas", () => {
  it('accept simulated events, in one response or page by page, in both protocol versions', async () => {
    const versions = new Set<string>();
    for (const filter of ['tag_id=972&closed=false', 'tag_id=972&closed=true', 'tag_id=21&closed=false']) {
      await check(`/gamma/events?${filter}&limit=100`, ListEventsResponseSchema);
      let cursor = '';
      do {
        const page: Json = await check(
          `/gamma/events/keyset?${filter}&limit=50${cursor && `&after_cursor=${cursor}`}`,
          ListEventsKeysetResponseSchema,
        );
        for (const event of page.events) versions.add(event.version);
        cursor = page.next_cursor ?? '';
      } while (cursor);
    }
    assert.deepEqual([...versions].sort(), ['v1', 'v2']);
  });

  it('accept simulated series, single events and markets', async () => {
    const series = await check('/gamma/series', ListSeriesResponseSchema);
    for (const { slug } of series) await check(`/gamma/series?slug=${slug}`, ListSeriesResponseSchema);
    const events = await ask('/gamma/events?tag_id=972&limit=100');
    for (const event of events.slice(0, 20)) {
      await check(`/gamma/events/${event.id}`, GammaEventSchema);
      await check(`/gamma/events/slug/${event.slug}`, GammaEventSchema);
      for (const market of event.markets.slice(0, 3)) {
        const [token] = tokensOf(market);
        await check(`/gamma/markets?clob_token_ids=${token}`, ListMarketsResponseSchema);
        await check(`/gamma/markets?condition_ids=${market.conditionId}`, ListMarketsResponseSchema);
      }
    }
  });

  it('accept simulated books and price histories', async () => {
    const events = await ask('/gamma/events?tag_id=972&closed=false&limit=100');
    const open = events.flatMap((event: Json) => event.markets.filter((market: Json) => !market.closed));
    const tokens = open.slice(0, 60).flatMap(tokensOf);
    for (const token of tokens.slice(0, 30)) {
      await check(`/clob/book?token_id=${token}`, FetchOrderBookResponseSchema);
    }
    const body = JSON.stringify(tokens.map((token_id: string) => ({ token_id })));
    await check('/clob/books', OrderBooksSchema, { method: 'POST', body });
    for (const token of tokens.slice(0, 4)) {
      await check(`/data/v2/prices-history?token_id=${token}&interval=1d`, ListPriceHistoryResponseSchema);
      const { history } = await ask(`/clob/prices-history?market=${token}&interval=1d&fidelity=60`);
      await judge.check('prices-history of the order books', () => {
        assert.ok(history.length > 0);
        for (const { t, p } of history) assert.ok(Number.isInteger(t) && p >= 0 && p <= 1);
      });
    }
  });

  it('accept simulated resolutions and every page of the largest wallet', async () => {
    const { seedKey } = createSimulatorState({ ...OPTIONS, clock });
    const rows = new Map<string, number>();
    for (const wallet of [DEMO_WALLET, WHALE_WALLET, ...otherWallets(seedKey), `0x${'1'.repeat(40)}`]) {
      for (const status of ['OPEN', 'REDEEMABLE_LOST']) {
        let cursor: string | null = null;
        do {
          const path: string = `/data/v2/positions?user=${wallet}&status=${status}&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`;
          const page = await check(path, ListPositionsResponseSchema);
          rows.set(wallet, (rows.get(wallet) ?? 0) + page.data.length);
          cursor = page.pagination.next_cursor;
        } while (cursor !== null);
      }
    }
    assert.equal(rows.get(WHALE_WALLET), 1_200);
    const ended = simulator.trueEvents(NOW_TS - 20 * DAY_MS).map(({ eventId }) => eventId);
    for (let at = 0; at < ended.length; at += 20) {
      const ids = ended.slice(at, at + 20).join(',');
      await check(`/data/v2/resolutions?event_id=${ids}`, FetchResolutionsResponseSchema);
    }
    const [event] = await ask('/gamma/events?tag_id=972&closed=true&limit=1');
    const conditions = event.markets.slice(0, 20).map((market: Json) => market.conditionId);
    const { data } = await check(
      `/data/v2/resolutions?condition=${conditions.join(',')}`,
      FetchResolutionsResponseSchema,
    );
    assert.equal(data.length, conditions.length);
  });

  it('reject an unknown protocol version and version 1 positions', async () => {
    const odd = createSimulator({ ...OPTIONS, clock, faults: [parseFault('gamma-version')] });
    const answer = await odd.fetch(
      new Request('http://simulator/gamma/events/keyset?tag_id=972&closed=false'),
    );
    const events = await answer.json();
    assert.throws(() => ListEventsKeysetResponseSchema.parse(events), /version/);
    assert.throws(() => ListPositionsResponseSchema.parse([{ asset: '1', size: 2 }]));
  });

  it('accept simulated socket messages, including resolutions and new markets', async () => {
    const schemas: Record<string, Schema<unknown>> = {
      book: MarketBookEventSchema,
      price_change: MarketPriceChangeEventSchema,
      last_trade_price: MarketLastTradePriceEventSchema,
      market_resolved: MarketResolvedEventSchema,
      new_market: NewMarketEventSchema,
    };
    const events = await ask('/gamma/events?tag_id=972&closed=false&limit=100&order=endDate&ascending=true');
    const tokens = events[0].markets.filter((market: Json) => !market.closed).flatMap(tokensOf);
    const frames: Json[] = [];
    const session = simulator.connect(MARKET_SOCKET_PATH, {
      send: (text) => frames.push(...[JSON.parse(text)].flat()),
      close() {},
    })!;
    session.receive(JSON.stringify({ type: 'market', assets_ids: tokens, custom_feature_enabled: true }));
    clock.advance(5 * MINUTE_MS);
    clock.advance(Math.max(0, Date.parse(events[0].endDate) - clock.now()) + 8 * HOUR_MS);
    session.closed();
    for (const frame of frames) {
      await judge.check(`socket ${frame.event_type}`, () => schemas[frame.event_type]!.parse(frame));
    }
    assert.deepEqual([...new Set(frames.map(({ event_type }) => event_type))].sort(), [
      'book',
      'last_trade_price',
      'market_resolved',
      'new_market',
      'price_change',
    ]);
  });
});
