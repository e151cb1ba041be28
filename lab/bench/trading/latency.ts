// From a signal to an order on the book: the service's answer changes, the trader is woken by the stream, and
// the exchange receives the order.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { MICRO, toPips } from '../../../src/domain/micro-units.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createBookkeeper } from '../../../src/trading/executor/collect-fills.ts';
import { createExecutor } from '../../../src/trading/executor/cycle.ts';
import { createRunner } from '../../../src/trading/executor/runner.ts';
import { openJournal } from '../../../src/trading/journal/journal.ts';
import type { Advice, AdviceItem } from '../../../src/trading/types.ts';
import { openPolymarketVenue } from '../../../src/trading/venue/polymarket/venue.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import { readTokenBook } from '../../simulator/trading/token-book.ts';

const { values } = parseArgs({ options: { signals: { type: 'string', default: '100' } } });
const DAY_MS = 86_400_000;
const anchorTs = Math.floor(Date.now() / DAY_MS - 30) * DAY_MS;
const simulator = createSimulator({ seed: 5, anchorTs, clock: systemClock, exchange: { startingUsd: 1e6 } });
const state = createSimulatorState({ seed: 5, anchorTs, clock: systemClock });
const server = await startSimulatorServer(simulator);
let items: AdviceItem[] = [];
const adviceServer = createServer((_, response) =>
  response.end(JSON.stringify({ madeTs: Date.now(), items, blockedBy: null } satisfies Advice)),
).listen(0, '127.0.0.1');
await once(adviceServer, 'listening');
const adviceUrl = `http://127.0.0.1:${(adviceServer.address() as AddressInfo).port}/`;

const account = privateKeyToAccount(generatePrivateKey());
const venue = await openPolymarketVenue({
  url: server.urls.clob,
  geoblockUrl: null,
  identity: { account, wallet: account.address, signatureType: 0 },
  feePaidIn: 'shares',
  clock: systemClock,
  userStream: { url: server.urls.userWs, clock: systemClock, logger: silentLogger },
});
const journal = openJournal(':memory:');
const usd = 1e6;
const executor = createExecutor({
  venue,
  journal,
  bookkeeper: createBookkeeper(venue, journal),
  clock: systemClock,
  logger: silentLogger,
  rules: {
    caps: { orderUsd: usd, eventUsd: usd, accountUsd: usd, dayUsd: usd, totalUsd: usd },
    minGainPerUsd: 0,
    minSecondsLeft: 0,
    minPricePips: 1,
    maxPricePips: 9999,
  },
  limits: { dayLossUsd: usd, totalLossUsd: usd },
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

const tokens = listTokens();
const times: number[] = [];
const cpuBefore = process.cpuUsage();
for (let i = 0; i < Number(values.signals); i++) {
  const tokenId = tokens[i % tokens.length]!;
  const item = toItem(tokenId, 10 + 10 * Math.floor(i / tokens.length));
  if (!item) continue;
  const before = simulator.exchange.core.records.all().length;
  items = [item];
  const startedTs = performance.now();
  runner.wake();
  while (simulator.exchange.core.records.all().length === before && performance.now() - startedTs < 3_000)
    await new Promise((resolve) => setTimeout(resolve, 1));
  times.push(performance.now() - startedTs);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
unwatch();
const cpu = process.cpuUsage(cpuBefore);
await runner.stop();
adviceServer.close();
await server.close();

times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(0);
console.log(
  `${times.length} signals: signal to order p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms; CPU of executor and exchange ${((cpu.user + cpu.system) / 1000 / times.length).toFixed(0)} ms per signal`,
);
process.exit(Number(at(0.99)) <= 250 ? 0 : 1);

function listTokens(): string[] {
  const nowTs = state.now();
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.startTs <= nowTs && event.endTs > nowTs + DAY_MS / 8)
    .flatMap((event) => state.countEvents.markets(event).map(({ tokenIds }) => tokenIds[0]))
    .filter((tokenId) => toItem(tokenId, 10) !== null)
    .slice(0, 25);
}

function toItem(tokenId: string, shares: number): AdviceItem | null {
  const ref = state.findToken(tokenId, state.now());
  const ask = ref && readTokenBook(state, ref, state.now()).book.asks[0];
  if (!ref || !ask || ask.shares < 50) return null;
  return {
    account: 'account_a',
    eventId: ref.event.eventId,
    bucket: ref.market.label,
    outcome: 'Yes',
    action: 'BUY',
    tokenId,
    limitPips: toPips(Math.min(0.99, ask.price + 0.02)),
    targetMicro: shares * MICRO,
    depthMicro: null,
    gainPerUsd: 1,
    probability: 0.5,
    secondsLeft: 7200,
    edgeKind: 'model',
    blockedBy: null,
  };
}
