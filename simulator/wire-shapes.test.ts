import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MISSING_FIXTURES, readJsonFixture } from '../test/support/fixtures.ts';
import { ask, type Json, openSimulator } from './simulator.test-support.ts';

const { simulator } = openSimulator();
const get = async (path: string): Promise<Json> => (await ask(simulator, path)).json();
const readFixture = (name: string): Json => readJsonFixture(name);

// The market's responses are checked against its published schemas, in test/platforms/market-judge.test.ts.
describe('simulated oracle responses, compared with recorded payloads', { skip: MISSING_FIXTURES }, () => {
  it('returns trackings with the recorded fields, hourly rows and an end one second early', async () => {
    const theirs = readFixture('oracle/tracking_elon_complete_2026-04-17_24.json').data;
    const list = (await get('/oracle/api/users/account_a_handle/trackings?platform=X')).data;
    const listed = readFixture('oracle/user_elonmusk_trackings_list.json').data[0];
    assert.deepEqual(Object.keys(list[0]), Object.keys(listed));
    const done = list.find((tracking: Json) => !tracking.isActive);
    const { data, success } = await get(`/oracle/api/trackings/${done.id}?includeStats=true`);
    assert.equal(success, true);
    assert.deepEqual(Object.keys(data).sort(), Object.keys(theirs).sort());
    assert.deepEqual(Object.keys(data.user).sort(), Object.keys(theirs.user).sort());
    assert.deepEqual(Object.keys(data.stats).sort(), Object.keys(theirs.stats).sort());
    assert.equal(data.stats.daily.at(-1).cumulative, data.stats.total);
    assert.match(data.endDate, /:59:59\.000Z$/);
  });

  it('returns oracle posts with the recorded fields', async () => {
    const [theirs] = readFixture('oracle/posts_elonmusk_sample.json').data;
    const { data } = await get(
      '/oracle/api/users/account_a_handle/posts?platform=X&startDate=2026-11-01&endDate=2026-11-10',
    );
    assert.ok(data.length > 50);
    assert.deepEqual(Object.keys(data[0]), Object.keys(theirs));
    assert.match(data[0].createdAt, /\.000Z$/);
  });
});
