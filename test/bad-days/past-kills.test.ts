// kill -9 twenty times while the service reads and recomputes past events: the record is the same as that of
// a service that was never killed. Prints the size of what is stored of the venue's past.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/units.ts';
import { type ChildService, startService, startSimulatorProcess } from '../roles/child-service.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';

/** Twenty kills take several minutes, so they run on request: PAST_KILLS=20. */
const KILLS = Number(process.env.PAST_KILLS ?? 0);
const MAX_LIFE_MS = 40_000;
/** The forecast needs 14 days of posts. */
const HISTORY_DAYS = 20;
const DEADLINE_MS = 600_000;
const STEADY_MS = 8_000;

let simulator: Awaited<ReturnType<typeof startSimulatorProcess>>;
const startedTs = Date.now();

before(async () => {
  simulator = await startSimulatorProcess(['--seed', '11', '--anchor', String(youngAnchorTs(HISTORY_DAYS))]);
});
after(() => simulator.stop());

const start = (dataDir: string) =>
  startService({
    name: 'past',
    args: ['--port', '0', '--metrics-port', '0', '--data-dir', dataDir, '--simulator-url', simulator.url],
    env: {},
  });

function query<Row>(dataDir: string, sql: string): Row[] {
  const database = new DatabaseSync(join(dataDir, 'tallycast.sqlite'), { readOnly: true, timeout: 10_000 });
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

/** Everything that is recomputed or read about events that ended a day before the start. */
function readRecord(dataDir: string) {
  const ended = `event_id in (select event_id from events where end_ts < ${startedTs - DAY_MS})`;
  const read = (sql: string) => query<object>(dataDir, sql);
  return {
    settled: read(`select event_id, final_count, winning_label from settlements where ${ended} order by 1`),
    scores: read(
      `select event_id, horizon_h, final_count, crps, log_score, bucket_log_score, buckets, baselines, model_version
       from scores where ${ended} order by 1, 2`,
    ),
    forecasts: read(
      `select event_id, asof_ts, count_so_far, p50, bucket_probabilities, market_prices, model_version
       from forecasts where ${ended} order by 1, 2`,
    ),
    past: read(
      `select event_id, kind, is_whole, hex(content) as content from venue_past where ${ended} order by 1, 2`,
    ),
  };
}

type PastRecord = ReturnType<typeof readRecord>;

/** Complete: both kinds of past are read for every settled event, and nothing has changed for a while. */
async function waitForRecord(dataDir: string): Promise<PastRecord> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let last = '', sinceTs = Date.now(); Date.now() < deadline; await wait(1_000)) {
    const record = readRecord(dataDir);
    const text = JSON.stringify(record);
    if (text !== last) [last, sinceTs] = [text, Date.now()];
    const isRead = record.settled.length > 0 && record.past.length === 2 * record.settled.length;
    if (isRead && record.scores.length > 0 && Date.now() - sinceTs >= STEADY_MS) return record;
  }
  throw new Error('the record was not complete in time');
}

const countRows = ({ past, forecasts, scores }: PastRecord) => past.length + forecasts.length + scores.length;

/** So that the kills are spread over the whole backfill. */
async function waitForRows(dataDir: string, rows: number): Promise<void> {
  const deadline = Date.now() + MAX_LIFE_MS;
  while (countRows(readRecord(dataDir)) < rows && Date.now() < deadline) await wait(50);
}

async function kill({ child }: ChildService): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('a service that is killed again and again during its first backfill', { timeout: 1_500_000 }, () => {
  const skip = KILLS === 0 && 'set PAST_KILLS=20 to run it';
  it(`has the same record after ${KILLS} kills as without`, { skip }, async (test) => {
    const [whole, killed] = [makeTempFolder('past-whole'), makeTempFolder('past-killed')];
    const service = await start(whole);
    const expected = await waitForRecord(whole);
    await service.stop();
    const stored: number[] = [];
    for (let i = 0; i < KILLS; i++) {
      const next = await start(killed);
      await waitForRows(killed, Math.ceil((countRows(expected) * i) / KILLS));
      await kill(next);
      stored.push(countRows(readRecord(killed)));
    }
    const last = await start(killed);
    const found = await waitForRecord(killed);
    await last.stop();
    const sizes = query<{ kind: string; events: number; bytes: number }>(
      killed,
      'select kind, count(*) as events, cast(avg(length(content)) as int) as bytes from venue_past group by kind',
    );
    test.diagnostic(
      `${expected.settled.length} settled events, ${expected.forecasts.length} recomputed forecasts, ` +
        `${expected.scores.length} scores; rows before each kill: ${stored.join(' ')}; ` +
        sizes.map(({ kind, events, bytes }) => `${kind}: ${bytes} bytes per event (${events})`).join(', '),
    );
    for (const part of ['settled', 'past', 'forecasts', 'scores'] as const)
      assert.deepEqual(found[part], expected[part], part);
  });
});
