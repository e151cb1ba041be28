import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { prepareJson } from './prepared-body.ts';

const VOLATILE = ['timestamp', 'seconds_remaining', 'age_s'];
/** Reference for the entity tag: the value re-serialised without its timestamp fields. */
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
/** Timestamp fields are never objects or lists. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.entries(value).every(([name, field]) =>
    VOLATILE.includes(name) ? typeof field !== 'object' : isPlain(field),
  );

describe('entity tag', () => {
  it('matches only if bodies differ in nothing but timestamps', () => {
    fc.assert(
      fc.property(values.filter(isPlain), values.filter(isPlain), (a, b) => {
        const isSame = prepareJson(a).etag === prepareJson(b).etag;
        // A false difference only costs a transfer; a false match would serve wrong data.
        if (isSame) assert.equal(write(a), write(b));
      }),
      { seed: 11, numRuns: 3_000 },
    );
  });

  it('ignores timestamps', () => {
    const at = (timestamp: unknown, age_s: number) =>
      prepareJson({ timestamp, data: [{ id: 1, age_s, text: '"timestamp":1' }], seconds_remaining: age_s })
        .etag;
    assert.equal(at(1, 2), at(1_700_000_000_000, 0.25));
    assert.equal(at('2026-01-01T00:00:00.000Z', 2), at('a "quoted\\" time', 3));
  });

  it('differs when text that looks like a timestamp differs', () => {
    const of = (text: string) => prepareJson({ text }).etag;
    assert.notEqual(of('"timestamp":1'), of('"timestamp":2'));
    assert.notEqual(of('x","timestamp":1'), of('x","timestamp":2'));
  });
});
