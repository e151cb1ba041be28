// Opens a real-time simulator on loopback and finds tokens to trade on it.

import type { ListedEvent, ListedMarket } from '../../simulator/market/listed-event.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createSimulatorState, type MarketRef } from '../../simulator/simulator-state.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';

export interface OpenExchange {
  simulator: Simulator;
  server: SimulatorServer;
  /** Open markets with asks below 0.6 on both tokens: with and without negative risk, and under version 2. */
  negRisk: MarketRef;
  plain: MarketRef;
  version2: MarketRef;
  fault(text: string): Promise<void>;
  clearFaults(): Promise<void>;
}

/** At the suite's instant it has markets of every kind. */
const SEED = 33;
const isNegRisk = (event: ListedEvent) => event.version === 'v1' && event.isNegRisk;
const isPlain = (event: ListedEvent) => event.version === 'v1' && !event.isNegRisk;
const isVersion2 = (event: ListedEvent) => event.version === 'v2';

export async function openExchange(): Promise<OpenExchange> {
  const anchorTs = findAnchor();
  const simulator = createSimulator({ seed: SEED, anchorTs, clock: systemClock });
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
    negRisk: listMarkets(SEED, anchorTs, isNegRisk)[0]!,
    plain: listMarkets(SEED, anchorTs, isPlain)[0]!,
    version2: listMarkets(SEED, anchorTs, isVersion2)[0]!,
    fault: (text) => admin('POST', { fault: text }),
    clearFaults: () => admin('DELETE'),
  };
}

function findAnchor(): number {
  return Math.floor(Date.now() / DAY_MS - 30) * DAY_MS;
}

/** Finds tokens with bids and a minimum order below one dollar. */
export function listCheapTokens(): { tokenId: string; ask: number }[] {
  const state = createSimulatorState({ seed: SEED, anchorTs: findAnchor(), clock: systemClock });
  const nowTs = state.now();
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.endTs > nowTs + DAY_MS / 4)
    .flatMap((event) => {
      const prices = state.countEvents.prices(event, nowTs);
      return state.countEvents.markets(event).flatMap(({ tokenIds, index }) => {
        const { bid, ask } = prices[index]!;
        return bid !== null && ask !== null && bid >= 0.03 && ask <= 0.15
          ? [{ tokenId: tokenIds[0], ask }]
          : [];
      });
    });
}

function listMarkets(seed: number, anchorTs: number, isWanted: (event: ListedEvent) => boolean): MarketRef[] {
  const state = createSimulatorState({ seed, anchorTs, clock: systemClock });
  const nowTs = state.now();
  return [state.countEvents, state.cryptoEvents].flatMap((book) =>
    book
      .list(nowTs)
      .filter((event) => isWanted(event) && event.endTs >= nowTs + DAY_MS / 4)
      .flatMap((event) => {
        const prices = book.prices(event, nowTs);
        const isCheap = ({ index }: ListedMarket) => {
          const { bid, ask } = prices[index]!;
          return bid !== null && ask !== null && bid >= 0.1 && ask <= 0.6;
        };
        return book
          .markets(event)
          .flatMap((market): MarketRef[] => (isCheap(market) ? [{ book, event, market, side: 0 }] : []));
      }),
  );
}
