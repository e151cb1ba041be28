import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { memoryIo } from '../memory-files.test-support.ts';
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

const rows = syntheticRows(75);
const csv = [HEADER, ...rows].join('\n');

it('refuses a file with posts of several accounts', () => {
  const [first, second] = rows as [string, string];
  const both = [`${HEADER},account_id`, `${first},a`, `${second},b`].join('\n');
  const { io } = memoryIo({ 'both.csv': both });
  assert.throws(() => runBacktest(['--posts', 'both.csv'], io), /several accounts \(a, b\)/);
});

describe('backtest command', () => {
  const { out, io } = memoryIo({ 'posts.csv': csv });
  runBacktest(
    [
      ...['--posts', 'posts.csv', '--from', '2025-02-20', '--to', '2025-03-10', '--leads', '6,24,168'],
      ...['--ndjson', 'rows.ndjson'],
    ],
    io,
  );
  const lines = out.files['rows.ndjson']!.trim()
    .split('\n')
    .map((line) => JSON.parse(line));

  it('scores every window with start >= from and end <= to, at every lead time', () => {
    // Windows that start at noon from 20 February to 2 March end by midnight on 10 March.
    assert.equal(lines.length, 11 * 3);
    for (const line of lines) assert.equal(line.end_ts - line.asof_ts, line.lead_h * HOUR_MS);
  });

  it('writes a distribution that sums to 1 and matches its percentiles', () => {
    for (const line of lines) {
      const total = line.pmf.reduce((sum: number, p: number) => sum + p, 0);
      assert.ok(Math.abs(total - 1) < 1e-6);
      assert.ok(line.p5 <= line.p50 && line.p50 <= line.p95);
      assert.ok(line.pmf_from >= line.count_so_far);
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
    assert.match(out.reported, /33\/33/);
    assert.match(out.reported, /^posts\.csv: columns: tweet_id, created_ts, /);
  });

  it('starts the output with the winner and its interval at each lead time', () => {
    const verdicts = out.printed.match(/^.*(?:beats|Undecided).*\(90%: .*\)\.$/gm) ?? [];
    assert.equal(verdicts.length, 3);
    assert.ok(out.printed.indexOf(verdicts[0]!) < out.printed.indexOf('lead 6 h'));
  });

  it('gives the same result for a file with different headers and ISO times', () => {
    const iso = rows.map((row) => {
      const [id, ts, reply] = row.split(',');
      return `${new Date(Number(ts)).toISOString()},${id},${reply}`;
    });
    const other = memoryIo({ 'posts.csv': ['when,id,reply', ...iso].join('\n') });
    const [start] = lines;
    const args = [
      ...['--posts', 'posts.csv', '--columns', 'created_ts=when', '--start', String(start.start_ts)],
      ...['--end', String(start.end_ts), '--asof', String(start.asof_ts), '--json'],
    ];
    forecastFromFile(args, other.io);
    assert.equal(JSON.parse(other.out.printed).p50, start.p50);
    assert.match(other.out.reported, /created_ts from "when"/);
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
    assert.ok(printed.includes(`${line.p50} median, 90% between ${line.p5} and ${line.p95}`));
    const shares = [...printed.matchAll(/ (\d+\.\d) %/g)].map(([, share]) => Number(share));
    assert.ok(shares.length >= 4 && shares.length <= 14, String(shares.length));
    const total = shares.reduce((sum, share) => sum + share, 0);
    assert.ok(total > 98 && total < 101, String(total));
  });

  it('reports errors in the arguments and in the file', () => {
    assert.throws(() => runBacktest(['--posts', 'posts.csv', '--window', '9w'], io), /--window 9w/);
    assert.throws(() => runBacktest([], io), /--posts is missing/);
    const broken = memoryIo({ 'posts.csv': `${HEADER}\n1,soon,,,,\n2,1713484900621,,,,` });
    assert.throws(() => runBacktest(['--posts', 'posts.csv'], broken.io), /line 2: created_ts/);
  });
});

describe('backtest --as-seen', () => {
  const CUT_TS = Date.UTC(2025, 1, 27, 17);
  /** One window starting 24 February; posts from the six hours before the cut were first seen a day late. */
  const isLate = (ts: number) => ts > CUT_TS - 6 * HOUR_MS && ts <= CUT_TS;
  const seen = rows.map((row) => {
    const [id, ts, isReply] = row.split(',') as [string, string, string];
    const seenTs = Number(ts) + (isLate(Number(ts)) ? 24 * HOUR_MS : 500);
    return `${id},${ts},${isReply},,,,${seenTs},${Number(ts) + HOUR_MS}`;
  });
  const header = `${HEADER},first_seen_ts,oracle_imported_ts`;
  const columns = (text: string, count: number) =>
    text
      .split('\n')
      .map((line) => line.split(',').slice(0, count).join(','))
      .join('\n');

  function run(text: string, ...more: string[]) {
    const { out, io } = memoryIo({ 'posts.csv': text });
    const range = ['--from', '2025-02-24', '--to', '2025-03-04', '--starts', 'mon'];
    runBacktest(['--posts', 'posts.csv', ...range, '--leads', '96,48', '--ndjson', 'out', ...more], io);
    const lines = out.files.out!.trim().split('\n');
    return { ...out, steps: lines.map((line) => JSON.parse(line)) };
  }

  const text = [header, ...seen].join('\n');
  const plain = run(columns(text, 6)).steps;
  const { steps, printed } = run(columns(text, 7), '--as-seen');

  it('leaves a post out of forecasts made before it was first seen', () => {
    const [late48, late96] = [steps.find(isLead(48)), steps.find(isLead(96))];
    const [plain48, plain96] = [plain.find(isLead(48)), plain.find(isLead(96))];
    assert.ok(late96.count_so_far < plain96.count_so_far);
    assert.notDeepEqual(late96.pmf, plain96.pmf);
    assert.deepEqual(late48, plain48);
    assert.match(printed, /as seen: \d+ of \d+ posts were first seen more than a minute after/);
  });

  it('passes the oracle’s count at the time to the forecast if import times are known', () => {
    const withImports = run(text, '--as-seen').steps.find(isLead(48));
    assert.equal(withImports.count_so_far, plain.find(isLead(48)).count_so_far);
    assert.equal(withImports.final, plain.find(isLead(48)).final);
  });

  it('reports which column is missing', () => {
    assert.throws(
      () => run(columns(text, 6), '--as-seen'),
      /posts\.csv, line 1: missing column first_seen_ts/,
    );
  });
});

function isLead(hours: number) {
  return (step: { lead_h: number }) => step.lead_h === hours;
}
