import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Mark, placeLabels } from './place-labels.ts';

const BOUNDS = { left: 44, right: 700, rows: 3 };

describe('mark labels', () => {
  it('go left of their line, newest in the first row, or right of it if there is no room', () => {
    const marks = [
      { x: 50, label: 'model 3' },
      { x: 500, label: 'build 1' },
      { x: 510, label: 'build 2' },
    ];
    assert.deepEqual(placeLabels(marks, BOUNDS), [
      { row: 0, anchor: 'start' },
      { row: 1, anchor: 'end' },
      { row: 0, anchor: 'end' },
    ]);
  });

  it('are omitted rather than overlapping', () => {
    const marks = Array.from({ length: 5 }, (_, i) => ({ x: 400 + i, label: 'build' }));
    const placed = placeLabels(marks, BOUNDS);
    assert.deepEqual(
      placed.map((place) => place?.row ?? null),
      [null, null, 2, 1, 0],
    );
  });

  it('never overlap or leave the drawing', () => {
    const mark = fc.record({
      x: fc.integer({ min: 44, max: 700 }),
      label: fc.string({ minLength: 1, maxLength: 30 }),
    });
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 12 }), (marks) => {
        const boxes = placeLabels(marks, BOUNDS).flatMap((place, i) => {
          const { x, label } = marks[i] as Mark;
          if (!place) return [];
          const width = label.length * 6;
          return [{ ...place, from: place.anchor === 'end' ? x - width : x, width }];
        });
        for (const box of boxes) assert.ok(box.from >= 44 && box.from + box.width <= 700);
        for (const [i, a] of boxes.entries())
          for (const b of boxes.slice(i + 1))
            assert.ok(a.row !== b.row || a.from + a.width < b.from || b.from + b.width < a.from);
      }),
    );
  });
});
