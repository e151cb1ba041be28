import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { prepareJson } from './prepared-body.ts';

const VOLATILE = ['timestamp', 'seconds_remaining', 'age_s'];
/** As an entity tag is meant: the value without what only tells the time, written anew. */
const write = (value: unknown) =>
  JSON.stringify(value, (name, field) => (VOLATILE.includes(name) ? undefined : field));

const words = fc.constantFrom(...VOLATILE, 'id', '"timestamp":1', '\\', '":"', 'age_s":');
const leaves = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(words, fc.oneof(leaves, tie('value'))), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).value;
/** Volatile members are never objects or lists. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.entries(value).every(([name, field]) =>
    VOLATILE.includes(name) ? typeof field !== 'object' : isPlain(field),
  );

describe('the tag of a body', () => {
  it('tells two values apart exactly where they differ in more than the time', () => {
    fc.assert(
      fc.property(values.filter(isPlain), values.filter(isPlain), (a, b) => {
        const isSame = prepareJson(a).etag === prepareJson(b).etag;
        // Told apart without need costs a transfer; taken for the same without being it would be wrong.
        if (isSame) assert.equal(write(a), write(b));
      }),
      { seed: 11, numRuns: 3_000 },
    );
  });

  it('is the same whatever the time', () => {
    const at = (timestamp: unknown, age_s: number) =>
      prepareJson({ timestamp, data: [{ id: 1, age_s, text: '"timestamp":1' }], seconds_remaining: age_s })
        .etag;
    assert.equal(at(1, 2), at(1_700_000_000_000, 0.25));
    assert.equal(at('2026-01-01T00:00:00.000Z', 2), at('a "quoted\\" time', 3));
  });

  it('differs where a text that only looks like a time does', () => {
    const of = (text: string) => prepareJson({ text }).etag;
    assert.notEqual(of('"timestamp":1'), of('"timestamp":2'));
    assert.notEqual(of('x","timestamp":1'), of('x","timestamp":2'));
  });
});
