import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/domain/units.ts';
import { ask, type Json, NOW_TS, openSimulator } from './simulator.test-support.ts';

const { simulator } = openSimulator();

async function get(path: string, status = 200): Promise<Json> {
  const response = await ask(simulator, path);
  assert.equal(response.status, status, path);
  return response.json();
}

/** A settled week of account a that ended about this many days ago. */
async function settledWeek(days: number): Promise<Json> {
  const weeks = simulator
    .trueEvents(0)
    .filter(({ accountId, startTs, endTs }) => accountId === 'a' && endTs - startTs > 6 * DAY_MS);
  const ended = weeks.findLast(({ endTs, final }) => final !== null && endTs < NOW_TS - days * DAY_MS)!;
  const event = await get(`/gamma/events/${ended.eventId}`);
  const market = event.markets.find((one: Json) => one.groupItemTitle === ended.winningLabel);
  const ids = event.version === 'v1' ? JSON.parse(market.clobTokenIds) : market.positionIds;
  return { ...ended, yes: ids[0], no: ids[1] };
}

const seconds = (ts: number) => Math.floor(ts / SECOND_MS);

describe("the venue's past prices", () => {
  for (const [days, stepMs] of [
    [2, MINUTE_MS],
    [30, 5 * MINUTE_MS],
    [70, 30 * MINUTE_MS],
    [100, 3 * HOUR_MS],
  ] as const) {
    it(`keep steps of ${stepMs / MINUTE_MS} min ${days} days after the end`, async () => {
      const { yes, no, endTs } = await settledWeek(days);
      const bounds = `start=${seconds(endTs - 6 * HOUR_MS)}&end=${seconds(endTs)}`;
      const { data } = await get(`/data/v2/prices-history?token_id=${yes}&${bounds}&bucket_seconds=60`);
      assert.ok(Math.abs(data.length - (6 * HOUR_MS) / stepMs) <= 1, `${data.length} points`);
      assert.ok(data.every((row: Json) => row.resolution_seconds * SECOND_MS === stepMs));
      const other = await get(`/data/v2/prices-history?token_id=${no}&${bounds}&bucket_seconds=60`);
      assert.ok(data.every((row: Json, i: number) => Math.abs(row.price + other.data[i].price - 1) < 1e-9));
    });
  }

  it('come in pages that join without a gap', async () => {
    const { yes, startTs, endTs } = await settledWeek(30);
    const path = `/data/v2/prices-history?token_id=${yes}&start=${seconds(startTs)}&end=${seconds(endTs)}&bucket_seconds=300`;
    const times: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await get(cursor === null ? path : `${path}&cursor=${cursor}`);
      times.push(...page.data.map((row: Json) => row.timestamp));
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
    assert.ok(times.length > 1_000);
    assert.ok(times.every((time, i) => i === 0 || time - times[i - 1]! === 300));
  });

  it('refuse what the venue refuses, and name the parameter', async () => {
    const { yes } = await settledWeek(2);
    const token = `/data/v2/prices-history?token_id=${yes}`;
    for (const [path, parameter] of [
      ['/data/v2/prices-history?token_id=x', 'token_id'],
      [`${token}&start=0&end=5`, 'start'],
      [`${token}&start=5&end=0`, 'end'],
      [`${token}&start=1&end=${2 + 15 * 86_400}`, 'start'],
      [`${token}&interval=2y`, 'interval'],
      [`${token}&cursor=abc`, 'cursor'],
    ] as const) {
      const { error, code, retryable, trace_id, parameter: named } = await get(path, 400);
      assert.deepEqual([named, retryable, typeof error, typeof code], [parameter, false, 'string', 'string']);
      assert.match(trace_id, /^[0-9a-f]{32}$/);
    }
    assert.deepEqual((await get(`/clob/prices-history?token_id=${yes}`)).history, []);
  });
});
