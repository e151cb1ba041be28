// A simulator on loopback with wall time, and the tokens to trade on it.

import { type SimulatorServer, startSimulatorServer } from '../../lab/simulator/server.ts';
import { createSimulator, type Simulator } from '../../lab/simulator/simulator.ts';
import { createSimulatorState, type MarketRef } from '../../lab/simulator/simulator-state.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';

export interface OpenExchange {
  simulator: Simulator;
  server: SimulatorServer;
  /** Open, with asks below 0.6 on both tokens; one of a negative-risk event and one that is not. */
  negRisk: MarketRef;
  plain: MarketRef;
  fault(text: string): Promise<void>;
  clearFaults(): Promise<void>;
}

export async function openExchange(seed = 32): Promise<OpenExchange> {
  const anchorTs = Math.floor(Date.now() / DAY_MS - 30) * DAY_MS;
  const simulator = createSimulator({ seed, anchorTs, clock: systemClock });
  const server = await startSimulatorServer(simulator);
  const admin = async (method: string, body?: unknown) => {
    const response = await fetch(`${server.urls.admin}/faults`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    simulator,
    server,
    negRisk: findMarket(seed, anchorTs, true),
    plain: findMarket(seed, anchorTs, false),
    fault: (text) => admin('POST', { fault: text }),
    clearFaults: () => admin('DELETE'),
  };
}

function findMarket(seed: number, anchorTs: number, isNegRisk: boolean): MarketRef {
  const state = createSimulatorState({ seed, anchorTs, clock: systemClock });
  const nowTs = state.now();
  for (const book of [state.countEvents, state.cryptoEvents])
    for (const event of book.list(nowTs)) {
      if (event.isNegRisk !== isNegRisk || event.endTs < nowTs + DAY_MS / 4) continue;
      const prices = book.prices(event, nowTs);
      for (const market of book.markets(event)) {
        const { bid, ask } = prices[market.index]!;
        if (bid !== null && ask !== null && bid >= 0.1 && ask <= 0.6) return { book, event, market, side: 0 };
      }
    }
  throw new Error('no such market');
}
