import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScoreRow } from './score-book.ts';
import { describeVerdicts } from './verdict.ts';

const rows = (scores: readonly number[]): ScoreRow[] =>
  scores.map((crps) => ({
    ...{ crps, logScore: 0, bucketLogScore: 0, rps: 0, errorPercent: 0 },
    ...{ pitLo: 0, pitHi: 1 },
  }));
const steady = (level: number) => rows(Array.from({ length: 40 }, (_, i) => level + (i % 5) * 0.1));

describe('backtest verdicts', () => {
  it('report the winner at each lead with its interval, losses first', () => {
    const byLead = new Map([
      [
        6,
        new Map([
          ['tallycast', steady(4)],
          ['naive', steady(8)],
          ['pace', steady(5)],
        ]),
      ],
      [
        24,
        new Map([
          ['tallycast', steady(6)],
          ['pace', steady(5)],
        ]),
      ],
    ]);
    const [first, second] = describeVerdicts(byLead, 2);
    assert.match(first!, /^pace beats tallycast 24 h before the end: its CRPS is better by 19\.\d% \(90%: 1/);
    assert.match(
      second!,
      /^tallycast beats pace, the best other model, 6 h before the end: .* 19\.\d% \(90%: /,
    );
  });

  it('are undecided if the interval includes zero', () => {
    const wild = (shift: number) => rows(Array.from({ length: 30 }, (_, i) => 1 + ((i * 7 + shift) % 11)));
    const compare = (ours: number, theirs: number) => {
      const models = new Map([
        ['tallycast', wild(ours)],
        ['pace', wild(theirs)],
      ]);
      return describeVerdicts(new Map([[6, models]]), 2)[0]!;
    };
    const texts = [compare(0, 5), compare(5, 0)].sort();
    assert.match(texts[0]!, /^Undecided 6 h before the end: tallycast is \d+\.\d% ahead of pace \(/);
    assert.match(texts[1]!, /^Undecided 6 h before the end: tallycast is \d+\.\d% behind pace \(/);
  });

  it('are empty without another model to compare', () => {
    assert.deepEqual(describeVerdicts(new Map([[6, new Map([['tallycast', steady(1)]])]]), 2), []);
  });
});
