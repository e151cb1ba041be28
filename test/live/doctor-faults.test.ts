// Runs the doctor on the simulator with each fault. It reports what works, what is degraded and why, and what to set.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HTTP_FEEDS, type HttpFeed, parseFault } from '../../simulator/faults/fault-registry.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import type { SourcesOptions } from '../../src/sources/create-sources.ts';
import { checkSources, type Finding } from '../../src/sources/doctor.ts';
import { NETWORK, openSimulatedSources } from '../support/simulated-sources.ts';

const START_TS = Date.UTC(2026, 7, 16, 12);
const clock = createSimulatorClock(START_TS, 1);
let simulator: Simulator;
let server: SimulatorServer;

before(async () => {
  simulator = createSimulator({ seed: 7, anchorTs: START_TS - 60 * DAY_MS - (START_TS % DAY_MS), clock });
  server = await startSimulatorServer(simulator);
});

after(() => server.close());

/** Enables space-separated faults. */
async function check(
  faults: string,
  kinds: Record<string, string[]> = {},
  options: { timeoutMs?: number; usesPush?: boolean } = {},
): Promise<Finding[]> {
  for (const fault of faults.split(' ').filter((text) => text !== '')) {
    // This stall began two days ago; the other faults begin now.
    const sinceTs = fault.startsWith('oracle-stall') ? simulator.now() - 40 * HOUR_MS : clock.now();
    simulator.faults.add(parseFault(fault), sinceTs);
  }
  try {
    return await checkSources(openSources(kinds), { clock, timeoutMs: 4_000, ...options });
  } finally {
    simulator.faults.clear(null, clock.now());
  }
}

function openSources(kinds: Record<string, string[]>, more: SourcesOptions['postSources'] = {}) {
  const own = simulator.accounts.map(({ accountId, platform }) => [accountId, [platform, 'oracle']]);
  return openSimulatedSources(simulator, server, {
    ...{ ...NETWORK, clock, postSources: more },
    kinds: { ...Object.fromEntries(own), ...kinds },
  });
}

const say = (findings: readonly Finding[]) =>
  findings.map(
    ({ subject, verdict, message, advice }) => `${verdict} ${subject}: ${message} -> ${advice ?? ''}`,
  );
const isDown = (findings: readonly Finding[]) => [
  ...new Set(findings.filter(({ verdict }) => verdict === 'problem').map(({ subject }) => subject)),
];

/**
 * Each run enables one fault per feed at most, so that findings do not depend on each other: the faults, the expected
 * findings and the lost capabilities.
 */
const RUNS: [string, RegExp[], string[]][] = [
  ['', [/ok account_a posts: x leads: \d+ posts read, .* about \d+ USD a month/], []],
  [
    'x-no-credit mastodon-blocked market-ws-down gamma-version=1',
    [
      /warning account_a posts: x: out of credit.* -> .*top up/i,
      /warning account_a posts: oracle leads: .*about 180 s late; it cannot identify replies/,
      /warning account_b posts: mastodon: .*403.*HTML.* -> .*another network/,
      /problem account_a events: .*states 'v9'/,
    ],
    ['account_a events', 'account_b events'],
  ],
  [
    'x-forbidden mastodon-down clob-no-book=1',
    [
      /warning account_a posts: x: .*\(403\).* -> .*permissions of X_BEARER_TOKEN/,
      /warning account_b posts: oracle leads/,
      /warning account_b prices: the source responds but has none of the books/,
    ],
    [],
  ],
  [
    'x-cap market-ws-down',
    [/warning account_a posts: x: usage cap reached/, /market stream: .* -> .*MARKET_WS_URL/],
    [],
  ],
  ['posts-future', [/warning account_a posts: x: .*in the future/], []],
  ['posts-future-ids', [/warning account_a posts: x: .*in the future/], []],
];

/** Ways in which each HTTP feed can fail, and how the doctor reports them when all feeds fail at once. */
const WAYS: [string, RegExp][] = [
  ['down=1', /other side closed .*reachable from here/],
  ['slow=1s', /no response within 400 ms .*reachable from here/],
  ['html=1', /status 502 \(an HTML page\) -> The source is failing/],
  ['429=1', /asked us to slow down \(429\).* -> Too many requests/],
  ['truncated=1', /truncated or malformed JSON -> Try again|cut off|no series could be read/],
];
const FEED_SUBJECTS: Record<HttpFeed, string> = {
  x: 'account_a posts: x',
  mastodon: 'account_b posts: mastodon',
  oracle: 'account_a counts',
  gamma: 'account_a events',
  clob: 'account_a prices',
  data: 'positions',
  rss: 'account_b posts: rss',
};
const LEFT_TO_LEAD: readonly HttpFeed[] = ['oracle', 'clob'];
const EVERY_KIND = { b: ['mastodon', 'rss', 'oracle'] };

describe('the doctor', () => {
  for (const [faults, lines, down] of RUNS) {
    it(`reports ${faults || 'what works'}`, async () => {
      const findings = await check(faults);
      const said = say(findings);
      for (const line of lines)
        assert.ok(
          said.some((text) => line.test(text)),
          `${line} in\n${said.join('\n')}`,
        );
      assert.deepEqual(isDown(findings), down);
    });
  }

  for (const [way, words] of WAYS) {
    // The oracle's list leads while the other feeds fail; books are requested only if events were read.
    for (const feeds of [HTTP_FEEDS.filter((feed) => !LEFT_TO_LEAD.includes(feed)), LEFT_TO_LEAD]) {
      it(`reports the effect of ${way} on each of ${feeds.join(', ')}`, async () => {
        const faults = feeds.map((feed) => `${feed}-${way}`).join(' ');
        const timeoutMs = way.startsWith('slow') ? 400 : 4_000;
        const lines = say(await check(faults, EVERY_KIND, { timeoutMs }));
        for (const feed of feeds) {
          const said = lines.find((line) => line.includes(FEED_SUBJECTS[feed]) && words.test(line));
          assert.ok(said, `${feed}-${way} in\n${lines.join('\n')}`);
          assert.doesNotMatch(said, /^ok/);
        }
      });
    }
  }

  it('reports that posts are polled if the push connection does not open', async () => {
    const well = say(await check('', {}, { usesPush: true }));
    assert.ok(well.some((line) => /ok account_a posts: x pushes its posts/.test(line)));
    const findings = await check('stream-down=1', {}, { usesPush: true });
    assert.match(say(findings).join('\n'), /warning account_a posts: x does not push .*; polling it/);
    assert.deepEqual(isDown(findings), []);
  });

  it('reports silent prices if nothing was pushed', async () => {
    const lines = say(await check('market-ws-silent=1', {}, { timeoutMs: 1_500 })).join('\n');
    assert.match(lines, /warning account_a prices: connected, but nothing was pushed/);
  });

  it('warns in advance if a cap is below the estimated cost', async () => {
    const postSources = { x: { monthlyCapUsd: 1 } };
    const findings = await checkSources(openSources({}, postSources), { clock, timeoutMs: 4_000 });
    assert.match(
      say(findings).join('\n'),
      /warning account_a posts: the cap of 1 USD is below the estimated \d+ USD .*X_MONTHLY_CAP_USD/,
    );
  });

  // Must be last, because after such a stall the oracle does not update for minutes.
  it('reports an account as down if its only other source has stalled', async () => {
    const stalled = await check('oracle-stall=48h');
    assert.match(say(stalled).join('\n'), /warning account_a counts: .*last synced \d+ h ago/);
    assert.deepEqual(isDown(stalled), [], 'x still leads');
    const dead = await check('x-no-credit oracle-stall=48h', { b: ['oracle'] });
    assert.deepEqual(isDown(dead), ['account_a posts', 'account_b posts']);
    assert.match(
      say(dead).join('\n'),
      /problem account_a posts: x: out of credit.*oracle: its list is stale/,
    );
  });
});
