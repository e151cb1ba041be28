import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WindowEvidence } from './count-window.ts';
import { resolveWindow } from './count-window.ts';
import { MARKET_TIME_ZONE } from './zoned-time.ts';

const window = { startTs: Date.UTC(2026, 7, 15, 16), endTs: Date.UTC(2026, 7, 17, 16) };
const evidence: WindowEvidence = {
  rules: 'Posts from August 15, 2026, 12:00 PM ET to August 17, 2026, 12:00 PM ET.',
  title: 'Some Name # tweets August 15 - August 17, 2026?',
  slug: 'some-name-of-tweets-august-15-august-17',
  listedEndTs: window.endTs,
  trackingWindow: { startTs: window.startTs, endTs: window.endTs - 1_000 },
  timeZone: MARKET_TIME_ZONE,
};
const silent = { ...evidence, rules: '', title: '', slug: '' };

describe('resolving a window', () => {
  it('uses the window that all sources agree on and reports no conflict', () => {
    assert.deepEqual(resolveWindow(evidence), { window, conflicts: [] });
  });

  it('overrules and reports an oracle with the wrong end', () => {
    const trackingWindow = { startTs: window.startTs, endTs: window.endTs - 12 * 3_600_000 };
    const resolution = resolveWindow({ ...evidence, trackingWindow });
    assert.deepEqual(resolution.window, window);
    assert.match(resolution.conflicts.join(), /^the oracle: 2026-08-15T16:00/);
  });

  it('does not trust the oracle alone', () => {
    assert.equal(resolveWindow({ ...silent, listedEndTs: null }).window, null);
  });

  it('trusts the oracle if the listed end confirms it', () => {
    assert.deepEqual(resolveWindow(silent).window, evidence.trackingWindow);
  });

  it('prefers the rules in a tie', () => {
    const title = 'Some Name # tweets August 16 - August 18, 2026?';
    const resolution = resolveWindow({
      ...evidence,
      title,
      slug: '',
      listedEndTs: null,
      trackingWindow: null,
    });
    assert.deepEqual(resolution.window, window);
    assert.equal(resolution.conflicts.length, 1);
  });

  it('reports a listing with a different end', () => {
    const resolution = resolveWindow({ ...evidence, listedEndTs: window.endTs + 86_400_000 });
    assert.deepEqual(resolution.window, window);
    assert.match(resolution.conflicts.join(), /the listing ends at 2026-08-18/);
  });
});
