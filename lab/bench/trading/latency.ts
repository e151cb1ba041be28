// From a signal to an order on the book: the service's answer changes, the trader is woken by the stream, and
// the exchange receives the order.

import { parseArgs } from 'node:util';
import { DAY_MS } from '../../../src/domain/units.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import { listOffered, toItem } from './list-items.ts';
import { openTrader } from './open-trader.ts';

const { values } = parseArgs({
  options: { signals: { type: 'string', default: '100' }, 'open-orders': { type: 'string' } },
});
// It measures and exits by itself.
if (values['open-orders'] !== undefined) await import('./open-orders.ts');

const TOKENS = 25;
const anchorTs = Math.floor(Date.now() / DAY_MS - 30) * DAY_MS;
const simulator = createSimulator({ seed: 5, anchorTs, clock: systemClock, exchange: { startingUsd: 1e6 } });
const state = createSimulatorState({ seed: 5, anchorTs, clock: systemClock });
const server = await startSimulatorServer(simulator);
const trader = await openTrader(server.urls);

const tokens = listOffered(state, TOKENS);
const times: number[] = [];
const cpuBefore = process.cpuUsage();
for (let i = 0; i < Number(values.signals); i++) {
  const item = toItem(state, tokens[i % tokens.length]!, 10 + 10 * Math.floor(i / tokens.length));
  if (!item) continue;
  const before = simulator.exchange.core.records.all().length;
  trader.advise([item]);
  const startedTs = performance.now();
  trader.wake();
  while (simulator.exchange.core.records.all().length === before && performance.now() - startedTs < 3_000)
    await new Promise((resolve) => setTimeout(resolve, 1));
  times.push(performance.now() - startedTs);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const cpu = process.cpuUsage(cpuBefore);
await trader.close();
await server.close();

times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(0);
console.log(
  `${times.length} signals: signal to order p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms; CPU of executor and exchange ${((cpu.user + cpu.system) / 1000 / times.length).toFixed(0)} ms per signal`,
);
process.exit(Number(at(0.99)) <= 250 ? 0 : 1);
