// The forecast log on both engines: entries are appended and sealed hourly, and any tampering is detected.

import assert from 'node:assert/strict';
import { verifyStore } from '../../src/cli/verify-store.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { draftSignal } from '../../src/jobs/sealing/log-drafts.ts';
import type { LogEntry } from '../../src/sealing/entry.ts';
import type { Store } from '../../src/store/ports.ts';
import { describeStore, execute } from './engines.ts';
import { HOUR_MS, START_TS, sampleDraft, sampleSignal } from './samples.ts';

const OTHER_ENTRIES = '(select entries from seals order by first_seq desc limit 1)';

/** Manual changes of each column, and of whole rows. */
const EDITS = [
  ...[
    ...['hour_ts = hour_ts + 1', 'first_seq = first_seq + 1', 'size = size + 1', 'root = chain'],
    ...['previous = root', 'chain = root', `entries = ${OTHER_ENTRIES}`],
  ].map((change) => `update seals set ${change} where first_seq = 1`),
  ...['first_seq = 1', 'first_seq = (select max(first_seq) from seals)'].map(
    (which) => `delete from seals where ${which}`,
  ),
  ...['seq = seq + 100', 'hour_ts = hour_ts + 1', "entry = replace(entry, '<40', '>40')"].map(
    (change) => `update log_entries set ${change} where seq = (select max(seq) from log_entries)`,
  ),
  'delete from log_entries where seq = (select max(seq) from log_entries)',
  'insert into log_entries select seq + 100, hour_ts, entry from log_entries',
  ...['next_seq = next_seq + 1', 'open_hour_ts = open_hour_ts + 1', 'chain = running', 'running = chain'].map(
    (change) => `update log_head set ${change}`,
  ),
  'delete from log_head',
];

describeStore('the forecast log', (test) => {
  test('seals finished hours, oldest first, each chained to the previous one', async (store) => {
    await store.seals.append([
      sampleDraft(),
      sampleDraft(),
      sampleDraft({ recordedTs: START_TS + 2 * HOUR_MS }),
    ]);
    assert.equal(await store.seals.sealNext(START_TS), null, 'the hour is not over');
    const first = await store.seals.sealNext(START_TS + HOUR_MS);
    assert.equal(await store.seals.sealNext(START_TS + HOUR_MS), null);
    const second = await store.seals.sealNext(START_TS + 3 * HOUR_MS);
    assert.deepEqual([first!.hourTs, first!.firstSeq, first!.size], [START_TS, 1, 2]);
    assert.deepEqual([second!.hourTs, second!.firstSeq, second!.size], [START_TS + 2 * HOUR_MS, 3, 1]);
    assert.equal(second!.previous, first!.chain);
    assert.deepEqual(await store.seals.list(-1, 10), [first, second]);
    assert.deepEqual(await store.seals.list(first!.hourTs, 10), [second]);
    assert.deepEqual(await store.seals.findNewest(), second);
    assert.deepEqual((await verifyStore(store)).problems, []);
  });

  test('adds nothing to a sealed hour, and marks only entries about the current hour as forward', async (store) => {
    await store.seals.append([sampleDraft()]);
    await store.seals.sealNext(START_TS + HOUR_MS);
    await store.seals.append([
      sampleDraft({ recordedTs: START_TS + HOUR_MS - 1 }),
      sampleDraft({ recordedTs: START_TS + 1 }),
      sampleDraft({ recordedTs: START_TS + HOUR_MS, asofTs: START_TS - DAY_MS }),
      sampleDraft({ recordedTs: START_TS + HOUR_MS, isRecomputed: true }),
    ]);
    const { entries } = await store.seals.readOpen();
    assert.deepEqual(new Set(entries.map(({ hourTs }) => hourTs)), new Set([START_TS + HOUR_MS]));
    assert.deepEqual(
      entries.map(({ entry }) => (JSON.parse(entry) as LogEntry).made),
      ['forward', 'recomputed', 'recomputed', 'recomputed'],
    );
  });

  test('numbers entries without a gap when several are appended at once', async (store) => {
    await Promise.all(Array.from({ length: 20 }, () => store.seals.append([sampleDraft(), sampleDraft()])));
    const { entries, nextSeq } = await store.seals.readOpen();
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    assert.equal(nextSeq, 41);
    assert.deepEqual((await verifyStore(store)).problems, []);
  });

  test('logs a signal once, even if it is recorded repeatedly', async (store) => {
    const signals = [sampleSignal(), sampleSignal({ bucketLabel: '40+' })];
    const drafts = signals.map((signal) => draftSignal(signal, START_TS));
    await store.signals.record(signals.slice(0, 1), drafts.slice(0, 1));
    await store.signals.record(signals, drafts);
    assert.equal((await store.seals.readOpen()).entries.length, 2);
  });

  for (const edit of EDITS)
    test(`detects ${edit}`, async (store, place) => {
      await fillLog(store);
      assert.deepEqual((await verifyStore(store)).problems, []);
      await execute(place, edit);
      assert.notDeepEqual((await verifyStore(store)).problems, []);
    });
});

/** Six sealed hours and an open one. */
async function fillLog(store: Store): Promise<void> {
  for (let i = 0; i < 14; i++) {
    const recordedTs = START_TS + i * (HOUR_MS / 2);
    const content = { bucket: '<40', i };
    await store.seals.append([
      sampleDraft({ recordedTs, asofTs: recordedTs, content }),
      sampleDraft({ recordedTs, isRecomputed: true, content }),
    ]);
  }
  while (await store.seals.sealNext(START_TS + 6 * HOUR_MS));
}
