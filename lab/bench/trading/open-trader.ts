// Runs the trader as in live mode against a simulated exchange, with advice set by the measurement.

import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createBookkeeper } from '../../../src/trading/executor/collect-fills.ts';
import { createExecutor } from '../../../src/trading/executor/cycle.ts';
import { createRunner } from '../../../src/trading/executor/runner.ts';
import { openJournal } from '../../../src/trading/journal/journal.ts';
import type { Advice, AdviceItem, Venue } from '../../../src/trading/types.ts';
import { openPolymarketVenue } from '../../../src/trading/venue/polymarket/venue.ts';

/** Limits too high to bind. */
const AMPLE_USD = 1e6;

export interface BenchTrader {
  advise(items: readonly AdviceItem[]): void;
  wake(): void;
  openOrders(): number;
  /** Number of orders the exchange has accepted so far. */
  accepted(): number;
  close(): Promise<void>;
}

/** `readService` makes the requests a turn sends to the service, in addition to the advice set here. */
export async function openTrader(
  urls: { clob: string; userWs: string },
  readService: () => Promise<Pick<Advice, 'madeTs' | 'blockedBy'>>,
): Promise<BenchTrader> {
  let items: readonly AdviceItem[] = [];
  let accepted = 0;
  const account = privateKeyToAccount(generatePrivateKey());
  const exchange = await openPolymarketVenue({
    url: urls.clob,
    geoblockUrl: null,
    identity: { account, wallet: account.address, signatureType: 0 },
    feePaidIn: 'shares',
    clock: systemClock,
    userStream: { url: urls.userWs, clock: systemClock, logger: silentLogger },
  });
  const venue: Venue = {
    ...exchange,
    async send(order) {
      const outcome = await exchange.send(order);
      if (outcome.kind === 'accepted') accepted++;
      return outcome;
    },
  };
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
    readAdvice: async () => ({ ...(await readService()), items }),
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
    accepted: () => accepted,
    async close() {
      unwatch();
      await runner.stop();
    },
  };
}
