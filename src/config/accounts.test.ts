import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { UsageError } from '../runtime/errors.ts';
import { type Config, loadConfig } from './config.ts';

const LIVE_URLS = {
  oracleBaseUrl: 'http://o',
  marketGammaBaseUrl: 'http://g',
  marketClobBaseUrl: 'http://c',
  marketDataBaseUrl: 'http://d',
  xApiBaseUrl: 'http://x',
  mastodonBaseUrl: 'http://m',
  xBearerToken: 't',
};
const LIVE = { platformUserId: '1', handle: 'somebody', series: ['somebody-posts'] };

function load(accounts: unknown, rest: object = {}, argv: string[] = [], env: object = {}): Config {
  const path = join(mkdtempSync(join(tmpdir(), 'tallycast-config-')), 'config.json');
  writeFileSync(path, JSON.stringify({ accounts, ...rest }));
  return loadConfig(argv, { TALLYCAST_CONFIG: path, ...env });
}

/** The error message shown to an operator. */
function refusal(accounts: unknown, rest: object = {}, argv: string[] = [], env: object = {}): string {
  try {
    load(accounts, rest, argv, env);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.ok(!error.message.includes('\n'), error.message);
    return error.message;
  }
  return assert.fail('not rejected');
}

describe('configured accounts', () => {
  it('are A and B from the short form if there is no list', () => {
    const { accounts } = loadConfig([], { ACCOUNT_B_SEGMENT: 'other' });
    assert.deepEqual(
      accounts.map(({ accountId, segment, platform }) => [accountId, segment, platform]),
      [
        ['a', 'account_a', 'x'],
        ['b', 'other', 'mastodon'],
      ],
    );
  });

  it('with --accounts N, are N simulated accounts', () => {
    const ids = (count: string) =>
      loadConfig(['--accounts', count], {}).accounts.map(({ segment }) => segment);
    assert.deepEqual(ids('1'), ['account_a']);
    assert.deepEqual(ids('4'), ['account_a', 'account_b', 'account_c', 'account_d']);
  });

  it('come from the list, with every field of each entry', () => {
    const config = load([
      {
        id: 'solo',
        displayName: 'So Lo',
        allowsSell: false,
        countingRule: { replies: true },
        forecastHints: { sleepPrior: 0.2 },
      },
    ]);
    const [account] = config.accounts;
    assert.equal(config.accounts.length, 1);
    assert.equal(config.sources, 'simulator');
    assert.deepEqual(
      [account!.segment, account!.displayName, account!.allowsSell, account!.publicView],
      ['account_solo', 'So Lo', false, 'wide'],
    );
    assert.deepEqual([account!.countingRule.replies, account!.countingRule.reposts], [true, true]);
    assert.deepEqual(
      [account!.forecastHints.sleepPrior, account!.forecastHints.initialPostsPerDay],
      [0.2, 20],
    );
  });

  it('are live if one of them has a handle', () => {
    const { accounts, sources } = load([{ id: 'one', ...LIVE }], LIVE_URLS);
    assert.equal(sources, 'live');
    assert.deepEqual(accounts[0]!.market.seriesSlugs, ['somebody-posts']);
  });

  const REFUSED: [name: string, accounts: unknown, message: RegExp][] = [
    ['an empty list', [], /accounts in the file must list at least one account/],
    ['an entry that is not an object', ['a'], /accounts\[0\] must be an object/],
    ['an entry without an id', [{ segment: 's' }], /accounts\[0\]: id is missing/],
    [
      'an unknown platform',
      [{ id: 'a' }, { id: 'b', platform: 'vk' }],
      /accounts\[1\] "b": platform is "vk"; allowed: one of x, mastodon/,
    ],
    [
      'crypto as a segment',
      [{ id: 'a', segment: 'crypto' }],
      /accounts\[0\] "a": segment is "crypto".*not crypto/,
    ],
    [
      'another reserved path word as a segment',
      [{ id: 'a', segment: 'ladder' }],
      /accounts\[0\] "a": segment is "ladder"/,
    ],
    ['crypto as an id', [{ id: 'crypto' }], /accounts\[0\] "crypto": id is "crypto"/],
    [
      'an unknown time zone',
      [{ id: 'a', marketTimeZone: 'Mars/Base' }],
      /accounts\[0\] "a": marketTimeZone is "Mars\/Base"; allowed: an IANA time zone/,
    ],
    [
      'a duplicate id',
      [{ id: 'a' }, { id: 'a', segment: 's' }],
      /accounts\[1\] "a": id is already used by another account/,
    ],
    [
      'a duplicate segment',
      [{ id: 'a' }, { id: 'b', segment: 'account_a' }],
      /accounts\[1\] "b": segment is "account_a", the same as accounts\[0\] "a": segment/,
    ],
    [
      'an unknown field',
      [{ id: 'a', handel: 'x' }],
      /accounts\[0\] "a": handel is not a field; known: id, segment/,
    ],
    [
      'an unknown kind of post',
      [{ id: 'a', countingRule: { likes: true } }],
      /accounts\[0\] "a": countingRule: likes is not a field/,
    ],
    [
      'a hint out of range',
      [{ id: 'a', forecastHints: { sleepPrior: 5 } }],
      /forecastHints: sleepPrior is 5; allowed: /,
    ],
    [
      'text in place of a boolean',
      [{ id: 'a', allowsSell: 'yes' }],
      /allowsSell is "yes"; allowed: true or false/,
    ],
    ['a post source without a kind', [{ id: 'a', postSources: [{}] }], /postSources\[0\] needs a kind/],
  ];
  for (const [name, accounts, message] of REFUSED) {
    it(`reject ${name} with a one-line message that identifies it`, () =>
      assert.match(refusal(accounts), message));
  }

  it('need a series or a slug prefix when live', () => {
    const bare = { id: 'c', platformUserId: '1', handle: 'h' };
    assert.match(refusal([{ id: 'a', ...LIVE }, bare], LIVE_URLS), /^accounts\[1\] "c": series is not set/);
    assert.equal(load([{ ...bare, slugPrefix: 'somebody-of-' }], LIVE_URLS).accounts.length, 1);
    const env = { ACCOUNT_A_HANDLE: 'h', ACCOUNT_A_PLATFORM_USER_ID: '1' };
    assert.match(refusal(undefined, LIVE_URLS, [], env), /^ACCOUNT_A_SERIES is not set/);
  });

  it('are at most 200, which is what one leader reads', () => {
    assert.equal(loadConfig(['--accounts', '200'], {}).accounts.length, 200);
    assert.match(
      refusal(undefined, {}, ['--accounts', '201']),
      /201 accounts are configured; one leader reads at most 200\. Divide them/,
    );
  });

  it('can be configured in only one place', () => {
    assert.match(
      refusal([{ id: 'a' }], {}, [], { ACCOUNT_B_SEGMENT: 's' }),
      /ACCOUNT_B_SEGMENT and accounts in the file are both set/,
    );
    assert.match(
      refusal([{ id: 'a' }], {}, ['--accounts', '3']),
      /ACCOUNTS and accounts in the file are both set/,
    );
    assert.match(
      refusal(undefined, { ...LIVE_URLS, sources: 'live' }, ['--accounts', '3']),
      /ACCOUNTS is set, but applies only to the simulator/,
    );
  });
});
