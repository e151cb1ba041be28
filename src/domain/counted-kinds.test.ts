// The recorded figures are in ../shared/data (what the oracle counted hour by hour for account A, late 2025).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDisputes, findDisputed, kindOf, learnKinds, type SettledKinds } from './counted-kinds.ts';
import { MAIN_FEED_RULE } from './counting-rule.ts';

const week = (at: number, posts: SettledKinds['posts'], oracle: number, days = 7): SettledKinds => ({
  window: { startTs: at * 7, endTs: at * 7 + days },
  posts,
  oracle,
});
const learn = (...settled: SettledKinds[]) => learnKinds(MAIN_FEED_RULE, settled);
const recordOf = (lesson: ReturnType<typeof learn>, kind: string) => {
  const { ours, low, high } = lesson.records.find((one) => one.kind === kind)!;
  return [ours, low, high];
};

describe('kinds of post that the oracle counts', () => {
  it('are known exactly where a window has one contested kind, and within a range where it has two', () => {
    const lesson = learn(
      week(0, { post: 100, ownThread: 3 }, 101),
      week(1, { post: 100, ownThread: 2, otherThread: 2 }, 102),
    );
    assert.deepEqual(recordOf(lesson, 'ownThread'), [5, 1, 3]);
    assert.deepEqual(recordOf(lesson, 'otherThread'), [0, 0, 2]);
    assert.deepEqual(describeDisputes(lesson), [
      'replies in own threads: counted by us 5, by the oracle 1 to 3 (2 settled windows)',
    ]);
    const { ownRejected, otherAccepted } = findDisputed(lesson)!;
    assert.ok(ownRejected > 0.1 && ownRejected < 0.5);
    assert.equal(otherAccepted, 0, 'no window proves that it counts one');
  });

  it('are undisputed while every window agrees with the rule', () => {
    const lesson = learn(
      week(0, { post: 90, ownThread: 20, reply: 50 }, 110),
      week(1, { post: 80, otherThread: 3 }, 80),
    );
    assert.deepEqual([findDisputed(lesson), describeDisputes(lesson)], [null, []]);
    const few = findDisputed(learn(week(0, { post: 90, ownThread: 4 }, 94)))!;
    assert.ok(few.ownRejected > 0 && few.ownRejected < 0.05, 'four posts do not settle it');
  });

  it("follow the oracle's own list where it is complete, even if the total can be explained otherwise", () => {
    const listed = { post: 99, ownThread: 2 };
    const lesson = learn({ ...week(0, { post: 100, ownThread: 2 }, 101), listed });
    assert.deepEqual(recordOf(lesson, 'ownThread'), [2, 2, 2]);
    assert.deepEqual(describeDisputes(lesson), [
      'posts: counted by us 100, by the oracle 99 (1 settled windows)',
    ]);
  });

  it('count each post once where windows overlap, and say which totals no choice explains', () => {
    const lesson = learn(
      week(0, { post: 10, ownThread: 1 }, 10),
      week(0, { post: 4, ownThread: 1 }, 4, 3),
      week(2, { post: 10, ownThread: 1 }, 8),
    );
    assert.deepEqual([lesson.windows, lesson.unexplained], [2, 1]);
    assert.deepEqual(recordOf(lesson, 'post'), [14, 12, 14]);
  });

  it('are read from the flags of a post', () => {
    const flags = { isReply: true, isSelfReply: true, isQuote: true, isRetweet: false, isCommunity: false };
    assert.equal(kindOf(flags), 'ownThread');
    assert.equal(kindOf({ ...flags, conversation: 'other' }), 'otherThread');
    assert.equal(kindOf({ ...flags, isSelfReply: false }), 'reply');
  });
});
