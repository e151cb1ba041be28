import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeCosts, estimateMonthUsd } from './post-costs.ts';
import type { AccountSources } from './source.ts';

describe('the monthly cost of post sources', () => {
  it('is stated per account and source before any call', () => {
    const source = (kind: string, periodMs: number, capUsd: number | null) => ({
      ...{ kind, name: kind, periodMs },
      spend: () => (kind === 'oracle' ? null : { dayUsd: 0, monthUsd: 0, capUsd }),
    });
    const posts = [
      source('x', 1_000, 100),
      source('twitterapi', 30_000, null),
      source('oracle', 60_000, null),
    ];
    const entry = { account: { segment: 'a' }, posts } as unknown as AccountSources;
    assert.deepEqual(describeCosts(entry), [
      'a: x costs about 34 USD a month at 90 posts a day; all accounts capped at 100 USD',
      'a: twitterapi costs about 259 USD a month at a call every 30 s; no cap',
    ]);
  });

  it('grows with posts on X and with calls on twitterapi.io', () => {
    assert.deepEqual([estimateMonthUsd('x', 0, 180), estimateMonthUsd('twitterapi', 60_000)], [67, 130]);
    assert.equal(estimateMonthUsd('rss', 60_000), null);
  });
});
