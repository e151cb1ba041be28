import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hold } from './pan-zoom.ts';
import { buildRunningData } from './running-data.ts';

const HOUR = 3_600_000;
const record = { start_ts: 0, end_ts: 10 * HOUR, real_counter: 6 };
const hourly = {
  event_id: 1,
  tz: 'UTC',
  hours: [2, 1, 0, 2, 1].map((counted, hour) => ({ start_ts: hour * HOUR, counted, all: counted })),
  days: [],
};

const path = [
  { ts: 3 * HOUR, p5: 5, p50: 5, p95: 5 },
  { ts: 4.4 * HOUR, p5: 6, p50: 6, p95: 6 },
  { ts: 7 * HOUR, p5: 7, p50: 8, p95: 11 },
  { ts: 10 * HOUR, p5: 8, p50: 12, p95: 20 },
];

describe('running-count columns', () => {
  const data = buildRunningData({
    record,
    hourly,
    trail: [],
    forecast: { p5: 8, p50: 12, p95: 20, path },
    nowTs: 4.5 * HOUR,
  });

  it('add up the finished hours and end at the current count', () => {
    const counted = data.count.filter((value) => value !== null);
    assert.deepEqual(counted, [0, 2, 3, 3, 5, 6]);
    assert.equal(data.x[data.count.lastIndexOf(6)], 4.5 * 3600);
  });

  it('contain only percentiles from the API, starting with the last one before now', () => {
    const drawn = data.x.flatMap((x, i) =>
      data.p50[i] === null ? [] : [{ ts: x * 1000, p5: data.p5[i], p50: data.p50[i], p95: data.p95[i] }],
    );
    assert.deepEqual(drawn, path.slice(1));
    assert.equal(data.x.at(-1), 10 * 3600);
  });

  it('are in ascending time order', () => {
    assert.ok(data.x.every((x, i) => i === 0 || x > data.x[i - 1]!));
  });

  it('include the linear pace but no fan if there is no forecast', () => {
    const open = buildRunningData({ record, hourly, trail: [], forecast: null, nowTs: 5 * HOUR });
    assert.ok(open.p50.every((value) => value === null));
    assert.equal(open.paceAtEnd, 12);
  });

  it('end at the close, without a pace, once the window has closed', () => {
    const closed = buildRunningData({ record, hourly: null, trail: [], forecast: null, nowTs: 11 * HOUR });
    assert.equal(closed.nowS, closed.endS);
    assert.ok(closed.pace.every((value) => value === null));
  });
});

describe('panning', () => {
  it('stays inside the data and keeps the visible range the same length', () => {
    assert.deepEqual(hold({ min: -5, max: 5 }, { min: 0, max: 100 }), { min: 0, max: 10 });
    assert.deepEqual(hold({ min: 95, max: 105 }, { min: 0, max: 100 }), { min: 90, max: 100 });
    assert.deepEqual(hold({ min: -50, max: 500 }, { min: 0, max: 100 }), { min: 0, max: 100 });
  });
});
