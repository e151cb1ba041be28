// Runs the service with one account on two venues; the account deletes a fifth of its posts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ACCOUNT_A, ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { easternDayNumber, easternMidnightTs } from '../../simulator/eastern-time.ts';
import { countListed } from '../../simulator/kalshi/settlement-list.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import { DEMO_WALLET } from '../../simulator/trading/wallets.ts';
import type { EventTruth, PostTruth } from '../../simulator/truth.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { Settlement } from '../../src/store/ports.ts';
import { type BootedService, bootService, waitUntil, youngAnchorTs } from '../support/boot.ts';
import { runCommand } from '../support/run-command.ts';

const SEED = 7;
const VENUE_SETTLES_AFTER_MS = 10 * HOUR_MS;
/** Simulator speed that shortens waiting without adding much work. */
const SPEED = 5;
/** Long enough for a post to be captured before it is deleted. */
const DELETED_AFTER_MS = MINUTE_MS;
/** Deletions are checked every half minute. */
const IN_FLIGHT_MS = 5 * MINUTE_MS;
/** Delay until the settlement list has a post, and the time at which it flags deletions. */
const LISTED_WITHIN_MS = 6 * MINUTE_MS;
const RUN_AFTER_MS = 3 * HOUR_MS;
const CHECK_EVERY_MS = 5 * SECOND_MS;
const BY_RULE: Readonly<Record<string, RegExp>> = {
  market: /; deleted posts count$/,
  kalshi: /; deleted posts do not count$/,
};
/** Tools that show events in any market state. */
const SHOWING_EVENTS = [
  ...['get_counters', 'get_hourly', 'get_forecast', 'get_signals', 'get_ladder', 'what_if', 'get_outlook'],
  ...['get_past_events', 'get_event_history', 'get_performance_history'],
];
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
    startedTs = clock.now();
    service.app.board.listen(checkCounts, 'b');
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

  const seen = { checks: 0, wrong: [] as string[] };
  let checkedTs = 0;
  let startedTs = Number.POSITIVE_INFINITY;

  /** Deleted posts that the service can know about: seen live, or flagged in the list's last nightly run. */
  function isKnownGone({ visibleTs, deletedTs }: PostTruth, nowTs: number): boolean {
    if (deletedTs === null) return false;
    const knownTs = nowTs - IN_FLIGHT_MS;
    const runTs = easternMidnightTs(easternDayNumber(knownTs - RUN_AFTER_MS)) + RUN_AFTER_MS;
    const isFlagged = deletedTs - visibleTs > LISTED_WITHIN_MS && deletedTs <= runTs;
    return isFlagged || (visibleTs >= startedTs && deletedTs <= knownTs);
  }

  /** Counts that are correct under the contract's rule, given that the last minutes may not have arrived. */
  function boundsOf({ terms, window }: MarketEvent, nowTs: number): [least: number, most: number] {
    const posts = simulator
      .truePosts(window.startTs, Math.min(window.endTs, nowTs), 'b')
      .filter(({ isCounted }) => isCounted);
    const least = posts.filter(
      ({ visibleTs, deletedTs }) => visibleTs <= nowTs - IN_FLIGHT_MS && deletedTs === null,
    );
    const most = terms ? posts.filter((post) => !isKnownGone(post, nowTs)) : posts;
    return [least.length, most.length];
  }

  function checkCounts(): void {
    const nowTs = clock.now();
    if (nowTs - checkedTs < CHECK_EVERY_MS) return;
    checkedTs = nowTs;
    for (const { event, counters } of [...eventsOf(undefined), ...eventsOf('kalshi')]) {
      const [least, most] = boundsOf(event, nowTs);
      seen.checks++;
      if (counters.real! < least || counters.real! > most)
        seen.wrong.push(`${event.title} at ${nowTs}: ${counters.real}, not ${least} to ${most}`);
    }
  }

  const isPast = (ts: number | null) => ts !== null && ts <= clock.now();
  const read = (venue: string | undefined) =>
    eventsOf(venue).map(({ event, counters }) => ({ event, count: counters.real! }));

  /** Includes posts that the simulator made and deleted meanwhile. */
  function changeSince(fromTs: number, { terms, window }: MarketEvent): number {
    const posts = simulator.truePosts(window.startTs, clock.now(), 'b').filter((post) => post.isCounted);
    const added = posts.filter(({ createdTs, visibleTs }) => createdTs >= fromTs && isPast(visibleTs));
    const gone = posts.filter(({ deletedTs }) => isPast(deletedTs) && deletedTs! >= fromTs);
    return added.length - (terms ? gone.length : 0);
  }

  function hasFollowed(before: ReturnType<typeof read>, fromTs: number): boolean {
    const now = new Map(eventsOf(before[0]!.event.terms?.venue).map((one) => [one.event.eventId, one]));
    return before.every(
      ({ event, count }) => now.get(event.eventId)?.counters.real === count + changeSince(fromTs, event),
    );
  }

  it('counts a post on both venues, and keeps a deleted post only where the rule counts it', async () => {
    const [first, second] = [read(undefined), read('kalshi')];
    assert.ok(first.length >= 2 && second.length >= 2);
    const fromTs = clock.now();
    for (let i = 0; i < 5; i++) simulator.injectPost({ accountId: 'b' });
    const doomed = simulator.injectPost({ accountId: 'b', deleteAfterMs: DELETED_AFTER_MS });
    await waitUntil(() => hasFollowed(first, fromTs) && hasFollowed(second, fromTs));
    await waitUntil(() => isPast(doomed.createdTs + DELETED_AFTER_MS));
    await waitUntil(() => hasFollowed(first, fromTs) && hasFollowed(second, fromTs));
  });

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

  it("settled every past contract as in the venue's own list", async () => {
    const { store } = service.app;
    let over: MarketEvent[] = [];
    let settled: Settlement[] = [];
    await waitUntil(async () => {
      const events = await store.events.list('b', anchorTs + 3 * DAY_MS);
      over = events.filter(
        ({ terms, window }) =>
          terms?.venue === 'kalshi' && window.endTs < clock.now() - VENUE_SETTLES_AFTER_MS - HOUR_MS,
      );
      settled = await store.settlements.latest(over.map(({ eventId }) => eventId));
      return over.length >= 20 && settled.length === over.length;
    });
    const state = createSimulatorState({ seed: SEED, anchorTs, clock, accounts });
    state.now();
    const { ledger } = state.accounts[1]!;
    let differences = 0;
    for (const { eventId, winningLabel } of settled) {
      const { window, buckets } = over.find((event) => event.eventId === eventId)!;
      const { startTs, endTs } = window;
      const count = countListed(ledger, state.seedKey, startTs, endTs, endTs + VENUE_SETTLES_AFTER_MS);
      if (ledger.countIn(startTs, endTs) !== count) differences++;
      const paid = buckets.find(({ lo, hi }) => count >= lo && (hi === null || count <= hi));
      assert.equal(winningLabel, paid?.label, `${eventId}: ${count}`);
    }
    assert.ok(differences > settled.length / 2, 'the two rules count most windows differently');
  });

  it("settled every past event of the first venue by its oracle's count", async () => {
    const { store } = service.app;
    const url = `${server.urls.base}/admin/truth?from=${anchorTs}&posts=false`;
    const { events } = (await (await fetch(url)).json()) as { events: EventTruth[] };
    const paid = events.filter(({ accountId, winningLabel }) => accountId === 'b' && winningLabel !== null);
    assert.ok(paid.length >= 5, `${paid.length} settled`);
    let settled: Settlement[] = [];
    await waitUntil(async () => {
      settled = await store.settlements.latest(paid.map(({ eventId }) => eventId));
      return settled.length === paid.length;
    });
    const winners = new Map(settled.map(({ eventId, winningLabel }) => [eventId, winningLabel]));
    for (const { eventId, winningLabel } of paid) assert.equal(winners.get(eventId), winningLabel);
  });

  it('shows venue and counting rule wherever an event is shown', async () => {
    // Forecasts of past events are computed in the background.
    await waitUntil(async () => (await service.app.store.scores.list({ accountId: 'b' })).length > 0);
    const headers = { 'X-API-Key': await service.issueKey('PRO') };
    const { eventId } = eventsOf('kalshi')[0]!.event;
    const answers = [
      ...['/meta/account_b', '/meta/account_b/hourly', '/prediction/account_b', '/signals/account_b'],
      ...['/signals/account_b/ladder', '/outlook/account_b', `/history/account_b/${eventId}`],
      '/history/account_b/events?limit=100',
      `/portfolio/account_b?wallet=${DEMO_WALLET}`,
      '/performance/history?account=account_b&days=365',
    ];
    for (const path of answers) {
      const answer: unknown = await (await fetch(`${service.url}/api/v1${path}`, { headers })).json();
      checkTerms(path, answer, path.includes('performance') ? 'market' : 'kalshi');
    }
    const { out } = await runCommand(['events', '--url', service.url, '--account', 'b']);
    assert.match(out, /Kalshi, deleted posts do not count/);
    assert.match(out, /Market, deleted posts count/);
  });

  it('includes venue and rule in the text and structured content of every agent tool', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { 'X-API-Key': await service.issueKey('PRO') };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
    );
    const given = {
      ...{ account: 'account_b', event_id: eventsOf('kalshi')[0]!.event.eventId },
      ...{ wallet: DEMO_WALLET, bankroll: 1_000, pace_factor: 1.5 },
    };
    const shown: string[] = [];
    for (const { name, inputSchema } of (await client.listTools()).tools) {
      // Crypto events are not about post counts.
      if (name === 'get_crypto_markets') continue;
      const known = Object.entries(given).filter(([key]) => key in (inputSchema.properties ?? {}));
      const { content, structuredContent } = await client.callTool({
        name,
        arguments: Object.fromEntries(known),
      });
      const text: unknown = JSON.parse((content as { text: string }[])[0]!.text);
      if (checkTerms(name, structuredContent) + checkTerms(name, text) > 0) shown.push(name);
    }
    const { contents } = await client.readResource({ uri: 'tallycast://events' });
    checkTerms('events', JSON.parse((contents[0] as { text: string }).text), 'kalshi');
    await client.close();
    for (const name of SHOWING_EVENTS) assert.ok(shown.includes(name), `${name} shows no event`);
  });

  it("tracks the freshness of each venue's prices separately", async () => {
    const fromTs = clock.now();
    const quoted = () =>
      eventsOf('kalshi').flatMap(({ event }) =>
        event.buckets.flatMap(({ isOpen, yesTokenId }) => (isOpen ? [snapshot()?.quotes[yesTokenId]] : [])),
      );
    await waitUntil(() => quoted().every((quote) => (quote?.observedTs ?? 0) > fromTs));
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

  it('had every count correct at every moment', () => {
    assert.ok(seen.checks > 20, `${seen.checks} checks`);
    assert.deepEqual(seen.wrong, []);
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
  if ('venue' in answer || 'event_title' in answer) return [answer as Shown];
  return Object.values(answer).flatMap(listEvents);
}
