import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ask, type Json, openSimulator } from './simulator.test-support.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'shared', 'fixtures');
const { simulator } = openSimulator();
const get = async (path: string): Promise<Json> => (await ask(simulator, path)).json();

function readFixture(name: string): Json {
  return JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
}

/** Every simulated field must have the type of the recorded payload; fields in `needed` must be present. */
function assertAlike(ours: Json, theirs: Json, needed: readonly string[]): void {
  for (const field of needed) assert.ok(field in ours, `${field} is missing`);
  for (const [field, value] of Object.entries(theirs)) {
    if (!(field in ours) || value === null || ours[field] === null) continue;
    assert.equal(typeof ours[field], typeof value, field);
    assert.equal(Array.isArray(ours[field]), Array.isArray(value), field);
  }
}

describe('simulated responses, compared with recorded payloads', {
  skip: existsSync(FIXTURES) ? false : '../lab/shared is absent',
}, () => {
  it('lists events and markets with the recorded types', async () => {
    const [theirs] = readFixture('market/gamma_event.json');
    const [ours] = await get('/gamma/events?tag_id=972&closed=false&limit=1');
    assertAlike(ours, theirs, [
      'id',
      'title',
      'slug',
      'description',
      'startDate',
      'endDate',
      'image',
      'active',
      'closed',
      'negRisk',
      'markets',
      'tags',
      'volume',
      'liquidity',
      'openInterest',
    ]);
    assertAlike(ours.markets[1], theirs.markets[0], [
      'id',
      'conditionId',
      'question',
      'slug',
      'groupItemTitle',
      'groupItemThreshold',
      'outcomes',
      'outcomePrices',
      'clobTokenIds',
      'orderPriceMinTickSize',
      'orderMinSize',
      'acceptingOrders',
      'volume',
      'volumeNum',
      'endDateIso',
      'lastTradePrice',
    ]);
    const fee = readFixture('market/gamma_markets_list.json')[0];
    assert.deepEqual(Object.keys(ours.markets[1].feeSchedule).sort(), Object.keys(fee.feeSchedule).sort());
  });

  it('lists closed markets with the recorded types', async () => {
    const theirs = readFixture('market/gamma_market_closed_binary_accepting_false.json');
    const events = await get('/gamma/events?tag_id=972&closed=true&limit=100');
    const first = events.find((event: Json) => event.version === 'v1');
    assertAlike(first.markets[0], theirs, ['closedTime', 'umaResolutionStatus', 'umaResolutionStatuses']);
    assert.match(first.markets[0].closedTime, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/);
  });

  it('returns books with the recorded fields', async () => {
    const events = await get('/gamma/events?tag_id=972&closed=false&limit=100');
    const event = events.find((one: Json) => one.version === 'v1');
    const [token] = JSON.parse(event.markets[2].clobTokenIds);
    const book = readFixture('market/http_book.json');
    assertAlike(await get(`/clob/book?token_id=${token}`), book, Object.keys(book));
  });

  it('lists version 2 events with the documented fields', async () => {
    const theirs = readFixture('market/gamma_event_v2_documented_shape.json');
    const events = await get('/gamma/events?tag_id=972&closed=false&limit=100');
    const ours = events.find((one: Json) => one.version === 'v2');
    assertAlike(ours, theirs, Object.keys(theirs));
    assertAlike(ours.markets[3], theirs.markets[1], Object.keys(theirs.markets[1]));
  });

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
