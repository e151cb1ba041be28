// Every payload in ../shared/fixtures goes through the parser it is meant for. They are not part of the project:
// where they are absent, the tests say so and are skipped.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isSameWindow } from '../src/domain/count-window.ts';
import { parseWindowSlug, parseWindowText } from '../src/domain/count-window-text.ts';
import { MARKET_TIME_ZONE } from '../src/domain/zoned-time.ts';
import { parseCryptoMarket } from '../src/sources/crypto/parse.ts';
import { readBook, readBookMessages } from '../src/sources/market/book-wire.ts';
import { quoteOfBook } from '../src/sources/market/books.ts';
import { readListedEvent, readListedMarket } from '../src/sources/market/wire.ts';
import { parseOraclePosts, parseTracking, parseTrackings } from '../src/sources/oracle/parse.ts';
import { parseOracleExport } from '../src/sources/oracle/parse-export.ts';
import { readEnvelope } from '../src/sources/oracle/wire.ts';
import { SNOWFLAKE_IDS, statusIdTs } from '../src/sources/status-id.ts';
import { parsePositions } from '../src/sources/wallet/parse.ts';
import { asArray, asRecord } from '../src/sources/wire-reader.ts';

const ROOT = join(import.meta.dirname, '..', '..', 'shared', 'fixtures');

function readFixture(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

function readJson(name: string): unknown {
  return JSON.parse(readFixture(name));
}

function whenPresent(test: (t: TestContext) => void): (t: TestContext) => void {
  return (t) => (existsSync(ROOT) ? test(t) : t.skip('../shared is absent'));
}

function listed(value: unknown): unknown[] {
  const list = asArray(value) ?? asArray(asRecord(value)?.events) ?? [value];
  return [...list];
}

describe('payloads of the market', () => {
  it(
    'are read as events with every one of their markets',
    whenPresent(() => {
      for (const name of [
        'gamma_event.json',
        'http_event.json',
        'http_events_list.json',
        'search_response.json',
      ]) {
        for (const value of listed(readJson(`market/${name}`))) {
          const event = readListedEvent(value);
          assert.ok(event, name);
          assert.equal(event.unreadableMarkets, 0, name);
          assert.ok(event.markets.length > 0, name);
        }
      }
    }),
  );

  it(
    'are read as markets with both tokens, prices and fees',
    whenPresent(() => {
      for (const name of [
        'gamma_market.json',
        'gamma_market_closed_binary_accepting_false.json',
        'gamma_markets_list.json',
      ]) {
        for (const value of [readJson(`market/${name}`)].flat()) {
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
    }),
  );

  it(
    'are read as an up-or-down market',
    whenPresent(() => {
      const market = asRecord(readJson('market/gamma_market.json'))!;
      const event = { ...asRecord(asArray(market.events)![0]), markets: [market] };
      const crypto = parseCryptoMarket(readListedEvent(event)!)!;
      assert.deepEqual([crypto.asset, crypto.marketType, crypto.interval], ['BTC', 'updown', '5m']);
      assert.equal(crypto.endTs - crypto.startTs, 300_000);
      assert.deepEqual(
        crypto.tokens.map(({ label }) => label),
        ['Up', 'Down'],
      );
    }),
  );

  it(
    'are read as books with best bid below best ask',
    whenPresent(() => {
      const expected: Record<string, number[]> = {
        'http_book.json': [0.1, 0.14],
        'clob_book_response.json': [0.5, 0.51],
        'ws_market_book_msg.json': [0.5, 0.51],
      };
      for (const [name, prices] of Object.entries(expected)) {
        const quote = quoteOfBook(readBook(readJson(`market/${name}`))!, 0);
        assert.deepEqual([quote.bid, quote.ask], prices, name);
      }
    }),
  );

  it(
    'are read as messages of the stream',
    whenPresent(() => {
      const kinds = globSync(join(ROOT, 'market/ws_*.json'))
        .sort()
        .map((path) => {
          const messages = readBookMessages(readJson(`market/${basename(path)}`));
          return messages.map(({ kind }) => kind).join();
        });
      assert.deepEqual(kinds.sort(), ['book', 'changes', 'resolved', 'trade']);
    }),
  );

  it(
    'are read as positions, empty ones and other outcomes than Yes and No left out',
    whenPresent(() => {
      const values = asArray(readJson('market/data_api_positions_response.json'))!;
      const positions = parsePositions(values, '0x1');
      const full = values.filter((value) => {
        const { size, outcome } = asRecord(value)!;
        return Number(size) > 0 && (outcome === 'Yes' || outcome === 'No');
      });
      assert.equal(positions.length, full.length);
    }),
  );
});

describe('payloads of the oracle', () => {
  const zone = MARKET_TIME_ZONE;

  it(
    'are read as trackings, none skipped',
    whenPresent(() => {
      for (const path of globSync(join(ROOT, 'oracle/user_*_trackings_list.json'))) {
        const values = asArray(readEnvelope(JSON.parse(readFileSync(path, 'utf8'))))!;
        const { trackings, skipped } = parseTrackings(values);
        assert.deepEqual([trackings.length, skipped], [values.length, []]);
      }
      for (const [file, count] of [
        ['complete_2026-04-17_24', 204],
        ['inprogress_2026-04-21_28', 98],
      ] as const) {
        const name = globSync(join(ROOT, `oracle/tracking_*_${file}.json`))[0]!;
        assert.equal(parseTracking(readEnvelope(JSON.parse(readFileSync(name, 'utf8'))))!.count, count);
      }
    }),
  );

  it(
    'state in title and slug the window that they track, but for two that the oracle has wrong',
    whenPresent(() => {
      let wrong = 0;
      let compared = 0;
      for (const path of globSync(join(ROOT, 'oracle/user_*_trackings_list.json'))) {
        const values = asArray(readEnvelope(JSON.parse(readFileSync(path, 'utf8'))))!;
        for (const tracking of parseTrackings(values).trackings) {
          const options = { timeZone: zone, nearEndTs: tracking.window.endTs };
          const windows = [
            parseWindowText(tracking.title, options),
            tracking.marketSlug === null ? tracking.window : parseWindowSlug(tracking.marketSlug, options),
          ];
          compared += 1;
          wrong += windows.every((window) => window && isSameWindow(window, tracking.window)) ? 0 : 1;
        }
      }
      assert.ok(compared > 100);
      assert.equal(wrong, 2);
    }),
  );

  it(
    'are read as posts',
    whenPresent(() => {
      const values = asArray(
        readEnvelope(
          readJson(basename(globSync(join(ROOT, 'oracle/posts_*.json'))[0]!).replace(/^/, 'oracle/')),
        ),
      )!;
      const posts = parseOraclePosts(values);
      assert.equal(posts.length, values.length);
      assert.equal(posts.filter((post) => post.isRetweet).length, 3);
    }),
  );

  it(
    'are read as an export whose times are those of the post ids',
    whenPresent(() => {
      const { rows, badLines } = parseOracleExport(readFixture('oracle/export_sample.csv'));
      assert.deepEqual(badLines, []);
      assert.ok(rows.length > 50);
      for (const row of rows) {
        const idTs = statusIdTs(row.postId, SNOWFLAKE_IDS)!;
        assert.ok(Math.abs(idTs - row.createdTs) <= 1_000, row.postId);
        assert.ok(row.importedTs! >= row.createdTs);
      }
    }),
  );
});
