// A small share of npx tallycast lab fuzz: no input from outside may throw what its caller does not expect.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzParsers, pumpParsers } from './fuzz-parsers.ts';

describe('parsers of the outside world', () => {
  it('survive mutated inputs', async () => {
    const { problems } = await fuzzParsers(1, 120);
    assert.deepEqual(problems, []);
  });

  it('take time in proportion to the text, whatever is repeated in it', async () => {
    const { problems, slowestMs, slowest } = await pumpParsers(100_000, { ends: ['!'] });
    assert.deepEqual(problems, []);
    // Of the thread's own time. What grows with the square of the text takes tens of seconds.
    assert.ok(slowestMs < 1_000, `${slowestMs} ms of ${slowest}`);
  });

  it('do not let an input change the prototype of objects', async () => {
    await fuzzParsers(2, 20);
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as { length?: unknown }).length, undefined);
  });
});
