import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeCosts, estimateMonthUsd } from './post-costs.ts';
import type { AccountSources } from './source.ts';

describe('the monthly cost of post sources', () => {
  it('is stated per account and source before any call', () => {
    const source = (kind: string, capUsd: number | null) => ({
      ...{ kind, name: kind },
      spend: () => (kind === 'oracle' ? null : { dayUsd: 0, monthUsd: 0, capUsd }),
    });
    const posts = [source('x', 100), source('oracle', null)];
    const entry = { account: { segment: 'a' }, posts } as unknown as AccountSources;
    assert.deepEqual(describeCosts(entry), [
      'a: x costs about 34 USD a month at 90 posts a day; all accounts capped at 100 USD',
    ]);
  });

  it('grows with posts on X', () => {
    assert.deepEqual([estimateMonthUsd('x', 180), estimateMonthUsd('rss')], [67, null]);
  });
});
