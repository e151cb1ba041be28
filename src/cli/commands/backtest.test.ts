import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import type { FileAccess } from '../files.ts';
import { runBacktest } from './backtest.ts';
import { forecastFromFile } from './forecast.ts';

const HEADER = 'tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted';
const START_TS = Date.UTC(2025, 0, 1);

function syntheticRows(days: number): string[] {
  const random = createRandom(3);
  const rows: { ts: number; line: string }[] = [];
  for (let h = 0; h < days * 24; h++) {
    const perHour = 1.2 * Math.exp(0.5 * Math.sin(h / 160));
    for (let k = 0; k < 4; k++) {
      if (random.uniform() > perHour / 4) continue;
      const ts = START_TS + h * HOUR_MS + Math.floor(random.uniform() * HOUR_MS);
      rows.push({ ts, line: `${rows.length + 1},${ts},${k === 3 ? 1 : 0},,,` });
    }
  }
  return rows.sort((a, b) => a.ts - b.ts).map((row) => row.line);
}

function memoryIo(files: Record<string, string>) {
  const out = { printed: '', told: '', files };
  const io: FileAccess = {
    readText: (path) => files[path]!,
    writeText: (path, text) => {
      files[path] = text;
    },
    print: (text) => {
      out.printed += text;
    },
    tell: (text) => {
      out.told += text;
    },
  };
  return { out, io };
}

const rows = syntheticRows(75);
const csv = [HEADER, ...rows].join('\n');

describe('backtest command', () => {
  const { out, io } = memoryIo({ 'posts.csv': csv });
  runBacktest(
    [
      ...['--posts', 'posts.csv', '--from', '2025-02-20', '--to', '2025-03-10', '--leads', '6,24,168'],
      ...['--ndjson', 'rows.ndjson', '--report', 'report'],
    ],
    io,
  );
  const lines = out.files['rows.ndjson']!.trim()
    .split('\n')
    .map((line) => JSON.parse(line));

  it('scores every window with start >= from and end <= to, at every lead', () => {
    // Noons of 20 February to 2 March start a window that ends by midnight of 10 March.
    assert.equal(lines.length, 11 * 3);
    for (const line of lines) assert.equal(line.end_ts - line.asof_ts, line.lead_h * HOUR_MS);
  });

  it('writes a distribution that sums to 1 and contains its percentiles', () => {
    for (const line of lines) {
      const total = line.pmf.reduce((sum: number, p: number) => sum + p, 0);
      assert.ok(Math.abs(total - 1) < 1e-6);
      assert.ok(line.p5 <= line.p50 && line.p50 <= line.p95);
      assert.ok(line.pmf_from >= line.count_so_far);
    }
  });

  it('is reproduced to the last digit by a forecast without future data', () => {
    for (const line of [lines[0], lines[16], lines.at(-1)]) {
      const cut = [HEADER, ...rows.filter((row) => Number(row.split(',')[1]) <= line.asof_ts)].join('\n');
      const single = memoryIo({ 'cut.csv': cut });
      const args = [
        ...['--posts', 'cut.csv', '--start', String(line.start_ts)],
        ...['--end', new Date(line.end_ts).toISOString(), '--asof', String(line.asof_ts)],
      ];
      forecastFromFile([...args, '--json'], single.io);
      const { final, ...expected } = line;
      assert.equal(typeof final, 'number');
      assert.deepEqual(JSON.parse(single.out.printed), expected);
    }
  });

  it('prints members and baselines in one table, and progress separately', () => {
    for (const name of [
      'tallycast',
      'pace-poisson',
      'pace-nb',
      'climatology',
      'rolling14-nb',
      'seasonal-naive',
    ]) {
      assert.match(out.printed, new RegExp(`^${name} `, 'm'));
    }
    assert.match(out.told, /33\/33/);
  });

  it('writes a self-contained report', () => {
    const page = out.files['report/index.html']!;
    assert.match(page, /<svg/);
    assert.doesNotMatch(page, /<script|https?:\/\//);
  });

  it('describes the tested data on the page, in both themes and on a phone', () => {
    const page = out.files['report/index.html']!;
    assert.match(page, /<title>Backtest: account a, \d+ 7-day windows/);
    assert.match(page, /<dt>Data<\/dt><dd>posts\.csv: \d+ posts, \d+ of them counted<\/dd>/);
    assert.match(page, /<dt>Tested on<\/dt><dd>windows from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
    assert.match(page, /name="viewport" content="width=device-width/);
    assert.match(page, /prefers-color-scheme:dark/);
    for (const axis of ['hours before the end', 'skill, percent', 'probability stated', 'posts'])
      assert.ok(page.includes(`>${axis}</text>`), axis);
  });

  it('prints a summary unless the distribution is requested', () => {
    const line = lines[0];
    const single = memoryIo({ 'posts.csv': [HEADER, ...rows].join('\n') });
    forecastFromFile(
      [
        ...['--posts', 'posts.csv', '--start', String(line.start_ts)],
        ...['--end', String(line.end_ts), '--asof', String(line.asof_ts)],
      ],
      single.io,
    );
    const { printed } = single.out;
    assert.match(printed, new RegExp(`^so far +${line.count_so_far} posts$`, 'm'));
    assert.ok(printed.includes(`${line.p50} at the median; nine in ten between ${line.p5} and ${line.p95}`));
    const shares = [...printed.matchAll(/ (\d+\.\d) %/g)].map(([, share]) => Number(share));
    assert.ok(shares.length >= 4 && shares.length <= 14, String(shares.length));
    const total = shares.reduce((sum, share) => sum + share, 0);
    assert.ok(total > 98 && total < 101, String(total));
  });

  it('reports errors in the command line or the file', () => {
    assert.throws(() => runBacktest(['--posts', 'posts.csv', '--window', '9w'], io), /--window 9w/);
    assert.throws(() => runBacktest([], io), /--posts is missing/);
    const broken = memoryIo({ 'posts.csv': `${HEADER}\n1,soon,,,,\n2,1713484900621,,,,` });
    assert.throws(() => runBacktest(['--posts', 'posts.csv'], broken.io), /line 2: created_ts/);
  });
});
