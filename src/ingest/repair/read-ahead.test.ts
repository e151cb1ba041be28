import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAhead } from './backfill.ts';

/** Counts up to `end` and records each request; fails at `badAt`. */
function createCounter(end: number, badAt = Number.NaN) {
  const asked: number[] = [];
  let isEnded = false;
  async function* count() {
    try {
      for (let i = 0; i < end; i++) {
        asked.push(i);
        if (i === badAt) throw new Error(`no ${i}`);
        yield i;
      }
    } finally {
      isEnded = true;
    }
  }
  return { asked, count, isEnded: () => isEnded };
}

describe('read ahead', () => {
  it('returns everything in order, fetching one item ahead', async () => {
    const { asked, count } = createCounter(4);
    const seen: number[] = [];
    for await (const item of readAhead(count())) {
      seen.push(item);
      await Promise.resolve();
      assert.ok(asked.length <= item + 2, `${asked} at ${item}`);
      assert.ok(asked.length >= Math.min(4, item + 2), `${asked} at ${item}`);
    }
    assert.deepEqual(seen, [0, 1, 2, 3]);
  });

  it('reports a failure only after the preceding items', async () => {
    const seen: number[] = [];
    await assert.rejects(async () => {
      for await (const item of readAhead(createCounter(4, 2).count())) seen.push(item);
    }, /no 2/);
    assert.deepEqual(seen, [0, 1]);
  });

  it('ends the sequence when the consumer stops, even if an item was fetched ahead', async () => {
    const { count, isEnded } = createCounter(4, 1);
    for await (const item of readAhead(count())) {
      assert.equal(item, 0);
      break;
    }
    assert.equal(isEnded(), true);
  });
});
