// The record of events that ended before the first start: read from the venue, recomputed and compared with
// the market, also if the process is killed at any time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import { isRecomputed } from '../../src/domain/scored-horizons.ts';
import type { EdgeEvidence } from '../../src/domain/standing-advice.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { getAccountParameters } from '../../src/forecast/parameters.ts';
import { createPastFeed } from '../../src/ingest/past/past-feed.ts';
import { createPastWork } from '../../src/jobs/past-work.ts';
import { openPricesThen } from '../../src/jobs/scoring/prices-then.ts';
import { SourceError } from '../../src/runtime/errors.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { PastPrice, Sources } from '../../src/sources/source.ts';
import type { Store } from '../../src/store/ports.ts';
import { explainUnproven, summariseEvidence } from '../../src/trade/edges/explain-evidence.ts';
import { PRIOR_EVIDENCE } from '../../src/trade/edges/prior-evidence.ts';
import { type Bench, eventOf, keepBenches, ORIGIN_TS, settlePast, trackRecordOf } from './jobs-fixture.ts';

const { withHistory } = keepBenches();
const EVENTS = [eventOf(7, ORIGIN_TS - 9 * DAY_MS, 2), eventOf(8, ORIGIN_TS - 12 * DAY_MS, 2)];
const bucketOf = (tokenId: string) => Number(tokenId.split('-')[1]);

/** Hourly prices that rise with the bucket and change every hour. */
const VENUE: Pick<Sources, 'fetchPastPrices'> = {
  async fetchPastPrices(tokenId, { startTs, endTs }) {
    const points: PastPrice[] = [];
    for (let ts = Math.ceil(startTs / HOUR_MS) * HOUR_MS; ts <= endTs; ts += HOUR_MS)
      points.push({ ts, price: (bucketOf(tokenId) + 1 + ((ts / HOUR_MS) % 5)) / 150 });
    return points;
  },
};

async function settled(): Promise<Bench> {
  const bench = await withHistory();
  await settlePast(bench, EVENTS, 45);
  return bench;
}

/** What the leader does with past events, until it is done or `store` fails. */
async function runLeader(bench: Bench, store: Store, venue = VENUE): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const failed = new Set<number>();
  const feed = createPastFeed({
    ...bench,
    store,
    sources: { accounts: [{ account: { accountId: 'a' } }] as unknown as Sources['accounts'], ...venue },
    logger: { ...silentLogger, error: () => ended.resolve() },
    onPastRead: (ids) => {
      for (const id of ids) failed.add(id);
    },
  });
  feed.start();
  while (!(await isRead(bench.store)) && failed.size === 0)
    if (await Promise.race([ended.promise.then(() => true), setImmediate(false)])) break;
  await feed.stop();
  const record = trackRecordOf(bench, { store, awaitsPrices: (eventId) => !failed.has(eventId) });
  await record.runOnce();
}

async function putPrices({ store }: Bench, { eventId, window, buckets }: MarketEvent): Promise<void> {
  const hours = (window.endTs - window.startTs) / HOUR_MS;
  const points = Array.from({ length: hours }, (_, hour) => ({
    ts: window.startTs + hour * HOUR_MS,
    prices: buckets.map((_, i) => (i + 1) / 150),
  }));
  await store.past.putPrices({ eventId, readTs: ORIGIN_TS, untilTs: window.endTs, isWhole: true, points });
}

async function isRead({ past }: Store): Promise<boolean> {
  return (await past.listPriced()).length === EVENTS.length;
}

const listPoints = ({ store }: Bench, { eventId, window }: MarketEvent) =>
  store.forecasts.listPoints(eventId, {
    fromTs: window.startTs,
    untilTs: window.endTs,
    limit: 1_000,
    isHourly: false,
  });

async function describeState(bench: Bench) {
  const { store } = bench;
  const { entries } = await store.seals.readOpen();
  return {
    scores: await store.scores.list({ accountId: 'a' }),
    points: await Promise.all(EVENTS.map((event) => listPoints(bench, event))),
    past: await Promise.all(EVENTS.map(({ eventId }) => store.past.findPrices(eventId))),
    // Numbers and salts differ; an entry may repeat if a kill came before its scores.
    sealed: new Set(entries.map(({ entry }) => JSON.stringify({ ...JSON.parse(entry), seq: 0, salt: '' }))),
  };
}

/** Fails every write after the first `writes`, as if the process had been killed there. */
function killAfter(store: Store, writes: number): { store: Store; isKilled: () => boolean } {
  let left = writes;
  const guard = <T extends object>(port: T, names: readonly string[]): T =>
    new Proxy(port, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
        if (!names.includes(String(name))) return method;
        return (...args: unknown[]) =>
          left-- > 0 ? method(...args) : Promise.reject(new Error('the process was killed'));
      },
    });
  const guarded = {
    ...store,
    past: guard(store.past, ['putPrices']),
    forecasts: guard(store.forecasts, ['record']),
    scores: guard(store.scores, ['upsert']),
  };
  return { store: guarded, isKilled: () => left < 0 };
}

describe('the record of past events', () => {
  it('compares recomputed forecasts with the prices of the time, every three hours', async () => {
    const bench = await settled();
    await runLeader(bench, bench.store);
    const event = EVENTS[0]!;
    const points = await listPoints(bench, event);
    assert.equal(points.length, 16, 'the horizons at 48, 24 and 6 h are among them');
    assert.ok(points.every(isRecomputed));
    for (const { asofTs, marketPrices } of points) {
      const expected = event.buckets.map((_, i) => (i + 1 + ((asofTs / HOUR_MS) % 5)) / 150);
      assert.deepEqual(marketPrices, expected);
    }
    const scores = await bench.store.scores.list({ accountId: 'a' });
    assert.equal(scores.length, 6);
    assert.ok(scores.every(({ baselines }) => baselines.market && baselines['pace-nb']));
    assert.ok(scores.every(({ modelVersion }) => modelVersion.endsWith('+backfill')));
  });

  it('waits for prices unless they cannot be read, and adds them when they can', async () => {
    const bench = await settled();
    await trackRecordOf(bench, { awaitsPrices: () => true }).runOnce();
    assert.deepEqual(await bench.store.scores.list({ accountId: 'a' }), []);
    const down = async () => {
      throw new SourceError('market: no answer', { isRetryable: true });
    };
    await runLeader(bench, bench.store, { fetchPastPrices: down });
    const before = await bench.store.scores.list({ accountId: 'a' });
    assert.equal(before.length, 6);
    assert.ok(before.every(({ baselines }) => !baselines.market));
    await runLeader(bench, bench.store);
    const after = await bench.store.scores.list({ accountId: 'a' });
    assert.ok(after.every(({ baselines }) => baselines.market));
    assert.deepEqual(
      after.map(({ crps }) => crps),
      before.map(({ crps }) => crps),
    );
  });

  it('teaches advice nothing before it is whole, or the rest cannot be read', async () => {
    const bench = await settled();
    let evidence: EdgeEvidence | undefined;
    const work = createPastWork({
      ...{ ...bench, logger: silentLogger, awaitsPrices: true },
      accounts: [
        { accountId: 'a', allowsSell: true, parameters: getAccountParameters(profileOfLetter('a')) },
      ],
      identity: { modelVersion: 'm', buildCommit: 'abc' },
      // A first start: no evidence was saved.
      unread: ['a'],
      onEvidence: (_, learned) => {
        evidence = learned;
      },
    });
    const until = async (isSo: () => boolean) => {
      const deadlineMs = performance.now() + 30_000;
      while (!isSo() && performance.now() < deadlineMs) await bench.clock.advanceAsync(1_000);
      assert.ok(isSo(), JSON.stringify(evidence));
    };
    work.start();
    work.noteHistoryComplete('a');
    await until(() => evidence?.reading?.of === 2);
    await putPrices(bench, EVENTS[0]!);
    work.notePricesRead([]);
    await until(() => evidence?.reading?.compared === 1);
    assert.deepEqual(evidence!.mean, PRIOR_EVIDENCE.mean);
    assert.match(
      explainUnproven(evidence!, 'above'),
      /past events are still being read: 1 of about 2 compared/,
    );
    assert.match(summariseEvidence(evidence!), /past events are still being read: 1 of about 2 compared\.$/);
    work.notePricesRead([EVENTS[1]!.eventId]);
    await until(() => evidence?.reading === undefined);
    await work.stop();
    assert.equal(evidence!.sources!.recomputed, 1);
    assert.notDeepEqual(evidence!.mean, PRIOR_EVIDENCE.mean);
  });

  it('asks for our own quotes only from the first one on', async () => {
    const [event] = EVENTS;
    const quoted = { tokenId: event!.buckets[0]!.yesTokenId, observedTs: ORIGIN_TS };
    let asked = 0;
    const quotes = {
      latest: async () => [quoted],
      listRange: async () => [quoted],
      standingAt: async () => void (asked += 1),
    } as unknown as Store['quotes'];
    const past = { findPrices: async () => undefined } as unknown as Store['past'];
    const prices = await openPricesThen({ past, quotes }, event!);
    assert.deepEqual(
      await prices.at(ORIGIN_TS - 1),
      event!.buckets.map(() => null),
    );
    assert.equal(asked, 0);
    await prices.at(ORIGIN_TS);
    assert.equal(asked, 1);
  });

  it('is the same if the process is killed between any two writes', async () => {
    const whole = await settled();
    await runLeader(whole, whole.store);
    const expected = await describeState(whole);
    assert.equal(expected.scores.length, 6);
    for (let writes = 0, isKilled = true; isKilled; writes++) {
      const bench = await settled();
      const kill = killAfter(bench.store, writes);
      await runLeader(bench, kill.store);
      isKilled = kill.isKilled();
      await runLeader(bench, bench.store);
      assert.deepEqual(await describeState(bench), expected, `killed after ${writes} writes`);
    }
  });
});
