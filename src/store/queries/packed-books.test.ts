import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { BookChange } from '../../domain/book.ts';
import { packBooks, unpackBooks } from './packed-books.ts';

const price = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000),
);
const shares = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 1e9 }).map((n) => n / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const change: fc.Arbitrary<BookChange> = fc.record(
  {
    bucket: fc.constantFrom('<20', '20-39', '500+', 'odd label'),
    side: fc.constantFrom('yes', 'no'),
    observedTs: fc.integer({ min: 1_790_000_000_000, max: 1_790_003_599_999 }),
    bid: price,
    ask: price,
    bidShares: shares,
    askShares: shares,
    bidDepth: shares,
    askDepth: shares,
    lastTradePrice: price,
  },
  { noNullPrototype: true },
);

describe('packed books', () => {
  it('unpack to exactly what was packed', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.uniqueArray(fc.nat(359)), (list, slots) => {
        const hour = {
          changes: list.sort((left, right) => left.observedTs - right.observedTs),
          slots: slots.sort((left, right) => left - right),
        };
        assert.deepEqual(unpackBooks(packBooks(hour, 'piece')), hour);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('use less than three bytes per change in a typical book', () => {
    const changes = Array.from({ length: 800 }, (_, i) => ({
      ...{ bucket: `${i % 12}`, side: 'yes' as const, observedTs: 1_790_000_000_000 + i * 4_400 },
      ...{ bid: 0.1 + (i % 3) / 100, ask: 0.12, bidShares: 120.5 + i, askShares: 80, bidDepth: 900 },
      ...{ askDepth: 700, lastTradePrice: 0.11 },
    }));
    assert.ok(packBooks({ changes, slots: [] }, 'whole').length < 3 * changes.length);
  });
});
