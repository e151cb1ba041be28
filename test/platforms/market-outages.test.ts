// What the service still serves when part of the market is down, and what must be served completely or not at all.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { WHALE_WALLET } from '../../simulator/trading/wallets.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type BootedService, bootService, waitUntil, youngAnchorTs } from '../support/boot.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
type Json = any;

async function ask(service: BootedService, path: string, key: string) {
  const response = await fetch(`${service.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

/** Live settings with the simulator's URLs instead of the platforms'. */
function liveSettings(simulator: Simulator, { urls }: SimulatorServer): Record<string, string> {
  const accounts = simulator.accounts.flatMap(
    ({ accountId, handle, platform, platformUserId, seriesSlugs }) => {
      const name = (suffix: string) => `ACCOUNT_${accountId.toUpperCase()}_${suffix}`;
      return [
        [name('HANDLE'), handle],
        [name('PLATFORM'), platform],
        [name('PLATFORM_USER_ID'), platformUserId],
        [name('SERIES'), seriesSlugs.join(',')],
      ];
    },
  );
  return {
    ...Object.fromEntries(accounts),
    SOURCES: 'live',
    X_API_BASE_URL: urls.x,
    X_BEARER_TOKEN: 'simulator',
    MASTODON_BASE_URL: urls.mastodon,
    ORACLE_BASE_URL: urls.oracle,
    MARKET_GAMMA_BASE_URL: urls.gamma,
    MARKET_CLOB_BASE_URL: urls.clob,
    MARKET_WS_URL: urls.marketWs,
    MARKET_DATA_BASE_URL: urls.data,
    CRYPTO_WS_URL: urls.cryptoWs,
  };
}

describe('a service without credentials for reference prices', () => {
  let simulator: Simulator;
  let server: SimulatorServer;
  let service: BootedService;
  let key: string;

  before(async () => {
    simulator = createSimulator({ seed: 7, anchorTs: youngAnchorTs(60), clock: systemClock });
    server = await startSimulatorServer(simulator);
    service = await bootService({ env: liveSettings(simulator, server), until: 'forecasts' });
    key = await service.issueKey('PRO');
    await waitUntil(() => (service.app.board.findCrypto()?.markets.length ?? 0) > 0);
    await waitUntil(async () => (await ask(service, '/health', key)).body.problems.length === 0);
  });
  after(async () => {
    await service.stop();
    await server.close();
  });

  it('serves crypto markets with prices but a null reference price, and health says why', async () => {
    const crypto = await ask(service, '/meta/crypto', key);
    assert.equal(crypto.status, 200);
    assert.ok(crypto.body.data.length > 0);
    for (const market of crypto.body.data) {
      assert.equal(market.reference_price, null);
      assert.match(market.reference_source, /^(chainlink-twap-60s|pyth-spot)$/);
      assert.ok(market.tokens.every(({ token_id }: Json) => /^\d+$/.test(token_id)));
    }
    // On a busy machine a feed may be late.
    let health: Json;
    await waitUntil(async () => {
      health = (await ask(service, '/health', key)).body;
      return health.problems.length === 0;
    });
    assert.equal(health.status, 'ok');
    assert.match(health.notes[0], /CRYPTO_API_KEY/);
  });

  it('serves counters, posts, forecasts, prices and signals as usual', async () => {
    for (const segment of ['account_a', 'account_b']) {
      const meta = await ask(service, `/meta/${segment}`, key);
      assert.ok(meta.body.data.every(({ real_counter }: Json) => Number.isInteger(real_counter)));
      assert.ok((await ask(service, `/meta/${segment}/tweets?limit=3`, key)).body.data.length === 3);
      assert.equal((await ask(service, `/prediction/${segment}`, key)).status, 200);
      assert.equal((await ask(service, `/signals/${segment}`, key)).status, 200);
    }
  });

  it('reads a wallet with 1,200 positions in both versions completely or not at all', async () => {
    const faults = ['data-401', 'data-429=1', 'data-cursor-loop', 'data-truncated=1'];
    const path = `/portfolio/account_a?wallet=${WHALE_WALLET}`;
    for (const fault of faults) {
      const order = parseFault(fault);
      simulator.faults.add(order, simulator.now());
      const { status, headers, body } = await ask(service, path, key);
      simulator.faults.clear(order.name, simulator.now());
      assert.equal(status, 503, fault);
      assert.deepEqual(body, { detail: 'The market could not be reached. Try again shortly.' }, fault);
      assert.ok(Number(headers.get('retry-after')) > 0, fault);
    }
    const held = await readWhale();
    assert.equal(held.length, 1_200);
    const { status, body } = await ask(service, path, key);
    assert.equal(status, 200);
    const shown = body.data.flatMap(({ positions }: Json) => positions.map(({ token_id }: Json) => token_id));
    const active = simulator.trueEvents(simulator.now()).filter(({ accountId }) => accountId === 'a');
    const slugs = new Set(active.map(({ slug }) => slug));
    const expected = held.filter(({ event_slug, redeemable }) => slugs.has(event_slug) && !redeemable);
    assert.deepEqual(shown.sort(), expected.map(({ token_id }) => token_id).sort());
    const versions = new Set(expected.map(({ condition_id }) => condition_id.startsWith('0x02')));
    assert.equal(versions.size, 2, 'positions in both versions');
  });

  it('lists unreadable wallet rows and suggests no sizes', async () => {
    simulator.faults.add(parseFault('data-garbage'), simulator.now());
    const { status, body } = await ask(service, `/portfolio/account_a?wallet=${simulator.demoWallet}`, key);
    simulator.faults.clear('data-garbage', simulator.now());
    assert.equal(status, 200);
    assert.ok(body.data.length > 0);
    for (const { unread_positions, positions } of body.data) {
      assert.ok(unread_positions.length > 0);
      assert.ok(positions.every((position: object) => !('sizing' in position)));
    }
  });

  async function readWhale(): Promise<Json[]> {
    const rows: Json[] = [];
    for (const status of ['OPEN', 'REDEEMABLE_LOST']) rows.push(...(await readPages(status)));
    return rows;
  }

  async function readPages(status: string): Promise<Json[]> {
    const rows: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `user=${WHALE_WALLET}&status=${status}&limit=500${cursor && `&cursor=${cursor}`}`;
      const answer = await simulator.fetch(new Request(`http://simulator/data/v2/positions?${query}`));
      const page = (await answer.json()) as Json;
      rows.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    return rows;
  }
});

describe('a service that gets events in an unknown protocol version', () => {
  let service: BootedService;
  let key: string;

  before(async () => {
    service = await bootService({ args: ['--fault', 'gamma-version'], until: 'events' });
    key = await service.issueKey('PRO');
  });
  after(() => service.stop());

  it('reports them in health, serves counters and gives no advice', async () => {
    await waitUntil(async () => {
      const { problems } = (await ask(service, '/health', key)).body;
      return ['account_a', 'account_b'].every((segment) =>
        problems.some((problem: string) => problem.startsWith(segment) && /states 'v9'/.test(problem)),
      );
    });
    assert.equal((await ask(service, '/health', key)).body.status, 'degraded');
    for (const segment of ['account_a', 'account_b']) {
      const meta = await ask(service, `/meta/${segment}`, key);
      assert.ok(meta.body.data.length > 0);
      const { body } = await ask(service, `/signals/${segment}`, key);
      assert.ok(!JSON.stringify(body).includes('"action":"BUY"'));
    }
  });
});
