import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAsIf } from './as-if.ts';

describe('recomputed record', () => {
  const live = { model_version: 'core/1' };
  const later = { model_version: 'core/1+backfill' };

  it('is labelled, whole or in part', () => {
    assert.match(
      describeAsIf([later, later])!,
      /^All 2 forecasts were recomputed from data available at the time/,
    );
    assert.match(describeAsIf([live, later, live])!, /^1 of 3 forecasts/);
  });

  it('is not mentioned if there is none', () => {
    assert.equal(describeAsIf([live]), null);
    assert.equal(describeAsIf([]), null);
  });
});
