import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventOf, positionOf, pricedAt, quoteOf } from '../../../test/support/priced-event.ts';
import { matchPositions } from './matched-position.ts';

const event = eventOf([pricedAt(200, 0.2, 0.3), pricedAt(220, 0.8, 0.7)]);

describe('matching a position to its bucket', () => {
  it('uses the token and its side', () => {
    const held = [positionOf('no-220', 5), positionOf('yes-200', 5)];
    assert.deepEqual(
      matchPositions([event], held).map(({ bucketIndex, side }) => [bucketIndex, side]),
      [
        [1, 'No'],
        [0, 'Yes'],
      ],
    );
  });

  it('finds the event that the position belongs to', () => {
    const other = eventOf([pricedAt(500, 1, 0.5)], { eventId: 2 });
    assert.equal(matchPositions([event, other], [positionOf('yes-500', 5)])[0]!.eventIndex, 1);
  });

  it('ignores other markets and empty positions', () => {
    for (const position of [
      positionOf('elsewhere', 5),
      positionOf('yes-200', 0),
      positionOf('yes-200', Number.NaN),
    ]) {
      assert.deepEqual(matchPositions([event], [position]), []);
    }
  });
});

describe('matched position', () => {
  it('wins with the probability of its side', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (p) => {
        const held = [positionOf('yes-200', 1), positionOf('no-200', 1)];
        const [yes, no] = matchPositions([eventOf([pricedAt(200, p, 0.4)])], held);
        assert.ok(Math.abs(yes!.winProbability + no!.winProbability - 1) < 2e-6);
      }),
    );
  });

  it('has the book price of its side', () => {
    const bucket = pricedAt(200, 0.2, 0.3, { noQuote: quoteOf('no-200', 0.6, 0.64) });
    const [no] = matchPositions([eventOf([bucket])], [positionOf('no-200', 1)]);
    assert.equal(no!.currentPrice, 0.62);
  });

  it('values No at 1 minus Yes if it has no book', () => {
    const bucket = pricedAt(200, 0.2, 0.3, { noQuote: null });
    assert.equal(matchPositions([eventOf([bucket])], [positionOf('no-200', 1)])[0]!.currentPrice, 0.7);
  });

  it("uses the wallet's price if the market shows none", () => {
    const bucket = pricedAt(200, 0.2, 0.3, { marketPrice: null, yesQuote: null, noQuote: null });
    const held = [positionOf('yes-200', 1, { currentPrice: 0.11 }), positionOf('no-200', 1)];
    assert.deepEqual(
      matchPositions([eventOf([bucket])], held).map(({ currentPrice }) => currentPrice),
      [0.11, 0.3],
    );
  });
});
