// Exports simulated data while the service runs, reads it with DuckDB and compares it with the API.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { DATASETS } from '../../src/cli/commands/export.ts';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';
import { runCommand } from '../support/run-command.ts';

let service: BootedService;
let key: string;
let untilTs: number;

before(async () => {
  service = await bootService({ until: 'forecasts' });
  await waitUntil(() => !service.app.board.find('a')!.isPastMissing);
  key = await service.issueKey('INTERNAL');
  untilTs = service.app.board.find('a')!.recentPosts[0]!.firstSeenTs + 1;
});
after(() => service.stop());

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${service.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

async function exportTo(name: string, dataset: string, ...more: string[]): Promise<string> {
  const file = join(service.dataDir, name);
  const ran = await runCommand(['export', dataset, file, '--data-dir', service.dataDir, ...more]);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.err, new RegExp(`^${dataset}: [1-9]\\d* rows in `));
  return file;
}

/** Converts times to milliseconds and integers to numbers. */
async function query(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
  connection.closeSync();
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, toPlain(v)])));
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Date ? value.getTime() : value;
}

interface Tweet {
  tweet_id: string;
  created_ts: number;
  is_reply: boolean;
  is_quote: boolean;
  is_retweet: boolean;
  is_counted: boolean;
  is_deleted: boolean;
}

interface Point {
  timestamp: number;
  real_counter: number;
  market_oracle_counter: number | null;
  forecast: { p5: number; p50: number; p95: number };
  model_probs: number[];
  market_prices: (number | null)[];
}

async function readReal(eventId: number): Promise<number> {
  const { data } = await ask<{ data: { event_id: number; real_counter: number }[] }>('/meta/account_a');
  return data.find(({ event_id }) => event_id === eventId)!.real_counter;
}

const round6 = (value: number) => Math.round(value * 1e6) / 1e6;

describe('tallycast export', () => {
  it('writes a month of posts as Parquet that DuckDB reads with the same values as the API', async () => {
    const file = await exportTo('posts.parquet', 'posts', '--account', 'a', '--to', String(untilTs));
    const rows = await query(`select * from '${file}' order by created_ts desc, tweet_id desc`);
    assert.ok(rows.length > 300);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(Object.keys(rows[0]!), Object.keys(DATASETS.posts!.columns));
    const listed: Tweet[] = [];
    while (listed.length < rows.length) {
      const page = await ask<{ data: Tweet[] }>(`/meta/account_a/tweets?limit=100&offset=${listed.length}`);
      listed.push(...page.data);
    }
    const known = new Map(listed.map((tweet) => [tweet.tweet_id, tweet]));
    for (const row of rows) {
      const { text: _, ...tweet } = known.get(String(row.tweet_id)) as Tweet & { text: string };
      const names = ['tweet_id', 'created_ts', 'is_reply', 'is_quote', 'is_retweet', 'is_counted'];
      const exported = Object.fromEntries(names.map((name) => [name, row[name]]));
      assert.deepEqual({ ...exported, is_deleted: row.deleted_ts !== null }, tweet);
      assert.ok(Number(row.first_seen_ts) >= Number(row.created_ts));
    }
  });

  it("writes one event's forecasts and counts exactly as in its history", async () => {
    const { event } = service.app.board.find('a')!.events.find(({ forecast }) => forecast !== null)!;
    const range = { fromTs: 0, untilTs: 9e15, limit: 1, isHourly: false };
    const { forecasts } = service.app.store;
    await waitUntil(async () => (await forecasts.listPoints(event.eventId, range)).length > 0);
    const scope = ['--event', String(event.eventId)];
    const file = await exportTo('forecasts.parquet', 'forecasts', ...scope);
    const { data } = await ask<{ data: { points: Point[] } }>(
      `/history/account_a/${event.eventId}?step=all&limit=1000`,
    );
    const rows = await query(`select * from '${file}'`);
    const labels = event.buckets.map(({ label }) => label);
    for (const point of data.points.filter(({ timestamp }) => timestamp <= Number(rows.at(-1)!.asof_ts))) {
      const own = rows.filter((row) => row.asof_ts === point.timestamp);
      assert.deepEqual(
        own.map(({ bucket }) => bucket),
        labels,
      );
      assert.deepEqual(
        own.map((row) => round6(Number(row.model_probability))),
        point.model_probs,
      );
      assert.deepEqual(
        own.map((row) => row.market_price),
        point.market_prices,
      );
      const [{ count_so_far, p5, p50, p95 }] = own as [Record<string, unknown>];
      assert.deepEqual(
        { count_so_far, p5, p50, p95 },
        { count_so_far: point.real_counter, ...point.forecast },
      );
    }
    const realBefore = await readReal(event.eventId);
    const counts = await query(`select * from '${await exportTo('counts.parquet', 'counts', ...scope)}'`);
    const last = data.points.at(-1)!;
    const standing = (source: string) =>
      counts.findLast((row) => row.source === source && Number(row.observed_ts) <= last.timestamp)?.count;
    assert.equal(standing('oracle'), last.market_oracle_counter);
    const own = counts.findLast((row) => row.source === 'own')?.count;
    assert.ok(Number(own) >= realBefore && Number(own) <= (await readReal(event.eventId)));
  });

  it('writes every stored price', async () => {
    const { event } = service.app.board.find('a')!.events[0]!;
    const { quotes } = service.app.store;
    const tokenIds = event.buckets.map(({ yesTokenId }) => yesTokenId);
    await waitUntil(async () => (await quotes.latest(tokenIds)).length > 0);
    const lastTs = Math.max(...(await quotes.latest(tokenIds)).map(({ observedTs }) => observedTs));
    const scope = ['--event', String(event.eventId), '--to', String(lastTs + 1)];
    const file = await exportTo('prices.parquet', 'prices', ...scope);
    const rows = await query(`select * from '${file}' where side = 'yes'`);
    for (const [tokenId, own] of Map.groupBy(rows, (row) => String(row.token_id))) {
      const range = { fromTs: 0, untilTs: lastTs + 1, limit: 9_999 };
      const stored = await quotes.listRange(tokenId, range);
      assert.deepEqual(
        own.map(({ observed_ts, bid, ask, bid_shares, ask_shares }) => [
          ...[observed_ts, bid, ask, bid_shares, ask_shares],
        ]),
        stored.map(({ observedTs, bid, ask, bidShares, askShares }) => [
          ...[observedTs, bid, ask, bidShares, askShares],
        ]),
      );
    }
  });

  it('writes CSV that `tallycast import` accepts', async () => {
    const columns = 'tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted';
    const file = await exportTo('history.csv', 'posts', '--account', 'b', '--columns', columns);
    assert.equal(readFileSync(file, 'utf8').split('\r\n')[0], columns);
    const folder = join(service.dataDir, 'other');
    const ran = await runCommand(['import', file, '--account', 'b', '--json', '--data-dir', folder]);
    const { imported, lines_read, bad_line_count } = JSON.parse(ran.out);
    assert.deepEqual([imported, bad_line_count], [lines_read, 0]);
  });

  it('reports an invalid argument and leaves no file behind', async () => {
    const fails = async (args: string[], message: RegExp) => {
      const { code, err } = await runCommand(['export', ...args, '--data-dir', service.dataDir]);
      assert.equal(code, 2, err);
      assert.match(err, message);
    };
    await fails([], /posts\|prices\|counts.* is missing/);
    await fails(['tweets'], /"tweets" cannot be exported; choose one of posts/);
    await fails(['posts', '--from', 'soon'], /--from: "soon" is not a time/);
    await fails(['posts', '--from', '2026-01-02', '--to', '2026-01-01'], /--to must be after --from/);
    await fails(['posts', '--account', 'z'], /--account must be one of a, b/);
    await fails(['posts', '--columns', 'text'], /--columns: "text" is not a column; columns are tweet_id/);
    await fails(['posts', '--format', 'xlsx'], /--format must be csv or parquet, not "xlsx"/);
    await fails(['posts', '--format', 'parquet'], /FILE is missing/);
    await fails(['prices', '--event', '1'], /--event 1 is not in this store/);
    await fails(['posts', join(service.dataDir, 'history.csv')], /history\.csv exists\. Pass --force/);
    assert.ok(!existsSync(join(service.dataDir, 'history.csv.part')));
  });

  it('has documentation for every column', () => {
    const page = readFileSync('docs/export.md', 'utf8');
    for (const [name, { columns }] of Object.entries(DATASETS)) {
      const section = page.split(`\n### ${name}\n`)[1]?.split('\n#')[0] ?? '';
      for (const column of Object.keys(columns))
        assert.ok(section.includes(`\`${column}\``), `${name}.${column}`);
    }
  });
});
