// The doctor on the pretend world with each fault on: what it says works, what is degraded and by what, what to set.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { completeProfile } from '../../src/domain/account-profile.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createSources } from '../../src/sources/create-sources.ts';
import { checkSources, type Finding } from '../../src/sources/doctor.ts';
import { parseFault } from '../../src/world/faults/fault-registry.ts';
import { startWorldServer, type WorldServer } from '../../src/world/server.ts';
import { createWorld, type World } from '../../src/world/world.ts';
import { createWorldClock } from '../../src/world/world-clock.ts';

const START_TS = Date.UTC(2026, 7, 16, 12);
const clock = createWorldClock(START_TS, 1);
let world: World;
let server: WorldServer;

before(async () => {
  world = createWorld({ seed: 7, anchorTs: START_TS - 60 * DAY_MS - (START_TS % DAY_MS), clock });
  server = await startWorldServer(world);
});

after(() => server.close());

async function check(fault: string, kinds: Record<string, string[]> = {}): Promise<Finding[]> {
  // A stall that began two days ago; the others begin now.
  const sinceTs = fault.startsWith('oracle-stall') ? world.now() - 40 * HOUR_MS : clock.now();
  if (fault !== '') world.faults.add(parseFault(fault), sinceTs);
  try {
    return await checkSources(openSources(kinds), { clock, timeoutMs: 4_000 });
  } finally {
    world.faults.clear(null, clock.now());
  }
}

function openSources(kinds: Record<string, string[]>) {
  const { urls } = server;
  return createSources({
    accounts: world.accounts.map(({ accountId, handle, platformUserId, platform, seriesSlugs }, place) => {
      const market = { seriesSlugs, tagId: null, slugPrefix: null };
      const postSources = (kinds[accountId] ?? [platform, 'oracle']).map((kind) =>
        kind === 'rss' ? { kind, options: { baseUrl: `${urls.rss}/${handle}/feed` } } : { kind },
      );
      return completeProfile({ accountId, handle, platformUserId, platform, market, postSources }, place);
    }),
    urls: {
      xApi: urls.x,
      mastodon: urls.mastodon,
      oracle: urls.oracle,
      marketGamma: urls.gamma,
      marketClob: urls.clob,
      marketWs: urls.marketWs,
      marketData: urls.data,
      cryptoWs: urls.cryptoWs,
    },
    xBearerToken: 'anything',
    postSources: { twitterapi: { baseUrl: urls.twitterapi, credential: 'key' } },
    fetch,
    createSocket: (url) => new WebSocket(url),
    clock,
    random: createRandom(1),
    oracleCallSpacingMs: 0,
  });
}

const say = (findings: readonly Finding[]) =>
  findings.map(
    ({ subject, verdict, message, advice }) => `${verdict} ${subject}: ${message} -> ${advice ?? ''}`,
  );
const isDown = (findings: readonly Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'problem').map(({ subject }) => subject);

/** Fault, what a line must say, and the capabilities that do not work any more. */
const CASES: [string, RegExp, string[]][] = [
  ['', /ok account_a posts: x leads: \d+ posts read, .* about \d+ USD a month/, []],
  ['x-no-credit', /warning account_a posts: x: out of credit.* -> .*top up/i, []],
  ['x-no-credit', /warning account_a posts: oracle leads: .*about 180 s late; it cannot tell replies/, []],
  ['x-cap', /warning account_a posts: x: the usage cap is reached/, []],
  ['x-down', /warning account_a posts: oracle leads/, []],
  ['x-old-names-gone', /ok account_a posts: x leads/, []],
  ['x-new-names-unknown', /ok account_a posts: x leads/, []],
  ['posts-future', /warning account_a posts: x: .*ahead of now/, []],
  ['mastodon-blocked', /warning account_b posts: mastodon: .*403.*HTML.* -> .*another network/, []],
  ['mastodon-down', /warning account_b posts: oracle leads/, []],
  ['oracle-stall=48h', /warning account_a counts: .*last looked at the platform \d+ h ago/, []],
  ['oracle-empty=1', /problem account_a counts: .*list is empty/, ['account_a counts', 'account_b counts']],
  [
    'oracle-down',
    /problem account_b counts: .* -> .*ORACLE_BASE_URL/,
    ['account_a counts', 'account_b counts'],
  ],
  [
    'gamma-down',
    /problem account_a events: .* -> .*MARKET_GAMMA_BASE_URL/,
    ['account_a events', 'account_b events', 'crypto'],
  ],
  ['clob-down', /warning account_a prices: .* -> .*MARKET_CLOB_BASE_URL/, []],
  ['data-down', /problem positions: .* -> .*MARKET_DATA_BASE_URL/, ['positions']],
];

describe('the doctor', () => {
  for (const [fault, line, down] of CASES) {
    it(`${fault || 'no fault'}: ${line.source.slice(0, 60)}`, async () => {
      const findings = await check(fault);
      assert.ok(
        say(findings).some((text) => line.test(text)),
        say(findings).join('\n'),
      );
      assert.deepEqual(isDown(findings), down);
    });
  }

  it('tells of every kind of source what it can and what it costs', async () => {
    const findings = await check('', { a: ['twitterapi', 'oracle'], b: ['rss', 'oracle'] });
    const lines = say(findings).join('\n');
    assert.match(lines, /ok account_a posts: twitterapi leads: .* about \d+ USD a month/);
    assert.match(lines, /ok account_b posts: rss leads: .*about 180 s late; it cannot tell replies/);
  });

  it('says that nothing leads where nothing does', async () => {
    const findings = await check('x-no-credit', { a: ['x'] });
    assert.deepEqual(isDown(findings), ['account_a posts']);
  });
});
