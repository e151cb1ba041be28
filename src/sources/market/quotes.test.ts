import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTurn, json, never, scriptHttp, scriptSockets } from '../../../test/support/scripted-sources.ts';
import type { Quote } from '../../domain/quote.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { createQuoteSource } from './quote-client.ts';

const book = (token: string, fields: object = {}) => ({
  event_type: 'book',
  asset_id: token,
  market: '0x1',
  bids: [
    { price: '0.01', size: '1000' },
    { price: '0.1', size: '125' },
  ],
  asks: [
    { price: '0.98', size: '5000' },
    { price: '0.14', size: '705' },
  ],
  ...fields,
});

function open(replies: Parameters<typeof scriptHttp>[0] = {}) {
  const scripted = scriptHttp(replies);
  const sockets = scriptSockets();
  const source = createQuoteSource({
    clob: scripted.http,
    streamUrl: 'ws://upstream/ws/market',
    createSocket: sockets.create,
    clock: scripted.clock,
  });
  return { ...scripted, sockets, source };
}

function listen(tokens: string[], signal = never()) {
  const opened = open();
  const quotes: Quote[] = [];
  const resolved: string[] = [];
  const stream = opened.source.openQuoteStream(
    tokens,
    {
      onQuote: (quote) => quotes.push(quote),
      onResolved: ({ winningTokenId }) => resolved.push(winningTokenId),
    },
    signal,
  );
  return { ...opened, quotes, resolved, stream };
}

const best = (quote: Quote | undefined) =>
  quote && [quote.bid, quote.bidShares, quote.ask, quote.askShares, quote.lastTradePrice];

describe('books over REST', () => {
  it('yield the highest bid and the lowest ask, although levels arrive worst first', async () => {
    const { source, asked } = open({ '/books': [book('11'), book('stranger'), { asset_id: '12' }] });
    const problems: string[] = [];
    const quotes = await source.fetchQuotes(['11', '12', '', '11'], never(), (one) => problems.push(one));
    assert.deepEqual(problems, ['market: 2 of 3 books cannot be read (asset_id, bids, asks)']);
    assert.deepEqual(quotes.map(best), [[0.1, 125, 0.14, 705, null]]);
    assert.deepEqual(asked[0]!.body, [{ token_id: '11' }, { token_id: '12' }]);
  });

  // A client reported on 2026-10-02 that batch routes answer 'Invalid payload' to everything; the status is assumed.
  it('are requested one by one if the batch call is refused, which is remembered', async () => {
    const { source, asked, clock } = open({
      '/books': inTurn(() => json({ error: 'Invalid payload' }, 400), [book('11')]),
      '/book': inTurn(book('11'), () =>
        json({ error: 'No orderbook exists for the requested token id' }, 404),
      ),
    });
    assert.deepEqual(
      (await source.fetchQuotes(['11', '12'], never())).map(({ tokenId }) => tokenId),
      ['11'],
    );
    assert.match(source.restriction!()!, /400.*; books are read one by one/);
    await source.fetchQuotes(['11'], never());
    assert.equal(asked.filter(({ url }) => url.pathname === '/books').length, 1);
    clock.step(10 * MINUTE_MS);
    await source.fetchQuotes(['11'], never());
    assert.equal(source.restriction!(), null);
  });

  it('are requested at most 50 times a second', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => String(i + 1));
    const sentTs: number[] = [];
    const { source, clock } = open({
      '/books': () => json({ error: 'Invalid payload' }, 400),
      '/book': (url: URL) => {
        sentTs.push(clock.now());
        return json(book(url.searchParams.get('token_id')!));
      },
    });
    const [quotes] = await Promise.all([
      source.fetchQuotes(ids, never()).catch((error: Error) => error.message),
      clock.advanceAsync(5_000),
    ]);
    assert.equal(quotes.length, 120, String(quotes));
    assert.ok(sentTs.every((ts, i) => i < 50 || ts - sentTs[i - 50]! >= 1_000));
  });
});

describe('market stream', () => {
  it('subscribes, follows snapshot, changes and trades, and handles an emptied level', () => {
    const { sockets, quotes } = listen(['11']);
    const [socket] = sockets.made;
    socket!.emit('open');
    assert.deepEqual(socket!.sentJson()[0]!.assets_ids, ['11']);
    socket!.push([book('11')]);
    assert.deepEqual(best(quotes.at(-1)), [0.1, 125, 0.14, 705, null]);
    const change = (price: string, size: string, side: string, rest: object = {}) =>
      socket!.push({
        event_type: 'price_change',
        price_changes: [{ asset_id: '11', price, size, side, ...rest }],
      });
    change('0.12', '40', 'BUY');
    assert.deepEqual(best(quotes.at(-1)), [0.12, 40, 0.14, 705, null]);
    change('0.12', '0', 'BUY');
    assert.deepEqual(best(quotes.at(-1)), [0.1, 125, 0.14, 705, null]);
    change('0.13', '9', 'SELL', { best_bid: '0.1', best_ask: '0.13' });
    assert.deepEqual(best(quotes.at(-1)), [0.1, 125, 0.13, 9, null]);
    socket!.push({ event_type: 'last_trade_price', asset_id: '11', price: '0.13', size: '9' });
    assert.deepEqual(best(quotes.at(-1)), [0.1, 125, 0.13, 9, 0.13]);
  });

  it('keeps a quote when a trade arrives before the snapshot', () => {
    const { sockets, quotes } = listen(['11']);
    sockets.made[0]!.emit('open');
    sockets.made[0]!.push({ event_type: 'last_trade_price', asset_id: '11', price: '0.5', size: '9' });
    assert.deepEqual(quotes, []);
  });

  it('reports a resolved market', () => {
    const { sockets, resolved } = listen(['11']);
    sockets.made[0]!.emit('open');
    sockets.made[0]!.push({ event_type: 'market_resolved', market: '0x1', winning_asset_id: '11' });
    assert.deepEqual(resolved, ['11']);
  });

  it('pings every ten seconds and ends when no data arrives, with or without heartbeats', async () => {
    const { sockets, stream, clock } = listen(['11']);
    const socket = sockets.made[0]!;
    socket.emit('open');
    for (let second = 0; second < 119; second++) {
      clock.advance(1_000);
      socket.push('PONG');
    }
    assert.equal(socket.sent.filter((text) => text === 'PING').length, 11);
    assert.equal(socket.isClosed, false);
    clock.advance(1_000);
    await assert.rejects(stream.ended, /no data for 120000 ms/);
    assert.equal(socket.isClosed, true);
  });

  it('is not kept alive by broadcasts or messages about other tokens', async () => {
    const { sockets, stream, clock, quotes } = listen(['11']);
    const socket = sockets.made[0]!;
    socket.emit('open');
    for (let second = 0; second < 119; second++) {
      clock.advance(1_000);
      socket.push({ event_type: 'new_market', market: '0x1', assets_ids: ['77', '78'] });
      socket.push(book('77'));
    }
    assert.deepEqual(quotes, []);
    clock.advance(1_000);
    await assert.rejects(stream.ended, /no data for 120000 ms/);
  });

  it('splits many tokens over connections, and ends when one is lost', async () => {
    const tokens = Array.from({ length: 301 }, (_, index) => String(index + 1));
    const { sockets, stream } = listen(tokens);
    assert.equal(sockets.made.length, 3);
    sockets.made[1]!.emit('close');
    await assert.rejects(stream.ended, /closed/);
    assert.ok(sockets.made.every((socket) => socket.isClosed));
  });

  it('subscribes to added tokens and drops removed ones', () => {
    const { sockets, stream } = listen(['11', '12']);
    sockets.made[0]!.emit('open');
    stream.setTokens(['12', '13']);
    const operations = sockets.made[0]!.sentJson()
      .slice(1)
      .map(({ operation, assets_ids }) => [operation, assets_ids]);
    assert.deepEqual(operations, [
      ['unsubscribe', ['11']],
      ['subscribe', ['13']],
    ]);
  });

  it('leaves no timer behind when a handler stops it', () => {
    const stop = new AbortController();
    const { sockets, clock } = open();
    const live = new Set<object>();
    const counting = {
      ...clock,
      after(delayMs: number, action: () => void) {
        const timer = {};
        live.add(timer);
        const cancel = clock.after(delayMs, action);
        return () => {
          live.delete(timer);
          cancel();
        };
      },
    };
    const counted = createQuoteSource({
      clob: scriptHttp({}).http,
      streamUrl: 'ws://upstream',
      createSocket: sockets.create,
      clock: counting,
    });
    counted.openQuoteStream(['11'], { onQuote: () => stop.abort() }, stop.signal);
    sockets.made[0]!.emit('open');
    assert.equal(live.size, 2);
    sockets.made[0]!.push(book('11'));
    assert.equal(live.size, 0);
  });

  describe('with tokens on two connections', () => {
    const tokens = Array.from({ length: 151 }, (_, i) => String(1_000 + i));
    const openTwo = async () => {
      const opened = listen(tokens);
      const [first, second] = opened.sockets.made;
      for (const socket of [first!, second!]) socket.emit('open');
      const isOver = { value: false };
      opened.stream.ended.catch(() => (isOver.value = true));
      /** The first connection has data every ten seconds. */
      const pass = async (times: number) => {
        for (let i = 0; i < times; i++) {
          first!.push(book(tokens[0]!));
          await opened.clock.advanceAsync(10_000);
        }
      };
      return { ...opened, first: first!, second: second!, isOver, pass };
    };

    it('reopens only the one on which nothing was traded for long', async () => {
      const { sockets, first, second, isOver, pass } = await openTwo();
      second.push(book(tokens[150]!));
      await pass(12);
      assert.deepEqual([isOver.value, first.isClosed, second.isClosed], [false, false, true]);
      sockets.made[2]!.emit('open');
      assert.deepEqual(sockets.made[2]!.sentJson()[0]!.assets_ids, [tokens[150]]);
    });

    it('ends if one never sent anything', async () => {
      const { isOver, pass } = await openTwo();
      await pass(12);
      assert.equal(isOver.value, true);
    });
  });

  it('ends quietly on abort', async () => {
    const stop = new AbortController();
    const { sockets, stream } = listen(['11'], stop.signal);
    stop.abort();
    await stream.ended;
    assert.equal(sockets.made[0]!.isClosed, true);
  });
});
