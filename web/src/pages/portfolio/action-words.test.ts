import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAction, describeChanges } from './action-words.ts';

type Held = Parameters<typeof describeAction>[0];

function held(bucket: string, sizing: Held['sizing'], recommendation = 'HOLD'): Held {
  const analysis = { signal: 'STRONG_BUY', recommendation } as Held['analysis'];
  return { bucket, outcome: 'Yes', tokens: 10, sizing, analysis };
}
const sized = (action: 'ADD_MORE' | 'TRIM' | 'HOLD', adjustment: number, target_value: number) => ({
  action,
  adjustment,
  target_value,
  kelly_fraction: 0.1,
});

describe('the one action of a position', () => {
  it('is the verdict, whatever signal and recommendation say', () => {
    assert.equal(describeAction(held('40-64', sized('ADD_MORE', 30, 80))), 'Buy $30.00 more');
    assert.equal(describeAction(held('40-64', sized('TRIM', -12, 20))), 'Sell $12.00 of it');
    assert.equal(describeAction(held('40-64', sized('TRIM', -12, 0))), 'Sell all');
    assert.equal(describeAction(held('40-64', sized('HOLD', 0, 20), 'CONSIDER_SELLING')), 'Hold');
  });

  it('is the recommendation where nothing is sized', () => {
    assert.equal(describeAction(held('40-64', undefined, 'CONSIDER_SELLING')), 'Consider selling');
    assert.equal(describeAction(held('40-64', undefined, 'MONITOR')), 'Hold');
  });

  it('leads an event with the largest change, or with nothing to do', () => {
    const positions = [
      held('40-64', sized('TRIM', -5, 20)),
      held('65-89', sized('ADD_MORE', 30, 80)),
      held('90+', sized('HOLD', 0, 20)),
    ];
    const lead = 'To do: 65-89 Yes: buy $30.00 more; 40-64 Yes: sell $5.00 of it.';
    assert.equal(describeChanges(positions), lead);
    assert.equal(describeChanges(positions.slice(2)), 'Nothing to do: hold what is here.');
  });
});
