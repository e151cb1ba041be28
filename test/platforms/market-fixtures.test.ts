// Parses every market payload in ../shared/fixtures with its adapter. The fixtures are not part of the
// project; without them, the tests are skipped with a message.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCryptoMarket, parseReferencePrice } from '../../src/sources/crypto/parse.ts';
import { readPriceMessage } from '../../src/sources/crypto/wire.ts';
import { readBook, readBookMessages } from '../../src/sources/market/book-wire.ts';
import { quoteOfBook } from '../../src/sources/market/books.ts';
import { createMarketSource } from '../../src/sources/market/client.ts';
import { readListedEvent, readListedMarket } from '../../src/sources/market/wire.ts';
import { createWalletSource } from '../../src/sources/wallet/client.ts';
import { asArray, asRecord } from '../../src/sources/wire-reader.ts';
import { listFixtures, MISSING_FIXTURES, readJsonFixture } from '../support/fixtures.ts';
import { ACCOUNT, never, scriptHttp } from '../support/scripted-sources.ts';

function listed(value: unknown): unknown[] {
  const list = asArray(value) ?? asArray(asRecord(value)?.events) ?? [value];
  return [...list];
}

describe('market payloads', { skip: MISSING_FIXTURES }, () => {
  it('parse as events with all their markets', () => {
    for (const name of [
      'gamma_event.json',
      'http_event.json',
      'http_events_list.json',
      'search_response.json',
    ]) {
      for (const value of listed(readJsonFixture(`market/${name}`))) {
        const event = readListedEvent(value);
        assert.ok(event, name);
        assert.equal(event.unreadableMarkets, 0, name);
        assert.ok(event.markets.length > 0, name);
      }
    }
  });

  it('parse as markets with both tokens, prices and fees', () => {
    for (const name of [
      'gamma_market.json',
      'gamma_market_closed_binary_accepting_false.json',
      'gamma_markets_list.json',
    ]) {
      for (const value of [readJsonFixture(`market/${name}`)].flat()) {
        const market = readListedMarket(value);
        assert.ok(market, name);
        assert.equal(market.tokenIds.length, 2, name);
        assert.equal(market.outcomePrices.length, 2, name);
        if (name === 'gamma_markets_list.json')
          assert.deepEqual(market.feeSchedule, { rate: 0.05, exponent: 1 });
        if (name.includes('closed'))
          assert.deepEqual([market.isClosed, market.isAcceptingOrders], [true, false]);
      }
    }
  });

  it('parse as an up-or-down market', () => {
    const market = asRecord(readJsonFixture('market/gamma_market.json'))!;
    const event = { ...asRecord(asArray(market.events)![0]), markets: [market] };
    const crypto = parseCryptoMarket(readListedEvent(event)!)!;
    assert.deepEqual([crypto.asset, crypto.marketType, crypto.interval], ['BTC', 'updown', '5m']);
    assert.equal(crypto.endTs - crypto.startTs, 300_000);
    assert.deepEqual(
      crypto.tokens.map(({ label }) => label),
      ['Up', 'Down'],
    );
  });

  it('parse as books with best bid below best ask', () => {
    const expected: Record<string, number[]> = {
      'http_book.json': [0.1, 0.14],
      'clob_book_response.json': [0.5, 0.51],
      'ws_market_book_msg.json': [0.5, 0.51],
    };
    for (const [name, prices] of Object.entries(expected)) {
      const quote = quoteOfBook(readBook(readJsonFixture(`market/${name}`))!, 0);
      assert.deepEqual([quote.bid, quote.ask], prices, name);
    }
  });

  it('parse as stream messages', () => {
    const kinds = listFixtures('market/ws_*.json').map((name) => {
      const messages = readBookMessages(readJsonFixture(name));
      return messages.map(({ kind }) => kind).join();
    });
    assert.deepEqual(kinds.sort(), ['book', 'changes', 'resolved', 'trade']);
  });

  it('in protocol version 2 parse as an event with open buckets, traded by position id', async () => {
    const shape = readJsonFixture('market/gamma_event_v2_documented_shape.json');
    const { http, clock } = scriptHttp({ '/events/keyset': { events: [shape] } });
    const scope = { seriesSlugs: ['elon-tweets'], tagId: '972', slugPrefix: null };
    const source = createMarketSource({ account: ACCOUNT, scope, gamma: http, data: http, clock });
    const { events, quotes, alarms, rejected } = await source.fetchEvents([], never());
    assert.deepEqual([alarms, rejected], [[], []]);
    assert.deepEqual(events[0]!.window, {
      startTs: Date.UTC(2026, 10, 10, 17),
      endTs: Date.UTC(2026, 10, 17, 17),
    });
    const wires = asArray(asRecord(shape)!.markets)!.map((market) => asRecord(market)!.positionIds);
    assert.deepEqual(
      events[0]!.buckets.map(({ isOpen, yesTokenId, noTokenId }) => [isOpen, [yesTokenId, noTokenId]]),
      wires.map((ids) => [true, ids]),
    );
    assert.equal(quotes.length, wires.length);
  });

  it('with version 1 positions are rejected completely, not parsed in part', async () => {
    const { http } = scriptHttp({
      '/v2/positions': readJsonFixture('market/data_api_positions_response.json'),
    });
    const source = createWalletSource(http);
    await assert.rejects(source.fetchPositions(`0x${'1'.repeat(40)}`, never()), /not a page of positions/);
  });

  it('parse as reference price frames', () => {
    const read = (name: string) => readPriceMessage(readJsonFixture(`market/polybolt_${name}_docs.json`));
    assert.deepEqual(read('auth_required'), {
      kind: 'error',
      code: 'auth_required',
      channel: 'price.crypto',
      detail: null,
    });
    const newest = (['snapshot', 'update'] as const).map((name) => {
      const frame = read(name);
      assert.ok(frame?.kind === 'prices', name);
      return parseReferencePrice(frame, frame.points.at(-1)!, frame.points.at(-1)!.ts);
    });
    assert.deepEqual(
      newest.map((price) => [price!.asset, price!.price, price!.source]),
      [
        ['BTC', 64_125.1, 'pyth-spot'],
        ['BTC', 64_126, 'pyth-spot'],
      ],
    );
  });
});
