import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completeProfile, idAtPlace, profileOfLetter } from './account-profile.ts';

describe('account profile', () => {
  it("gives the first two accounts the contract's defaults for A and B", () => {
    const a = completeProfile({ accountId: 'a' }, 0);
    const b = completeProfile({ accountId: 'b' }, 1);
    assert.deepEqual(
      [a, b].map(({ publicView, allowsSell, hasRebalancing }) => [publicView, allowsSell, hasRebalancing]),
      [
        ['wide', true, true],
        ['narrow', false, false],
      ],
    );
    assert.deepEqual(a.forecastHints, { sleepPrior: 0.3, initialPostsPerDay: 20 });
    assert.deepEqual(b.forecastHints, { sleepPrior: 0.092, initialPostsPerDay: 20 });
  });

  it("gives other accounts A's endpoints and B's public view", () => {
    const c = completeProfile({ accountId: 'c' }, 2);
    assert.deepEqual([c.publicView, c.allowsSell, c.hasRebalancing], ['narrow', false, true]);
    assert.deepEqual([c.segment, c.displayName], ['account_c', 'Account C']);
  });

  it('keeps configured values and fills in only the missing forecast hints', () => {
    const draft = {
      accountId: 'z',
      segment: 'some-one',
      allowsSell: true,
      forecastHints: { sleepPrior: 0.1 },
    };
    const { segment, displayName, allowsSell, forecastHints } = completeProfile(draft, 5);
    assert.deepEqual([segment, displayName, allowsSell], ['some-one', 'Some One', true]);
    assert.deepEqual([forecastHints.sleepPrior, forecastHints.initialPostsPerDay], [0.1, 20]);
  });

  it("uses the oracle's platform name unless one is configured", () => {
    assert.equal(completeProfile({ accountId: 'a', platform: 'mastodon' }, 0).oraclePlatform, 'TRUTH_SOCIAL');
    assert.equal(completeProfile({ accountId: 'a', oraclePlatform: 'TWITTER' }, 0).oraclePlatform, 'TWITTER');
  });

  it('generates ids a to z, then aa', () => {
    assert.deepEqual([0, 1, 25, 26, 27, 701, 702].map(idAtPlace), ['a', 'b', 'z', 'aa', 'ab', 'zz', 'aaa']);
  });

  it('maps letters to their default profile and anything else to the neutral profile', () => {
    assert.equal(profileOfLetter('a').allowsSell, true);
    assert.equal(profileOfLetter('b').forecastHints.sleepPrior, 0.092);
    assert.deepEqual(profileOfLetter('someone').forecastHints, profileOfLetter('c').forecastHints);
  });
});
