import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FEEDS, getStaleAfterMs } from './feeds.ts';

it('marks a feed as stale after its limit, but never within 5 s of wall-clock time in a fast simulation', () => {
  assert.equal(getStaleAfterMs('own', 1), FEEDS.own.staleAfterMs);
  assert.equal(getStaleAfterMs('own', 2), FEEDS.own.staleAfterMs);
  assert.equal(getStaleAfterMs('own', 600), 600 * 5_000);
  assert.equal(getStaleAfterMs('settled', 600), FEEDS.settled.staleAfterMs);
});
