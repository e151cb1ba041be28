import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { markPossibleEdits, markVersionsOf } from './possible-edit.ts';
import type { CapturedPost, Post } from './post.ts';
import { MINUTE_MS } from './units.ts';

const NOON = Date.UTC(2026, 10, 2, 12);

function post(postId: string, atMinute: number, text: string | null, fields: Partial<Post> = {}): Post {
  const flags = { isReply: false, isQuote: false, isRetweet: false, isSelfReply: false, isCommunity: false };
  const createdTs = NOON + atMinute * MINUTE_MS;
  return { accountId: 'a', postId, createdTs, text, ...flags, rootPostId: postId, ...fields };
}

function captured(one: Post): CapturedPost {
  return { ...one, firstSeenTs: one.createdTs, deletedTs: null, isCounted: true };
}

const marked = (page: Post[], known: Post[]) =>
  markPossibleEdits(page, known.map(captured)).flatMap(({ postId, mayBeEdit }) =>
    mayBeEdit ? [postId] : [],
  );

const before = post('1', 0, 'the launch is on friday');
const older = post('0', -30, 'good morning');

describe('post with a new id', () => {
  it('may be an edit if its words match a post missing from the list', () => {
    const fixed = post('2', 7, 'The launch is on Friday, at noon');
    assert.deepEqual(marked([older, fixed], [older, before]), ['2']);
  });

  it('may be the original of a post first seen in its edited form', () => {
    assert.deepEqual(marked([older, before], [older, post('2', 7, 'the launch is on friday at noon')]), [
      '1',
    ]);
  });

  it('is not an edit if the old post is still listed or the list does not reach back that far', () => {
    const again = post('2', 7, 'the launch is on friday again');
    assert.deepEqual(marked([older, before, again], [older, before]), []);
    assert.deepEqual(marked([again], [before]), []);
  });

  it('is not an edit if its words differ, it comes too late, is a repost or has no text', () => {
    assert.deepEqual(marked([older, post('2', 7, 'dinner')], [older, before]), []);
    assert.deepEqual(marked([older, post('2', 61, 'the launch is on friday!')], [older, before]), []);
    assert.deepEqual(
      marked([older, post('2', 7, 'the launch is on friday', { isRetweet: true })], [older, before]),
      [],
    );
    assert.deepEqual(marked([older, post('2', 7, null)], [older, post('1', 0, null)]), []);
  });

  it('may be an edit if the list retains both versions, whether or not the first is known', () => {
    const fixed = post('2', 7, 'the launch is on friday at noon');
    const page = markPossibleEdits([before, fixed], [], true);
    assert.deepEqual(
      page.map(({ mayBeEdit }) => mayBeEdit ?? false),
      [false, true],
    );
    assert.equal(markPossibleEdits([before, fixed], [captured(before)], true)[1]?.mayBeEdit, true);
  });

  it('may be a version of a post that another source has from the same hour', () => {
    const mended = post('2', 7, 'the launch is on friday at noon');
    const alike = markVersionsOf([mended, post('3', 90, 'the launch is on friday at noon')], [before]);
    assert.deepEqual(
      alike.map(({ mayBeEdit }) => mayBeEdit ?? false),
      [true, false],
    );
  });

  it('is never marked if it is already known, and marking drops no post from the page', () => {
    const arbitraryPost = fc
      .record({ id: fc.integer({ min: 1, max: 30 }), minute: fc.integer({ min: 0, max: 90 }) })
      .map(({ id, minute }) => post(String(id), minute, `the launch is on day ${id}`));
    fc.assert(
      fc.property(fc.array(arbitraryPost), fc.array(arbitraryPost), (page, known) => {
        const out = markPossibleEdits(page, known.map(captured));
        assert.deepEqual(
          out.map(({ postId }) => postId),
          page.map(({ postId }) => postId),
        );
        const knownIds = new Set(known.map(({ postId }) => postId));
        for (const one of out) assert.ok(!(one.mayBeEdit && knownIds.has(one.postId)));
      }),
    );
  });
});
