// Signal sizes are cached, but never across a change that affects them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import { createSnapshot } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const PATH = '/signals/account_a?bankroll=700';

async function sizesOf(harness: Harness, path = PATH): Promise<unknown> {
  const { status, json } = await harness.call(path, { key: harness.keys.PRO });
  assert.equal(status, 200);
  return json.data.map(({ signals, strategies }: { signals: object[]; strategies: object }) => ({
    signals,
    strategies,
  }));
}

async function withHarness<T>(run: (harness: Harness) => Promise<T>): Promise<T> {
  const harness = await startHarness();
  try {
    return await run(harness);
  } finally {
    await harness.close();
  }
}

/** Returns a fresh service's response. */
function sizedAfresh(snapshot: AccountSnapshot): Promise<unknown> {
  return withHarness(async (harness) => {
    harness.board.replace(snapshot);
    return sizesOf(harness);
  });
}

describe('signal sizes', () => {
  it('change with every price and forecast', async () => {
    const first = createSnapshot('a', { version: 2 });
    const dearer = {
      ...first,
      version: 3,
      quotes: Object.fromEntries(
        Object.entries(first.quotes).map(([token, quote]) => [
          token,
          { ...quote, bid: (quote.bid ?? 0) * 0.5, ask: (quote.ask ?? 0) * 0.5 },
        ]),
      ),
    };
    const surer = {
      ...dearer,
      version: 4,
      events: dearer.events.map((state) => ({
        ...state,
        forecast: state.forecast && {
          ...state.forecast,
          bucketProbabilities: [...state.forecast.bucketProbabilities].reverse(),
        },
      })),
    };
    const said = await withHarness(async (harness) => {
      const sizes: unknown[] = [];
      for (const snapshot of [first, dearer, surer]) {
        harness.board.replace(snapshot);
        sizes.push(await sizesOf(harness));
      }
      return sizes;
    });
    const afresh = [await sizedAfresh(first), await sizedAfresh(dearer), await sizedAfresh(surer)];
    assert.deepEqual(said, afresh);
    assert.notDeepEqual(said[0], said[1]);
    assert.notDeepEqual(said[1], said[2]);
  });

  it('match the requested bankroll, regardless of earlier requests', async () => {
    await withHarness(async (harness) => {
      const before = await sizesOf(harness);
      await sizesOf(harness, '/signals/account_a?bankroll=90000');
      harness.board.replace({ ...createSnapshot('a'), version: 2 });
      assert.deepEqual(await sizesOf(harness), before);
    });
  });
});
