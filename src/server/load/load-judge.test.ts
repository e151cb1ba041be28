import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { judgeHeap } from './load-guard.ts';
import {
  CROWD_CONNECTIONS,
  CROWD_REQUESTS,
  isRefused,
  LoadJudge,
  PACE_SLICES,
  WAIT_LIMIT_MS,
} from './load-judge.ts';

const FEW = 10;

/** A judge that has seen `slices` slices of 4 ms, each serving `servedInSlice` requests. */
function createJudge(servedInSlice: number, slices = PACE_SLICES): LoadJudge {
  const judge = new LoadJudge();
  for (let i = 0; i < slices; i++) judge.noteSlice(4, servedInSlice);
  return judge;
}

describe('load judge', () => {
  it('refuses nothing before it has measured how long a request takes', () => {
    assert.equal(new LoadJudge().countPlaces('costly', FEW), Infinity);
  });

  it('accepts every request that can be served within the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (servedInSlice) => {
        const waitMs = (createJudge(servedInSlice).countPlaces('costly', FEW) * 4) / servedInSlice;
        assert.ok(waitMs >= WAIT_LIMIT_MS.costly - 1e-9);
      }),
    );
  });

  it('accepts requests from a small number of callers, even if each request is slow', () => {
    const judge = new LoadJudge();
    judge.noteSlice(2_000, 1);
    assert.equal(judge.countPlaces('costly', FEW), CROWD_REQUESTS);
    assert.equal(judge.countPlaces('costly', CROWD_CONNECTIONS), CROWD_REQUESTS);
  });

  it('goes by expected wait alone above a certain number of connections', () => {
    assert.equal(createJudge(2).countPlaces('costly', CROWD_CONNECTIONS), CROWD_REQUESTS);
    assert.equal(createJudge(2).countPlaces('costly', CROWD_CONNECTIONS + 1), WAIT_LIMIT_MS.costly / 2);
  });

  it('accepts prepared requests longer than costly ones, and vital ones always', () => {
    const judge = createJudge(10);
    assert.equal(judge.countPlaces('costly', FEW), 2.5 * WAIT_LIMIT_MS.costly);
    assert.equal(judge.countPlaces('prepared', FEW), 2.5 * WAIT_LIMIT_MS.prepared);
    assert.ok(WAIT_LIMIT_MS.costly < WAIT_LIMIT_MS.prepared);
    assert.equal(judge.countPlaces('vital', FEW), Infinity);
  });

  it('does not mistake machine stalls for slow service', () => {
    const judge = createJudge(10);
    for (let stalls = 0; stalls < PACE_SLICES >> 1; stalls++) judge.noteSlice(800, 1);
    assert.equal(judge.countPlaces('costly', FEW), 2.5 * WAIT_LIMIT_MS.costly);
    judge.noteSlice(800, 1);
    assert.equal(judge.countPlaces('costly', FEW), CROWD_REQUESTS, 'but notices a lasting slowdown');
  });

  it('adapts to a new rate within a few slices', () => {
    const judge = createJudge(1);
    for (let i = 0; i <= PACE_SLICES >> 1; i++) judge.noteSlice(4, 100);
    assert.equal(judge.countPlaces('costly', FEW), 25 * WAIT_LIMIT_MS.costly);
  });
});

describe('load levels', () => {
  it('refuse costly routes first, then prepared ones, never vital ones', () => {
    assert.deepEqual(
      ([0, 1, 2] as const).map((level) =>
        (['costly', 'prepared', 'vital'] as const).filter((cost) => isRefused(cost, level)),
      ),
      [[], ['costly'], ['costly', 'prepared']],
    );
  });
});

describe('heap level', () => {
  it('rises before memory runs out', () => {
    assert.deepEqual([0.5, 0.93, 0.97].map(judgeHeap), [0, 1, 2]);
  });
});
