import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FaultError } from './faults.ts';
import { readCursor, writeCursor } from './query-string.ts';

describe('page cursor', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 3 }), (numbers) => {
        assert.deepEqual(readCursor(writeCursor(...numbers), numbers.length), numbers);
      }),
    );
  });

  it('rejects invalid cursors and cursors from another list', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          assert.equal(writeCursor(...readCursor(text, 2)), text);
        } catch (error) {
          assert.ok(error instanceof FaultError);
        }
      }),
    );
    assert.throws(() => readCursor(writeCursor(1), 2), FaultError);
    assert.throws(() => readCursor('', 1), FaultError);
    assert.throws(() => readCursor(Buffer.from('1e3').toString('base64url'), 1), FaultError);
  });
});
