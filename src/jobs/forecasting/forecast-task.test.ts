import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf, ORIGIN_TS, postOf, pretendPosts } from '../../../test/jobs/jobs-fixture.ts';
import { profileOfLetter } from '../../domain/account-profile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { getAccountParameters } from '../../forecast/parameters.ts';
import { type AccountSnapshot, createEmptySnapshot, type EventState } from '../../state/snapshot.ts';
import { createForecastEngine } from './forecast-engine.ts';
import { toTask } from './forecast-task.ts';

const event = eventOf(1, ORIGIN_TS - DAY_MS, 7);

/** One post per hour before now; the given ones (0 is the latest) were deleted. */
function openDay(deleted: readonly number[], oracleCount: number | null) {
  const recentPosts = Array.from({ length: 20 }, (_, i) => ({
    ...postOf(ORIGIN_TS - i * HOUR_MS - MINUTE_MS),
    ...(deleted.includes(i) && { deletedTs: ORIGIN_TS }),
  }));
  const state = {
    event,
    counters: { real: 20, oracle: oracleCount, ui: null },
    oracleUpdatedTs: ORIGIN_TS,
  } as EventState;
  const snapshot: AccountSnapshot = { ...createEmptySnapshot('a', ORIGIN_TS, []), recentPosts };
  return toTask(state, snapshot, ORIGIN_TS, false);
}

const deletionsOf = ({ oracle }: ReturnType<typeof openDay>) => [
  oracle!.deletedSinceLastCatchUp,
  oracle!.deletedMissed,
];

describe('oracle state of a forecast task', () => {
  it('has no open deletions while the oracle matches or has no count', () => {
    assert.deepEqual(deletionsOf(openDay([3], 20)), [0, 0]);
    assert.deepEqual(deletionsOf(openDay([3], null)), [0, 0]);
  });

  it('treats a deleted post as missed once the oracle should have imported it', () => {
    // The latest post, a minute old, is still on its way.
    assert.deepEqual(deletionsOf(openDay([3], 18)), [1, 1]);
    assert.deepEqual(deletionsOf(openDay([0], 19)), [1, 0]);
  });

  it('assumes a stalled oracle if deletions do not explain the whole gap', () => {
    assert.deepEqual(deletionsOf(openDay([3], 10)), [1, 0]);
  });
});

describe('bucket probabilities', () => {
  const engine = createForecastEngine();
  const posts = pretendPosts(ORIGIN_TS - 40 * DAY_MS, ORIGIN_TS);
  const history = {
    createdTs: Float64Array.from(posts, ({ createdTs }) => createdTs),
    isCounted: Uint8Array.from(posts, ({ isCounted }) => (isCounted ? 1 : 0)),
  };
  engine.load('a', history, getAccountParameters(profileOfLetter('a')));
  /** A minute before the end, with 20 posts: one more than the first bucket allows. */
  const lowestBucket = (deleted: readonly number[], oracleCount: number) => {
    const task = {
      ...openDay(deleted, oracleCount),
      window: { ...event.window, endTs: ORIGIN_TS + MINUTE_MS },
    };
    return engine.forecast('a', [task], ORIGIN_TS).events[0]!.bucketProbabilities[0]!;
  };

  it('keep a bucket open while a deleted post can bring the count back into it', () => {
    assert.ok(Math.abs(lowestBucket([0], 19) - 0.5) < 0.05);
    assert.ok(lowestBucket([3], 18) > 0.9);
  });

  it('rule out a bucket once more posts count than it allows', () => {
    assert.equal(lowestBucket([], 19), 0);
    assert.equal(lowestBucket([3], 20), 0);
  });
});
