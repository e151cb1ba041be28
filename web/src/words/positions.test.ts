import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PortfolioRecord } from '../api/records.ts';
import { addUp, describeChanges, groupPositions } from './positions.ts';

function recordOf(id: number, verdicts: readonly (string | undefined)[]): PortfolioRecord {
  const positions = verdicts.map((verdict, i) => ({
    bucket: `b${i}`,
    ...(verdict && { advice: { verdict } }),
  }));
  return { event: { id }, positions } as unknown as PortfolioRecord;
}

describe('positions by event', () => {
  it('separates trades from the rest, which includes closed buckets', () => {
    const [group] = groupPositions([recordOf(1, ['NOTHING', 'EXIT', undefined, 'BUY_NO'])]);
    assert.deepEqual(
      [group!.actions, group!.others].map((list) => list.map(({ bucket }) => bucket)),
      [
        ['b1', 'b3'],
        ['b0', 'b2'],
      ],
    );
  });

  it('lists events with trades first and leaves out events without positions', () => {
    const records = [
      recordOf(1, ['NOTHING']),
      recordOf(2, []),
      recordOf(3, ['EXIT']),
      recordOf(4, ['BUY_YES']),
    ];
    assert.deepEqual(
      groupPositions([...records, { event: null, positions: [] }]).map(({ event }) => event.id),
      [3, 4, 1],
    );
  });
});

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

  it('is empty if no held bucket has a trade', () => {
    assert.equal(describeChanges([held('90+', 'NOTHING', 0)]), '');
  });
});

describe('totals over all events', () => {
  it('value shares at the market and at the blended probability, or the model’s without advice', () => {
    const held = (part: object) =>
      ({ tokens: 10, current_value: 4, cost_basis: 5, analysis: { win_probability: 0.9 }, ...part }) as never;
    assert.deepEqual(addUp([held({ belief_prob: 0.5 }), held({})]), {
      valueUsd: 8,
      costUsd: 10,
      worthUsd: 14,
    });
  });
});
