import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createRandom } from '../../runtime/random.ts';
import type { PostStore } from '../../store/ports.ts';
import type { PostFeed } from '../feeds/post-feed.ts';
import type { AccountRecorder } from '../recorder/account-recorder.ts';
import { createDoubtCheck } from './post-checks.ts';

describe('doubtful posts', () => {
  /** Returns the minutes at which the platform was queried; it settles the doubt at `clearAtMinute`. */
  async function watch(minutes: number, clearAtMinute: number): Promise<number[]> {
    const clock = createManualClock(0);
    const askedAt: number[] = [];
    let doubtful = ['1'];
    const source = {
      name: 'x',
      fetchByIds: async (ids: readonly string[]) => {
        const minute = Math.floor(clock.now() / MINUTE_MS);
        if (ids.length > 0) askedAt.push(minute);
        if (minute >= clearAtMinute) doubtful = [];
        return [];
      },
    };
    const loop = createDoubtCheck({
      ...{ clock, random: createRandom(1), logger: silentLogger, timeScale: 1 },
      postFeed: { findSource: () => source } as unknown as PostFeed,
      posts: { listDoubtful: async () => doubtful.map((postId) => ({ postId })) } as unknown as PostStore,
      recorder: {
        account: { accountId: 'a', segment: 'account_a' },
        capture: async () => {},
      } as unknown as AccountRecorder,
    });
    loop.start();
    for (let second = 0; second < minutes * 60; second += 10) await clock.advanceAsync(10_000);
    await loop.stop();
    return askedAt;
  }

  it('are queried less and less often while responses leave them undecided', async () => {
    const askedAt = await watch(70, Infinity);
    assert.ok(askedAt.length >= 4 && askedAt.length <= 7, `${askedAt}`);
    const pauses = askedAt.slice(1).map((at, i) => at - askedAt[i]!);
    assert.deepEqual(
      pauses,
      [...pauses].sort((left, right) => left - right),
    );
  });

  it('are settled by a platform that was too slow at first', async () => {
    const askedAt = await watch(70, 5);
    assert.ok(askedAt.at(-1)! >= 5, `${askedAt}`);
    assert.equal(askedAt.filter((at) => at >= 5).length, 1);
  });
});
