// A simulated exchange in its own thread, so that its work is not counted as the trader's. A rival takes every
// offer first: all orders rest.

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import type { SimulatorOptions } from '../../simulator/simulator-state.ts';
import { createRival } from './rival.ts';

const { seed, ...setup } = workerData as Pick<SimulatorOptions, 'seed' | 'anchorTs' | 'accounts'>;
const exchange = { startingUsd: 1e6 };
const simulator = createSimulator({ ...setup, seed, clock: systemClock, exchange });
const rival = createRival(simulator, createRandom(seed), systemClock.now);
rival.setEager(true);
const server = await startSimulatorServer({
  ...simulator,
  async fetch(request) {
    if (request.method === 'POST' && request.url.endsWith('/order'))
      rival.outrun(await request.clone().text());
    return simulator.fetch(request);
  },
});
parentPort!.postMessage(server.urls);
