import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, json, NOW_TS, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { OracleSource } from '../source.ts';
import { parseMarketSlug } from './calls.ts';
import { createOracleSource } from './client.ts';

function tracking(id: string, fields: object = {}): object {
  return {
    id,
    title: ` Somebody # tweets August 15 - August 17, 2026?`,
    startDate: '2026-08-15T16:00:00.000Z',
    endDate: '2026-08-17T15:59:59.000Z',
    marketLink: 'https://market.example/event/somebody-of-tweets-august-15-august-17',
    isActive: true,
    ...fields,
  };
}

const LIST = '/users/somebody/trackings';
const listOf = (data: unknown[]) => ({ success: true, data });
const user = { lastSync: '2026-08-16T11:58:00.000Z' };
const detail = (id: string, total: unknown) => ({
  success: true,
  data: tracking(id, { user, stats: { total } }),
});

function open(replies: Parameters<typeof scriptHttp>[0]) {
  const scripted = scriptHttp(replies);
  const { http, clock } = scripted;
  return {
    ...scripted,
    source: createOracleSource({ account: ACCOUNT, platform: 'X', http, clock, callSpacingMs: 0 }),
  };
}

async function run<T>(clock: { advanceAsync(byMs: number): Promise<void> }, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, clock.advanceAsync(10_000)]);
  return result;
}

type Ended = Parameters<Parameters<OracleSource['fetchEnded']>[2]>[0];

function readEnded(
  source: OracleSource,
  onEnded: (tracking: Ended) => void = () => {},
  isDone: (trackingId: string) => boolean = () => false,
) {
  return source.fetchEnded(0, isDone, async (tracking) => onEnded(tracking), never());
}

describe('trackings', () => {
  it('have a count, the time of the last sync and a window that ends on the hour', async () => {
    const { source, clock } = open({
      [LIST]: listOf([tracking('t1')]),
      '/trackings/t1': detail('t1', 204),
    });
    const { trackings } = await run(clock, source.fetchTrackings(NOW_TS, never()));
    assert.deepEqual(trackings, [
      {
        trackingId: 't1',
        title: 'Somebody # tweets August 15 - August 17, 2026?',
        marketSlug: 'somebody-of-tweets-august-15-august-17',
        window: { startTs: Date.UTC(2026, 7, 15, 16), endTs: Date.UTC(2026, 7, 17, 16) },
        count: 204,
        lastSyncTs: Date.UTC(2026, 7, 16, 11, 58),
        syncError: null,
        isActive: true,
      },
    ]);
  });

  // Recorded users have `lastSyncError: null`; the text of an error is assumed.
  it('report the error of the last sync until one succeeds', async () => {
    const failing = { ...user, lastSyncError: 'Rate limit exceeded' };
    const answer = (who: object) => ({
      success: true,
      data: tracking('t1', { user: who, stats: { total: 1 } }),
    });
    const { source, clock } = open({
      [LIST]: listOf([tracking('t1')]),
      '/trackings/t1': inTurn(answer(failing), answer({ ...user, lastSyncError: null })),
    });
    await run(clock, source.fetchTrackings(NOW_TS, never()));
    assert.equal(source.syncError(), 'Rate limit exceeded');
    await run(clock, source.fetchTrackings(NOW_TS, never()));
    assert.equal(source.syncError(), null);
  });

  it('are requested if they ended recently, but not if they ended long ago', async () => {
    const old = tracking('old', {
      isActive: false,
      startDate: '2026-07-01T16:00:00.000Z',
      endDate: '2026-07-03T15:59:59.000Z',
    });
    const late = tracking('late', {
      isActive: false,
      startDate: '2026-08-13T16:00:00.000Z',
      endDate: '2026-08-15T15:59:59.000Z',
    });
    const { source, asked, clock } = open({
      [LIST]: listOf([old, late]),
      '/trackings/late': detail('late', 90),
    });
    await run(clock, source.fetchTrackings(NOW_TS - 86_400_000 * 3, never()));
    assert.deepEqual(
      asked.map(({ url }) => url.pathname),
      ['/users/somebody/trackings', '/trackings/late'],
    );
  });

  it('are skipped if unreadable, and the rest stay valid', async () => {
    const { source, clock } = open({
      [LIST]: listOf([tracking('t1'), { id: 4 }, tracking('t2'), tracking('t3')]),
      '/trackings/t1': () => json({}, 503),
      '/trackings/t2': detail('t2', 'many'),
      '/trackings/t3': detail('t3', 7),
    });
    const { trackings, skipped } = await run(clock, source.fetchTrackings(NOW_TS, never()));
    assert.deepEqual(
      trackings.map(({ trackingId, count }) => [trackingId, count]),
      [
        ['t2', null],
        ['t3', 7],
      ],
    );
    assert.deepEqual(
      skipped.map(({ reason }) => /stats\.total/.test(reason)),
      [false, false, true],
    );
  });

  it('fail together when rate-limited', async () => {
    const { source, asked, clock } = open({
      [LIST]: listOf([tracking('t1'), tracking('t2')]),
      '/trackings/': () => json({}, 429, { 'retry-after': '900' }),
    });
    await assert.rejects(run(clock, source.fetchTrackings(NOW_TS, never())), {
      status: 429,
      retryAfterMs: 900_000,
    });
    assert.equal(asked.length, 2);
  });

  it('read before a timeout stay valid, and the others come first next time', async () => {
    let poll = new AbortController();
    const ids = ['t1', 't2', 't3', 't4'];
    let answered = 0;
    const answer = (id: string) => () => {
      if (answered++ === 2)
        poll.abort(new SourceError('a/oracle: no response within 60000 ms', { isRetryable: true }));
      return poll.signal.aborted ? json({}, 503) : json(detail(id, 204));
    };
    const { source, clock } = open({
      [LIST]: listOf(ids.map((id) => tracking(id))),
      ...Object.fromEntries(ids.map((id) => [`/trackings/${id}`, answer(id)])),
    });
    const look = async () => {
      const { trackings, skipped } = await run(clock, source.fetchTrackings(NOW_TS, poll.signal));
      return [trackings.map(({ trackingId }) => trackingId), skipped.length];
    };
    assert.deepEqual(await look(), [['t1', 't2'], 2]);
    poll = new AbortController();
    answered = 0;
    assert.deepEqual(await look(), [['t3', 't4'], 2]);
  });

  it('are rejected when the oracle reports a failure', async () => {
    const { source } = open({ '/users/somebody/trackings': { success: false, message: 'User not found' } });
    await assert.rejects(source.fetchTrackings(0, never()), /User not found/);
  });

  it('are linked to their market event', () => {
    assert.equal(parseMarketSlug('https://market.example/event/a-b-c?tid=1'), 'a-b-c');
    assert.equal(parseMarketSlug('https://market.example/event/a-b-c/'), 'a-b-c');
    assert.equal(parseMarketSlug('https://market.example/'), null);
    assert.equal(parseMarketSlug(null), null);
  });
});

describe('economical read', () => {
  const at = (id: string, total: number, lastSync: string) => ({
    success: true,
    data: tracking(id, { user: { lastSync }, stats: { total } }),
  });

  it('requests one count until the oracle syncs again, then all of them', async () => {
    let lastSync = '2026-08-16T11:58:00.000Z';
    const { source, asked, clock } = open({
      [LIST]: listOf([tracking('t1'), tracking('t2')]),
      '/trackings/t1': () => json(at('t1', 5, lastSync)),
      '/trackings/t2': () => json(at('t2', 7, lastSync)),
    });
    const look = async () => {
      const before = asked.length;
      const { trackings } = await run(clock, source.fetchTrackings(NOW_TS, never()));
      return [asked.length - before, trackings.map(({ count }) => count).join()];
    };
    assert.deepEqual(await look(), [3, '5,7']);
    assert.deepEqual(await look(), [1, '5,7']);
    lastSync = '2026-08-16T12:00:10.000Z';
    assert.deepEqual(await look(), [4, '5,7']);
    assert.equal(source.lastSyncTs(), Date.parse(lastSync));
  });

  it('bypasses the cache only if the response is old', async () => {
    const { source, asked, clock } = open({
      [LIST]: listOf([tracking('t1')]),
      '/trackings/t1': detail('t1', 5),
    });
    await run(clock, source.fetchTrackings(NOW_TS, never()));
    assert.ok(asked.every(({ url }) => !url.searchParams.has('_t')));
    clock.advance(15 * 60_000);
    await run(clock, source.fetchTrackings(NOW_TS, never()));
    assert.ok(asked.at(-1)!.url.searchParams.has('_t'));
  });

  it('treats an empty or unreadable first list as a fault', async () => {
    const answers: [unknown[], RegExp][] = [
      [[], /list of trackings is empty/],
      [[{ id: 'x', begin: 1 }], /none of 1 trackings can be read/],
    ];
    for (const [data, message] of answers) {
      const { source, clock } = open({ [LIST]: listOf(data) });
      await assert.rejects(run(clock, source.fetchTrackings(NOW_TS, never())), message);
      await assert.rejects(run(clock, readEnded(source)), message);
    }
  });

  it('reports a changed oracle format if no running tracking has a count', async () => {
    const { source, clock } = open({
      [LIST]: listOf([tracking('t1'), tracking('t2')]),
      '/trackings/t1': { success: true, data: tracking('t1') },
      '/trackings/t2': { success: true, data: tracking('t2') },
    });
    await assert.rejects(run(clock, source.fetchTrackings(NOW_TS, never())), /none of 2 .*stats\.total/);
  });

  it('treats an empty list after a non-empty one as a fault', async () => {
    const { source, clock } = open({
      [LIST]: inTurn(listOf([tracking('t1')]), listOf([])),
      '/trackings/t1': detail('t1', 5),
    });
    await run(clock, source.fetchTrackings(NOW_TS, never()));
    clock.advance(10 * 60_000);
    await assert.rejects(run(clock, source.fetchTrackings(NOW_TS, never())), /list of trackings is empty/);
  });

  it('also requests one count at a time if the oracle never reports its sync', async () => {
    const silent = (id: string, total: number) => ({
      success: true,
      data: tracking(id, { user: null, stats: { total } }),
    });
    const { source, asked, clock } = open({
      [LIST]: listOf(['a', 'b', 'c'].map((id) => tracking(id))),
      '/trackings/a': inTurn(silent('a', 1), silent('a', 4)),
      '/trackings/b': silent('b', 2),
      '/trackings/c': silent('c', 3),
    });
    const counts = async () =>
      (await run(clock, source.fetchTrackings(NOW_TS, never()))).trackings.map(({ count }) => count);
    assert.deepEqual(await counts(), [1, 2, 3]);
    const before = asked.length;
    assert.deepEqual(await counts(), [4, 2, 3]);
    assert.equal(asked.length, before + 1);
  });

  it('of settled events resumes where it stopped', async () => {
    const ended = ['a', 'b', 'c'].map((id) => tracking(id, { isActive: false }));
    const { source, asked, clock } = open({
      [LIST]: listOf(ended),
      '/trackings/a': detail('a', 1),
      '/trackings/b': inTurn(() => json({}, 503), detail('b', 2)),
      '/trackings/c': detail('c', 3),
    });
    const done: string[] = [];
    const look = () =>
      run(
        clock,
        readEnded(
          source,
          ({ trackingId }) => void done.push(trackingId),
          (id) => done.includes(id),
        ),
      );
    await assert.rejects(look(), /503/);
    await look();
    assert.deepEqual(done, ['a', 'b', 'c']);
    assert.equal(asked.filter(({ url }) => url.pathname === '/trackings/a').length, 1);
  });

  it('of settled events reports a tracking that always fails without a count, and does not wait forever', async () => {
    const ended = ['gone', 'broken', 'c'].map((id) => tracking(id, { isActive: false }));
    const { source, clock } = open({
      [LIST]: listOf(ended),
      '/trackings/gone': () => json({ success: false }, 404),
      '/trackings/broken': () => json({ success: false, message: 'no stats' }, 500),
      '/trackings/c': detail('c', 3),
    });
    const told: [string, number | null][] = [];
    const look = () =>
      run(
        clock,
        readEnded(source, ({ trackingId, count }) => void told.push([trackingId, count])),
      );
    await assert.rejects(look(), /500/);
    await assert.rejects(look(), /500/);
    await look();
    assert.deepEqual(told, [
      ['c', 3],
      ['gone', null],
      ['broken', null],
    ]);
  });

  it('of settled events does not mistake an unreachable oracle for lost trackings', async () => {
    const { source, clock } = open({
      [LIST]: listOf(['a', 'b'].map((id) => tracking(id, { isActive: false }))),
      '/trackings': () => json({}, 503),
    });
    for (let times = 0; times < 8; times++) {
      const look = readEnded(source, () => assert.fail('reported'));
      await assert.rejects(run(clock, look), /503|none of 2/);
    }
  });
});

describe('oracle posts', () => {
  it('are those of the window, with reposts identified by prefix', async () => {
    const post = (id: string, createdAt: string, content: string) => ({
      platformId: id,
      createdAt,
      content,
      importedAt: null,
    });
    const { source } = open({
      '/users/somebody/posts': inTurn({
        success: true,
        data: [
          post('2', '2026-08-16T00:00:00.000Z', 'RT @x: y'),
          post('1', '2026-08-15T16:00:00.000Z', 'a'),
          post('3', '2026-08-17T16:00:00.000Z', 'b'),
          'junk',
        ],
      }),
    });
    const window = { startTs: Date.UTC(2026, 7, 15, 16), endTs: Date.UTC(2026, 7, 17, 16) };
    const skipped: string[] = [];
    const posts = await source.fetchPosts(window, never(), ({ reason }) => skipped.push(reason));
    assert.equal(skipped.length, 1, 'an unusable row is reported');
    assert.deepEqual(
      posts.map(({ postId, isRetweet }) => [postId, isRetweet]),
      [
        ['1', false],
        ['2', true],
      ],
    );
  });
});
