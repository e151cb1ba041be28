import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAsIf } from './as-if.ts';

describe('a record from before the service was started', () => {
  const live = { model_version: 'core/1' };
  const later = { model_version: 'core/1+backfill' };

  it('is called what it is, whole or in part', () => {
    assert.match(
      describeAsIf([later, later])!,
      /^All 2 forecasts were recomputed from data available at the time/,
    );
    assert.match(describeAsIf([live, later, live])!, /^1 of 3 forecasts/);
  });

  it('is not spoken of where there is none', () => {
    assert.equal(describeAsIf([live]), null);
    assert.equal(describeAsIf([]), null);
  });
});
