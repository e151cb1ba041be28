import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { createRandom } from '../../runtime/random.ts';
import { foreseeDeletions, learnDeletions, survival } from './deletions.ts';

const NOW_TS = Date.UTC(2026, 10, 11);

function drawLives(posts: number, share: number) {
  const random = createRandom(5);
  return Array.from({ length: posts }, () => {
    const createdTs = NOW_TS - 3 * DAY_MS - random.uniform() * 50 * DAY_MS;
    const isGone = random.uniform() < share;
    return { createdTs, deletedTs: isGone ? createdTs + random.uniform() * 30 * HOUR_MS : null };
  });
}

describe('deletions', () => {
  it("are learned from the lifetimes of an account's posts", () => {
    const curve = learnDeletions(drawLives(4_000, 0.2), NOW_TS);
    assert.ok(Math.abs(survival(curve, 0, 3 * DAY_MS) - 0.8) < 0.02);
    assert.ok(survival(curve, DAY_MS, 3 * DAY_MS) > 0.94);
    assert.equal(survival(curve, 2 * DAY_MS, 9 * DAY_MS), 1);
  });

  it('are rare by default', () => {
    assert.ok(Math.abs(survival(learnDeletions([], NOW_TS), 0, 3 * DAY_MS) - 0.98) < 0.001);
  });

  it('depend on how old a post will be at settlement', () => {
    const curve = learnDeletions(drawLives(4_000, 0.2), NOW_TS);
    const late = foreseeDeletions(curve, [], NOW_TS, NOW_TS + HOUR_MS, NOW_TS + 4 * HOUR_MS);
    const early = foreseeDeletions(curve, [], NOW_TS, NOW_TS + 6 * DAY_MS, NOW_TS + 6 * DAY_MS + 3 * HOUR_MS);
    assert.ok(late.comingKept > 0.95 && early.comingKept < 0.85);
  });

  it('affect existing posts only while they are young', () => {
    const curve = learnDeletions(drawLives(4_000, 0.2), NOW_TS);
    const standingTs = [NOW_TS - 3 * DAY_MS, NOW_TS - 3 * DAY_MS, NOW_TS - HOUR_MS / 2];
    const { standing } = foreseeDeletions(curve, standingTs, NOW_TS, NOW_TS + DAY_MS, NOW_TS + 2 * DAY_MS);
    const kept = Object.fromEntries(standing.map((group) => [group.posts, group.kept]));
    assert.equal(kept[2], 1);
    assert.ok(kept[1]! < 0.85);
  });
});
