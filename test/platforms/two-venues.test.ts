// The service on two venues of one account that deletes a fifth of its posts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACCOUNT_A, ACCOUNT_B } from '../../lab/simulator/account-parameters.ts';
import { countListed } from '../../lab/simulator/kalshi/settlement-list.ts';
import { type SimulatorServer, startSimulatorServer } from '../../lab/simulator/server.ts';
import { createSimulator, type Simulator } from '../../lab/simulator/simulator.ts';
import { createSimulatorClock } from '../../lab/simulator/simulator-clock.ts';
import { createSimulatorState } from '../../lab/simulator/simulator-state.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import type { Settlement } from '../../src/store/ports.ts';
import { type BootedService, bootService, waitUntil, youngAnchorTs } from '../support/boot.ts';
import { runCommand } from '../support/run-command.ts';

const SEED = 7;
const VENUE_SETTLES_AFTER_MS = 10 * HOUR_MS;
/** Of simulated time: less to wait for, and little more to do. */
const SPEED = 5;
/** Long enough to be captured first. */
const DELETED_AFTER_MS = MINUTE_MS;
const accounts = [ACCOUNT_A, { ...ACCOUNT_B, deleteShare: 0.2 }];

describe('one account on two venues', { timeout: 5 * MINUTE_MS }, () => {
  const anchorTs = youngAnchorTs();
  const clock = createSimulatorClock(Date.now(), SPEED);
  let simulator: Simulator;
  let server: SimulatorServer;
  let service: BootedService;

  before(async () => {
    simulator = createSimulator({ seed: SEED, anchorTs, clock, accounts });
    server = await startSimulatorServer(simulator);
    service = await bootService({
      args: ['--simulator-url', server.urls.base],
      env: { VENUES: 'kalshi' },
    });
    await waitUntil(() => eventsOf('kalshi').length >= 2 && !snapshot()?.isPastMissing);
  });
  after(async () => {
    await service?.stop();
    await server?.close();
  });

  const snapshot = () => service.app.board.find('b');

  /** Running contracts of a venue; the first venue's carry no terms. */
  function eventsOf(venue: string | undefined) {
    const nowTs = clock.now();
    return (snapshot()?.events ?? []).filter(
      ({ event: { terms, window } }) =>
        terms?.venue === venue && window.startTs <= nowTs && window.endTs > nowTs,
    );
  }

  const isPast = (ts: number | null) => ts !== null && ts <= clock.now();
  const read = (venue: string | undefined) =>
    eventsOf(venue).map(({ event, counters }) => ({ event, count: counters.real! }));

  /** What the account itself posted and deleted meanwhile counts too. */
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

  it('counts a post on both, and keeps a deleted one only where the rule counts it', async () => {
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

  it("settled every past contract as the venue's own list has it", async () => {
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
});
