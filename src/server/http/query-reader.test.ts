import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SignalsQuery } from '../endpoints/signals.ts';
import { createQueryReader } from './query-reader.ts';

describe('query parser', () => {
  it('returns the same result when a query is repeated after others', () => {
    const text = fc
      .array(
        fc.tuple(
          fc.constantFrom('bankroll', 'bankrol', 'only_with_signals', 'other'),
          fc.constantFrom('1', '500', 'x', '', 'true', '%41', 'a+b'),
        ),
        { maxLength: 3 },
      )
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
    const read = createQueryReader(SignalsQuery);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        for (const each of [...texts, ...texts])
          assert.deepEqual(read(each), createQueryReader(SignalsQuery)(each));
      }),
    );
  });

  it('caches only a few queries, and no long ones', () => {
    const read = createQueryReader(SignalsQuery);
    const [first, long] = ['bankroll=5', `bankroll=5&other=${'x'.repeat(200)}`];
    assert.equal(read(first), read(first));
    assert.notEqual(read(long), read(long));
    const once = read(first);
    for (let i = 0; i < 100; i++) read(`bankroll=${100 + i}`);
    assert.notEqual(read(first), once);
  });

  it('does not cache invalid queries, and reports likely typos', () => {
    const read = createQueryReader(SignalsQuery);
    assert.equal(read('bankroll=nothing').faults?.length, 1);
    assert.match(read('bankrol=5').warning!, /did you mean bankroll/);
    assert.match(read('bankrol=5').warning!, /did you mean bankroll/);
  });
});
