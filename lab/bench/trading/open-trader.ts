// The trader as it runs live, against a simulated exchange, with advice set by the measurement.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createBookkeeper } from '../../../src/trading/executor/collect-fills.ts';
import { createExecutor } from '../../../src/trading/executor/cycle.ts';
import { createRunner } from '../../../src/trading/executor/runner.ts';
import { openJournal } from '../../../src/trading/journal/journal.ts';
import type { Advice, AdviceItem } from '../../../src/trading/types.ts';
import { openPolymarketVenue } from '../../../src/trading/venue/polymarket/venue.ts';

/** Limits that never bind. */
const AMPLE_USD = 1e6;

export interface BenchTrader {
  advise(items: readonly AdviceItem[]): void;
  wake(): void;
  openOrders(): number;
  close(): Promise<void>;
}

export async function openTrader(urls: { clob: string; userWs: string }): Promise<BenchTrader> {
  let items: readonly AdviceItem[] = [];
  const adviceServer = createServer({ keepAliveTimeout: 0 }, (_, response) =>
    response.end(JSON.stringify({ madeTs: Date.now(), items: [...items], blockedBy: null } satisfies Advice)),
  ).listen(0, '127.0.0.1');
  await once(adviceServer, 'listening');
  const adviceUrl = `http://127.0.0.1:${(adviceServer.address() as AddressInfo).port}/`;
  const account = privateKeyToAccount(generatePrivateKey());
  const venue = await openPolymarketVenue({
    url: urls.clob,
    geoblockUrl: null,
    identity: { account, wallet: account.address, signatureType: 0 },
    feePaidIn: 'shares',
    clock: systemClock,
    userStream: { url: urls.userWs, clock: systemClock, logger: silentLogger },
  });
  const journal = openJournal(':memory:');
  const caps = { orderUsd: AMPLE_USD, eventUsd: AMPLE_USD, accountUsd: AMPLE_USD, dayUsd: AMPLE_USD };
  const executor = createExecutor({
    venue,
    journal,
    bookkeeper: createBookkeeper(venue, journal),
    clock: systemClock,
    logger: silentLogger,
    rules: {
      caps: { ...caps, totalUsd: AMPLE_USD },
      minGainPerUsd: 0,
      minSecondsLeft: 0,
      minPricePips: 1,
      maxPricePips: 9999,
    },
    limits: { dayLossUsd: AMPLE_USD, totalLossUsd: AMPLE_USD },
    canaryFills: 0,
    readAdvice: async () => (await (await fetch(adviceUrl)).json()) as Advice,
    readKillSwitch: () => null,
    isFlattening: () => false,
  });
  const runner = createRunner({
    executor,
    journal,
    clock: systemClock,
    logger: silentLogger,
    onReport: () => {},
  });
  await runner.start();
  const unwatch = venue.watch(() => {
    executor.markChanged();
    runner.wake();
  });
  return {
    advise: (next) => void (items = next),
    wake: () => runner.wake(),
    openOrders: () => journal.intents(['open']).length,
    async close() {
      unwatch();
      await runner.stop();
      adviceServer.close();
      adviceServer.closeAllConnections();
    },
  };
}
