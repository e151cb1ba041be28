// A simulated exchange in its own thread, so that its work does not count as the trader's. Every book shows a
// cheap offer that is gone when an order arrives, so all orders rest.

import { parentPort, workerData } from 'node:worker_threads';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import type { SimulatorOptions } from '../../../simulator/simulator-state.ts';
import { systemClock } from '../../../src/runtime/clock.ts';

const GONE_OFFER = { price: '0.01', size: '1000' };

const setup = workerData as Pick<SimulatorOptions, 'seed' | 'anchorTs' | 'accounts'>;
const simulator = createSimulator({ ...setup, clock: systemClock, exchange: { startingUsd: 1e6 } });
const server = await startSimulatorServer({
  ...simulator,
  async fetch(request) {
    const response = await simulator.fetch(request);
    if (!request.url.endsWith('/books')) return response;
    const books = (await response.json()) as { asks: object[] }[];
    return Response.json(books.map((book) => ({ ...book, asks: [...book.asks, GONE_OFFER] })));
  },
});
parentPort!.postMessage(server.urls);
