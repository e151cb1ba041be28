import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { USAGE_WIDTH } from '../../store/queries/usage.ts';
import { UsageRing } from './usage-ring.ts';

/** Reads rows as [key, endpoint, status, bytes, requests]. */
function readRows(ring: UsageRing, limit = ring.capacity) {
  const { length, texts, numbers } = ring.peek(limit);
  return Array.from({ length }, (_, row) => {
    const [, key, endpoint, , status, , bytes, , requests] = numbers.subarray(row * USAGE_WIDTH);
    return [texts[key!], texts[endpoint!], status, bytes, requests];
  });
}

function push(ring: UsageRing, ts: number, keyId: string, endpoint: string, status = 200): void {
  ring.push(ts, keyId, endpoint, 'GET', status, 1, 10, status < 400 ? null : 'a problem');
}

describe('pending usage rows', () => {
  it("merge a key's identical requests within one second", () => {
    const ring = new UsageRing(100);
    for (const ts of [1_000, 1_400, 1_999]) {
      push(ring, ts, 'k', '/a');
      push(ring, ts, 'k', '/b');
      push(ring, ts, 'other', '/a');
    }
    push(ring, 2_000, 'k', '/a');
    push(ring, 2_000, 'k', '/a', 304);
    assert.deepEqual(readRows(ring), [
      ['k', '/a', 200, 30, 3],
      ['k', '/b', 200, 30, 3],
      ['other', '/a', 200, 30, 3],
      ['k', '/a', 200, 10, 1],
      ['k', '/a', 304, 10, 1],
    ]);
  });

  it('are separate for each error, because errors are listed individually', () => {
    const ring = new UsageRing(100);
    for (let i = 0; i < 3; i++) push(ring, 1_000, 'k', '/a', 404);
    assert.equal(ring.size, 3);
  });

  it("merge a key's over-limit requests within one second, because their number is unbounded", () => {
    const ring = new UsageRing(100);
    for (let i = 0; i < 5_000; i++) push(ring, 1_000 + (i % 1_000), 'k', '/a', 429);
    assert.deepEqual(readRows(ring), [['k', '/a', 429, 50_000, 5_000]]);
    assert.equal(ring.dropped, 0);
  });

  it('do not change while they are being written', () => {
    const ring = new UsageRing(100);
    push(ring, 1_000, 'k', '/a');
    assert.deepEqual(readRows(ring), [['k', '/a', 200, 10, 1]]);
    push(ring, 1_000, 'k', '/a');
    ring.discard(1);
    assert.deepEqual(readRows(ring), [['k', '/a', 200, 10, 1]]);
  });

  it('cover every request that was not dropped, whenever they are written', () => {
    const request = fc.record({
      key: fc.nat(2),
      endpoint: fc.nat(2),
      passMs: fc.nat(700),
      status: fc.constantFrom(200, 304, 404, 429),
    });
    const step = fc.oneof(
      { weight: 8, arbitrary: request },
      { weight: 1, arbitrary: fc.constant('write' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const ring = new UsageRing(8);
        let [ts, pushed, written] = [0, 0, 0];
        const write = () => {
          const rows = readRows(ring, 3);
          written += rows.reduce((sum, row) => sum + Number(row[4]), 0);
          ring.discard(rows.length);
        };
        for (const one of steps) {
          if (one === 'write') write();
          else {
            ts += one.passMs;
            pushed += 1;
            push(ring, ts, `k${one.key}`, `/${one.endpoint}`, one.status);
          }
        }
        while (ring.size > 0) write();
        assert.equal(written + ring.dropped, pushed);
      }),
    );
  });
});
