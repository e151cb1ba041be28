import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConnectionError, type Tallycast } from '../../../packages/client-js/src/index.ts';
import { createManualClock, systemClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { openMarketFeed } from '../../trading/venue/polymarket/market-feed.ts';
import type { Terminal } from '../command.ts';
import { runTallycast } from '../run.ts';
import { awaitService } from './await-service.ts';
import { createMovingPlace, readPlace } from './place.ts';

const NOW_TS = 1_800_000_000_000;

function read(config: object, values: { exchange?: string } = {}, serviceTs = NOW_TS) {
  const client = {
    config: async () => ({ accounts: [], ...config }),
    opportunities: async () => ({ timestamp: serviceTs }),
  };
  return readPlace(client as unknown as Tallycast, values, true, createManualClock(NOW_TS));
}

describe('exchange for live orders', () => {
  it('is the real exchange for a live service, even if the service reports another', async () => {
    for (const config of [{}, { simulator_url: 'https://evil.example' }]) {
      const { url, geoblockUrl } = await read(config);
      assert.deepEqual(
        [url, geoblockUrl],
        ['https://clob.polymarket.com', 'https://polymarket.com/api/geoblock'],
      );
    }
  });

  it('is the simulator for simulated advice, never the real exchange', async () => {
    const config = { world: 'simulated', simulator_url: 'http://127.0.0.1:9' };
    assert.equal((await read(config)).url, 'http://127.0.0.1:9/clob');
    await assert.rejects(
      read(config, { exchange: 'https://clob.polymarket.com' }),
      /cannot be traded on a real/,
    );
    await assert.rejects(read({ world: 'simulated' }), /cannot be traded on a real/);
  });

  it('is a simulator on another machine only if the operator passes --exchange', async () => {
    const config = { world: 'simulated', simulator_url: 'http://sim.example:9' };
    await assert.rejects(read(config), /Pass --exchange http:\/\/sim\.example:9/);
    assert.equal((await read(config, { exchange: 'http://sim.example:9' })).url, 'http://sim.example:9/clob');
    await assert.rejects(
      read({ ...config, simulator_url: 'http://127.0.0.1.example' }),
      /on another machine/,
    );
  });

  it('is rejected while the clocks of the service and the trader differ', async () => {
    await assert.rejects(read({}, {}, NOW_TS + 5_000), /clock differs by 5 s/);
  });
});

describe('exchange of a service that restarts', () => {
  async function openSimulator() {
    const terms = { tick_size: '0.01', min_order_size: '5', neg_risk: true };
    const book = { asset_id: '7', market: '0x1', bids: [], asks: [], ...terms };
    const server = createServer((_, response) => response.end(JSON.stringify(book)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('is read again from the service after a refused connection', { timeout: 20_000 }, async (t) => {
    const first = await openSimulator();
    t.after(first.close);
    const config = { world: 'simulated', simulator_url: first.url };
    const place = createMovingPlace(await read(config), () => read(config, {}, NOW_TS + 60_000));
    const feed = openMarketFeed({ ...place, logger: silentLogger });
    t.after(feed.close);
    assert.equal((await feed.book('7')).tokenId, '7');

    first.close();
    const second = await openSimulator();
    t.after(second.close);
    config.simulator_url = second.url;
    assert.equal((await feed.book('7')).tokenId, '7');
    assert.equal(place.clock.now(), NOW_TS + 60_000);
  });

  it('does not move if the operator named it, or to a real exchange', async () => {
    const config: { world?: string; simulator_url: string } = {
      world: 'simulated',
      simulator_url: 'http://127.0.0.1:9',
    };
    const given = await read(config, { exchange: 'http://127.0.0.1:9' });
    assert.equal(createMovingPlace(given, () => read(config)).relocate, undefined);
    const named = createMovingPlace(await read(config), () => read(config));
    delete config.world;
    await assert.rejects(named.relocate!(), /no longer names a simulator/);
  });
});

describe('trade while the service does not respond', () => {
  const data = mkdtempSync(join(tmpdir(), 'tallycast-trade-down-'));
  after(() => rmSync(data, { recursive: true, force: true }));
  const where = ['--data', data, '--url', 'http://127.0.0.1:1', '--key', 'x'];

  function openTerminal(clock = systemClock) {
    const notes: string[] = [];
    const stop = new AbortController();
    const terminal: Terminal = {
      env: {},
      clock,
      output: { write: () => {} },
      notes: { write: (text) => notes.push(text) },
      stopSignal: () => stop.signal,
    };
    return { notes, stop, terminal };
  }

  it('waits until stopped, with one line instead of a stack trace', async () => {
    const { notes, stop, terminal } = openTerminal();
    const write = (text: string) => {
      notes.push(text);
      stop.abort();
    };
    assert.equal(await runTallycast(['trade', ...where], { ...terminal, notes: { write } }, undefined), 0);
    assert.equal(notes.length, 1);
    assert.match(
      notes[0]!,
      /^no response from http:\/\/127\.0\.0\.1:1 \(.+\)\. .+ Retrying every second\.\n$/,
    );
  });

  it('starts once the service responds', async () => {
    const clock = createManualClock(NOW_TS);
    const { notes, terminal } = openTerminal(clock);
    let calls = 0;
    const started = awaitService('http://service', terminal, async () => {
      calls += 1;
      if (calls < 3) throw new ConnectionError('no response within 1500 ms');
      return 'started';
    });
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(1_000);
    assert.deepEqual([await started, calls, notes.length], ['started', 3, 1]);
  });

  it('fails in one line if the exchange does not respond', async () => {
    const { notes, terminal } = openTerminal();
    const withKey = { ...terminal, env: { TALLYCAST_TRADING_KEY: '11'.repeat(32) } };
    const args = ['trade', 'doctor', '--exchange', 'http://127.0.0.1:1'];
    assert.equal(await runTallycast(args, withKey, undefined), 1);
    assert.match(
      notes.join(''),
      /^The exchange at http:\/\/127\.0\.0\.1:1\/clob does not respond \(.+\)\. Check .+\n$/,
    );
  });
});
