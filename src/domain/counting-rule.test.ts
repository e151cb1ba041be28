import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCountedBy, isInDoubt, type JudgedPost, MAIN_FEED_RULE } from './counting-rule.ts';

const ORIGINAL: JudgedPost = {
  isReply: false,
  isQuote: false,
  isRetweet: false,
  isSelfReply: false,
  isCommunity: false,
};
const SELF_REPLY: JudgedPost = { ...ORIGINAL, isReply: true, isSelfReply: true };
const ANY_ROOT = { ...MAIN_FEED_RULE, selfReplyRoots: 'any' as const };

describe('counting rule', () => {
  it('counts a self-reply depending on who started the conversation', () => {
    assert.equal(isCountedBy(MAIN_FEED_RULE, { ...SELF_REPLY, conversation: 'own' }), true);
    assert.equal(isCountedBy(MAIN_FEED_RULE, { ...SELF_REPLY, conversation: 'other' }), false);
    assert.equal(isCountedBy(ANY_ROOT, { ...SELF_REPLY, conversation: 'other' }), true);
  });

  it('is doubtful only if the verdict depends on an unknown conversation starter', () => {
    assert.equal(isInDoubt(MAIN_FEED_RULE, SELF_REPLY), true);
    assert.equal(isInDoubt(ANY_ROOT, SELF_REPLY), false);
    assert.equal(isInDoubt(MAIN_FEED_RULE, { ...SELF_REPLY, conversation: 'other' }), false);
    assert.equal(isInDoubt({ ...MAIN_FEED_RULE, selfReplies: false }, SELF_REPLY), false);
    assert.equal(isInDoubt(MAIN_FEED_RULE, ORIGINAL), false);
    assert.equal(isInDoubt(MAIN_FEED_RULE, { ...ORIGINAL, isDoubtful: true }), true);
  });
});
