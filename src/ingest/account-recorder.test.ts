import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '../domain/account.ts';
import { MAIN_FEED_RULE } from '../domain/counting-rule.ts';
import { createManualClock } from '../runtime/clock.ts';
import { createBoard } from '../state/board.ts';
import { createEmptySnapshot } from '../state/snapshot.ts';
import type { Store } from '../store/ports.ts';
import { createAccountRecorder } from './account-recorder.ts';
import { createCaptureDelays } from './capture-delays.ts';

const START = Date.UTC(2026, 8, 1, 16);
const account: Account = {
  accountId: 'a',
  segment: 'account_a',
  handle: 'someone',
  platformUserId: '7',
  countingRule: MAIN_FEED_RULE,
  marketTimeZone: 'America/New_York',
};

describe('account recorder', () => {
  it('dates an answer by when it came, however long the work before it takes', async () => {
    const clock = createManualClock(START);
    const written = Promise.withResolvers<[]>();
    const feeds = [{ feed: 'own' as const, updatedTs: null, staleAfterMs: 30_000, problem: null }];
    const recorder = createAccountRecorder({
      account,
      initial: createEmptySnapshot('a', START, feeds),
      store: { posts: { recordDeletions: () => written.promise } } as unknown as Store,
      board: createBoard(),
      clock,
      delays: createCaptureDelays(),
      blankTextOnDeletion: false,
    });
    const marking = recorder.markDeleted(['1'], START);
    const answered = recorder.feedAnswered('own');
    clock.advance(60_000);
    written.resolve([]);
    await Promise.all([marking, answered]);
    assert.equal(recorder.snapshot().feeds[0]!.updatedTs, START);
  });
});
