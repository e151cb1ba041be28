// A small part of npx tallycast lab fuzz: no external input may cause an unexpected error.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzParsers, pumpParsers } from './fuzz-parsers.ts';

describe('parsers of external input', () => {
  it('survive mutated inputs', async () => {
    const { problems } = await fuzzParsers(1, 120);
    assert.deepEqual(problems, []);
  });

  it('take linear time for any repetitive text', async () => {
    const { problems, slowestMs, slowest } = await pumpParsers(100_000, { ends: ['!'] });
    assert.deepEqual(problems, []);
    // Measured in thread CPU time; quadratic behaviour takes tens of seconds.
    assert.ok(slowestMs < 1_000, `${slowestMs} ms for ${slowest}`);
  });

  it('do not let an input change Object.prototype', async () => {
    await fuzzParsers(2, 20);
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as { length?: unknown }).length, undefined);
  });
});
