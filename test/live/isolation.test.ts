// Runs two services on one simulator, one with dead sources for account B. Account A must be the same in both.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type BootedService, bootService, waitUntil, youngAnchorTs } from '../support/boot.ts';

/** Nothing listens on this port. */
const DEAD = 'http://127.0.0.1:9';

let simulator: Simulator;
let server: SimulatorServer;
let whole: BootedService;
let halved: BootedService;

before(async () => {
  simulator = createSimulator({ seed: 7, anchorTs: youngAnchorTs(), clock: systemClock });
  server = await startSimulatorServer(simulator);
  const accounts = (mastodon: object) => [
    { id: 'a', postSources: [{ kind: 'x' }] },
    { id: 'b', platform: 'mastodon', postSources: [mastodon] },
  ];
  const env = { SIMULATOR_URL: server.urls.base };
  const options = { baseUrl: DEAD };
  whole = await bootService({ env, accounts: accounts({ kind: 'mastodon' }), until: 'started' });
  halved = await bootService({ env, accounts: accounts({ kind: 'mastodon', options }), until: 'started' });
});

after(async () => {
  await whole.stop();
  await halved.stop();
  await server.close();
});

const eventsOf = ({ app }: BootedService) => app.board.find('a')?.events ?? [];
const countsOf = (booted: BootedService) =>
  eventsOf(booted).map(({ event, counters }) => `${event.eventId} ${counters.real}`);

describe('dead sources for account B', () => {
  it("leave account A's counts and forecasts unchanged", async () => {
    for (const booted of [whole, halved]) {
      await waitUntil(() => eventsOf(booted).some(({ forecast, counters }) => forecast && counters.real));
    }
    await waitUntil(() => halved.app.board.find('a')?.isPastMissing !== true && countsOf(whole).length > 0);
    await waitUntil(() => countsOf(whole).join() === countsOf(halved).join());
    const forecasts = (booted: BootedService) =>
      eventsOf(booted).map(
        ({ event, forecast }) => `${event.eventId} ${forecast?.p5} ${forecast?.p50} ${forecast?.p95}`,
      );
    await waitUntil(() => forecasts(whole).join() === forecasts(halved).join());
  });

  it('do not delay a new post of account A', async () => {
    const { id, createdTs } = simulator.injectPost({ accountId: 'a', kind: 'original' });
    const find = ({ app }: BootedService) =>
      app.board.find('a')?.recentPosts.find(({ postId }) => postId === id);
    await waitUntil(() => find(whole) !== undefined && find(halved) !== undefined);
    // Both poll once a second, so neither can be more than a few polls behind.
    const delays = [whole, halved].map((booted) => find(booted)!.firstSeenTs - createdTs);
    assert.ok(Math.abs(delays[0]! - delays[1]!) < 30_000, delays.join());
  });

  it("do not block account A's track record", async () => {
    await waitUntil(async () => (await halved.app.store.scores.list({ accountId: 'a' })).length > 0);
    assert.equal((await halved.app.store.cursors.find('backfill:a')) !== undefined, true);
    assert.equal(await halved.app.store.cursors.find('backfill:b'), undefined);
  });
});
