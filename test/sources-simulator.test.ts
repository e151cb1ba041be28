// Crypto markets and prices of the simulator over real HTTP and websockets.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SimulatorServer, startSimulatorServer } from '../simulator/server.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { createSimulatorClock } from '../simulator/simulator-clock.ts';
import { DAY_MS } from '../src/domain/units.ts';
import type { Sources } from '../src/sources/source.ts';
import { openSimulatedSources } from './support/simulated-sources.ts';

const START_TS = Date.UTC(2026, 7, 16, 12);
const never = new AbortController().signal;

let simulator: Simulator;
let server: SimulatorServer;
let sources: Sources;

before(async () => {
  const clock = createSimulatorClock(START_TS, 1);
  simulator = createSimulator({ seed: 7, anchorTs: START_TS - 130 * DAY_MS - (START_TS % DAY_MS), clock });
  server = await startSimulatorServer(simulator);
  sources = openSimulatedSources(simulator, server, { clock });
});

after(() => server.close());

describe('crypto sources on the simulator', () => {
  it('list crypto markets of several kinds, and receive the price that each settles on', async () => {
    const stop = new AbortController();
    const seen = new Set<string>();
    await sources.crypto.openReferenceStream(
      {
        onPrice: ({ asset, price, source }) => {
          assert.ok(price > 0);
          seen.add(`${asset} ${source}`);
          if (seen.size === 8) stop.abort();
        },
      },
      stop.signal,
    );
    const markets = await sources.crypto.fetchMarkets(never);
    assert.ok(new Set(markets.map(({ marketType }) => marketType)).size >= 3);
    const settled = new Set(markets.map(({ asset, referenceSource }) => `${asset} ${referenceSource}`));
    assert.ok(
      [...settled].every((pair) => seen.has(pair)),
      'each market receives the price that it settles on',
    );
    assert.deepEqual(new Set(markets.map(({ referenceSource }) => referenceSource)).size, 2);
  });
});
