import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOUR_MS } from '../domain/units.ts';
import { lastOfHours } from './past-prices.ts';

it("lists each bucket's last past price of each hour of the span", () => {
  const startTs = Date.UTC(2026, 10, 2, 17);
  const at = (ms: number, ...prices: (number | null)[]) => ({ ts: startTs + ms, prices });
  const points = [
    at(-1, 0.9, 0.9),
    at(5, 0.1, null),
    at(10, 0.2, null),
    at(20, null, 0.5),
    at(HOUR_MS, 0.3, null),
    at(3 * HOUR_MS, 0.4, null),
  ];
  assert.deepEqual(lastOfHours(points, startTs, startTs + 2 * HOUR_MS), [
    at(HOUR_MS, 0.2, 0.5),
    at(2 * HOUR_MS, 0.3, null),
  ]);
});
