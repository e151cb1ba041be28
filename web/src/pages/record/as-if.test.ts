import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAsIf } from './as-if.ts';

describe('a forecast', () => {
  it('counts as recomputed if its model version says so', () => {
    assert.equal(isAsIf({ model_version: 'core/1+backfill' }), true);
    assert.equal(isAsIf({ model_version: 'core/1' }), false);
  });
});
