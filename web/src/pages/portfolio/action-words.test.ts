import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeChanges } from './action-words.ts';

type Held = Parameters<typeof describeChanges>[0][number];

function held(bucket: string, verdict: NonNullable<Held['advice']>['verdict'], stake: number): Held {
  return {
    bucket,
    advice: { verdict, stake, sentence: `${verdict} ${bucket}` } as NonNullable<Held['advice']>,
  };
}

describe('advice for the positions in an event', () => {
  it('lists the advice for each held bucket once, largest stake first', () => {
    const positions = [
      held('40-64', 'BUY_NO', 5),
      held('65-89', 'BUY_YES', 30),
      held('65-89', 'BUY_YES', 30),
      held('90+', 'NOTHING', 0),
    ];
    assert.equal(describeChanges(positions), 'BUY_YES 65-89. BUY_NO 40-64.');
  });

  it('says so if no held bucket has a trade', () => {
    assert.equal(describeChanges([held('90+', 'NOTHING', 0)]), 'No trade for your positions.');
  });
});
