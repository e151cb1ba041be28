// The market's two published clients, both unmodified, read markets, books, price histories and positions.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { ClobClient, PriceHistoryInterval, Side } from '@polymarket/clob-client-v2';
import { WebSocket } from 'ws';
import { type OpenExchange, openExchange } from '../exchange/open-exchange.ts';
import { createJudge } from './judge.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
type Json = any;

const judge = createJudge();
let open: OpenExchange;
before(async () => {
  open = await openExchange();
});
after(async () => {
  await open.server.close();
  judge.verdict("the market's clients, reading");
});

const refs = () => [open.negRisk, open.plain];

/** The client returns errors instead of throwing them. */
function read(
  what: string,
  ask: () => Promise<Json>,
  look: (answer: Json) => void | Promise<void>,
): Promise<void> {
  return judge.check(what, async () => {
    const answer = await ask();
    assert.equal(answer?.error, undefined, what);
    await look(answer);
  }) as Promise<void>;
}

describe('@polymarket/clob-client-v2', () => {
  const connect = () => new ClobClient({ host: open.server.urls.clob, chain: 137 });

  it('reads markets, one by one and page by page', async () => {
    const client = connect();
    for (const { market } of refs()) {
      await read(
        'getMarket',
        () => client.getMarket(market.conditionId),
        ({ tokens }) =>
          assert.deepEqual(
            tokens.map((token: Json) => token.token_id),
            market.tokenIds,
          ),
      );
    }
    const ids = new Set<string>();
    for (let cursor: string | undefined; cursor !== 'LTE='; ) {
      await read(
        'getMarkets',
        () => client.getMarkets(cursor),
        ({ data, next_cursor, count }) => {
          assert.equal(data.length, count);
          for (const { condition_id } of data) ids.add(condition_id);
          cursor = next_cursor;
        },
      );
    }
    for (const { market } of refs()) assert.ok(ids.has(market.conditionId));
  });

  it('reads books with the hash that it computes itself', async () => {
    const client = connect();
    for (const { market } of refs()) {
      const [tokenId] = market.tokenIds;
      await read(
        'getOrderBook',
        () => client.getOrderBook(tokenId),
        async (book) => {
          const { hash } = book;
          assert.equal(await client.getOrderBookHash(book), hash);
        },
      );
    }
    const params = refs().map(({ market }) => ({ token_id: market.tokenIds[0], side: Side.BUY }));
    await read(
      'getOrderBooks',
      () => client.getOrderBooks(params),
      ({ length }) => assert.equal(length, 2),
    );
  });

  it('reads price histories, and gets an error for a range over 15 days', async () => {
    const client = connect();
    const [market] = open.negRisk.market.tokenIds;
    const nowS = Math.floor(Date.now() / 1000);
    await read(
      'getPricesHistory',
      () => client.getPricesHistory({ market, interval: PriceHistoryInterval.ONE_DAY, fidelity: 60 }),
      ({ history }) => assert.ok(history.every(({ t, p }: Json) => Number.isInteger(t) && p >= 0 && p <= 1)),
    );
    const long: Json = await client.getPricesHistory({ market, startTs: nowS - 16 * 86_400, endTs: nowS });
    assert.match(JSON.stringify(long), /interval is too long/);
  });
});

describe('a pushed book, checked by @polymarket/clob-client-v2', () => {
  it('has the same hash as the book that a request would return', async () => {
    const client = new ClobClient({ host: open.server.urls.clob, chain: 137 });
    const { tokenIds } = open.negRisk.market;
    const book: Json = await client.getOrderBook(tokenIds[0]);
    const socket = new WebSocket(open.server.urls.marketWs);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'market', assets_ids: [tokenIds[0]], initial_dump: true }));
    const [data] = await once(socket, 'message');
    socket.close();
    const [pushed] = JSON.parse(String(data));
    // Pushed books omit some fields of requested books; with these added, the client computes the same hash.
    const { event_type: _, ...levels } = pushed;
    assert.equal(await client.getOrderBookHash({ ...book, ...levels }), pushed.hash);
  });
});
