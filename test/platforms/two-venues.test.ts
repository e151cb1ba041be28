// Runs the service with one account on two venues; the account deletes a fifth of its posts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCOUNT_A, ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import { DEMO_WALLET } from '../../simulator/trading/wallets.ts';
import { MINUTE_MS } from '../../src/domain/units.ts';
import { type BootedService, bootService, waitUntil, youngAnchorTs } from '../support/boot.ts';
import { runCommand } from '../support/run-command.ts';

const SEED = 7;
/** Simulator speed that shortens waiting without adding much work. */
const SPEED = 5;
const BY_RULE: Readonly<Record<string, RegExp>> = {
  market: /; deleted posts count$/,
  kalshi: /; deleted posts do not count$/,
};
const accounts = [ACCOUNT_A, { ...ACCOUNT_B, deleteShare: 0.2 }];

describe('a service with one account on two venues', { timeout: 5 * MINUTE_MS }, () => {
  const anchorTs = youngAnchorTs();
  const clock = createSimulatorClock(Date.now(), SPEED);
  let simulator: Simulator;
  let server: SimulatorServer;
  let service: BootedService;
  let isKalshiDown = false;

  before(async () => {
    simulator = createSimulator({ seed: SEED, anchorTs, clock, accounts });
    server = await startSimulatorServer({
      ...simulator,
      fetch: async (request) =>
        isKalshiDown && request.url.startsWith(server.urls.kalshi)
          ? new Response('down', { status: 503 })
          : simulator.fetch(request),
    });
    service = await bootService({
      args: ['--simulator-url', server.urls.base],
      env: { VENUES: 'kalshi' },
    });
    await waitUntil(
      () =>
        eventsOf('kalshi').length >= 2 &&
        !snapshot()?.isPastMissing &&
        eventsOf('kalshi').every(({ counters }) => counters.oracle !== null),
    );
  });
  after(async () => {
    await service?.stop();
    await server?.close();
  });

  const snapshot = () => service.app.board.find('b');

  /** Returns a venue's running contracts; those on the first venue have no terms. */
  function eventsOf(venue: string | undefined) {
    const nowTs = clock.now();
    return (snapshot()?.events ?? []).filter(
      ({ event: { terms, window } }) =>
        terms?.venue === venue && window.startTs <= nowTs && window.endTs > nowTs,
    );
  }

  it('passes the doctor on both venues', async () => {
    const args = ['doctor', '--json', '--simulator-url', server.urls.base];
    const { out } = await runCommand(args, { VENUES: 'kalshi' });
    const findings = (JSON.parse(out) as { account: string; verdict: string; message: string }[]).filter(
      ({ account, message }) => account === 'account_b' && /^(kalshi|rollcall):/.test(message),
    );
    const found = findings.map(({ verdict, message }) => `${verdict} ${message.replace(/\d+/g, 'n')}`);
    assert.equal(found.length, 3, found.join('\n'));
    assert.equal(found[0], 'ok kalshi: n contracts listed');
    assert.match(found[1]!, /^ok rollcall: counts of n of n running contracts/);
    assert.equal(found[2], 'ok kalshi: n of n prices read');
  });

  it('shows venue and counting rule wherever an event is shown', async () => {
    const headers = { 'X-API-Key': await service.issueKey('INTERNAL') };
    const record = '/performance/history?account=account_b&days=365';
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${service.url}/api/v1${path}`, { headers })).json();
    // Forecasts of past events are computed and scored in the background, one horizon after the other.
    await waitUntil(async () => ((await read(record)) as { data: unknown[] }).data.length > 0);
    const { eventId } = eventsOf('kalshi')[0]!.event;
    const answers = [
      ...['/meta/account_b', '/meta/account_b/hourly', '/prediction/account_b', '/signals/account_b'],
      ...['/signals/account_b/ladder', `/history/account_b/${eventId}`],
      '/history/account_b/events?limit=100',
      `/portfolio/account_b?wallet=${DEMO_WALLET}`,
      record,
    ];
    for (const path of answers)
      checkTerms(path, await read(path), path.includes('performance') ? 'market' : 'kalshi');
    const { out } = await runCommand(['status', '--url', service.url, '--account', 'b']);
    assert.match(out, /Kalshi, deleted posts do not count/);
    assert.match(out, /Market, deleted posts count/);
  });

  it("tracks the freshness of each venue's prices separately", async () => {
    const fromTs = clock.now();
    const isQuoted = () =>
      eventsOf('kalshi').every(({ event }) =>
        event.buckets.every(({ isOpen, yesTokenId }) => !isOpen || snapshot()?.quotes[yesTokenId]),
      );
    const readTs = () =>
      snapshot()?.feeds.find(({ feed, venue }) => feed === 'prices' && venue === 'kalshi')?.updatedTs ?? 0;
    await waitUntil(() => isQuoted() && readTs() > fromTs);
    isKalshiDown = true;
    const health = async () =>
      (await (await fetch(`${service.url}/api/v1/health`)).json()) as { problems: string[] };
    await waitUntil(async () => (await health()).problems.includes('account_b: feed kalshi_prices is stale'));
    assert.ok(!(await health()).problems.includes('account_b: feed prices is stale'));
    const meta = (await (await fetch(`${service.url}/api/v1/meta/account_b`)).json()) as {
      data: { venue: string; feeds: { prices: { stale: boolean } } }[];
    };
    for (const { venue, feeds } of meta.data) assert.equal(feeds.prices.stale, venue === 'kalshi');
  });
});

interface Shown {
  venue?: string;
  counting_rule?: string;
}

/** Counts the events in the response; each must have venue and rule, and one must be on `venue`. */
function checkTerms(where: string, answer: unknown, venue?: string): number {
  const events = listEvents(answer);
  for (const event of events)
    assert.match(event.counting_rule ?? 'none', BY_RULE[event.venue ?? ''] ?? /no venue/, where);
  if (venue !== undefined)
    assert.ok(
      events.some((event) => event.venue === venue),
      where,
    );
  return events.length;
}

/** Finds every record about an event, at any depth. */
function listEvents(answer: unknown): Shown[] {
  if (typeof answer !== 'object' || answer === null) return [];
  // Posts in a list of what happened belong to no event.
  if ('event_title' in answer && answer.event_title === null) return [];
  if ('venue' in answer || 'event_title' in answer) return [answer as Shown];
  return Object.values(answer).flatMap(listEvents);
}
