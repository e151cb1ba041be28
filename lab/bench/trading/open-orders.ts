// Measures the cost of open orders: the trader's CPU time with them minus the time without any.

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { simulatorAccountFor } from '../../../simulator/draw-account.ts';
import { createSimulatorState } from '../../../simulator/simulator-state.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { DAY_MS, SECOND_MS } from '../../../src/domain/units.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { listResting } from './list-items.ts';
import { openTrader } from './open-trader.ts';

const { values } = parseArgs({ options: { 'open-orders': { type: 'string', default: '100' } } });
const wanted = Number(values['open-orders']);
const SEED = 5;
const MEASURED_MS = 30 * SECOND_MS;
const PATIENCE_MS = 60 * SECOND_MS;
const LIMIT_SHARE = 0.05;
const SHARES = 20;

const anchorTs = Math.floor(Date.now() / DAY_MS - 30) * DAY_MS;
/** Five accounts, because two would not list enough tokens with a bid. */
const accounts = loadConfig(['--accounts', '5'], {}).accounts.map(simulatorAccountFor);
const exchange = new Worker(new URL('./exchange-thread.ts', import.meta.url), {
  workerData: { seed: SEED, anchorTs, accounts },
});
const [urls] = (await once(exchange, 'message')) as [{ clob: string; userWs: string }];
const state = createSimulatorState({ seed: SEED, anchorTs, clock: systemClock, accounts });
const trader = await openTrader(urls, async () => ({ madeTs: Date.now(), blockedBy: null }));
const idleShare = await measureShare();
const items = listResting(state, wanted, SHARES);
trader.advise(items);
const giveUpTs = performance.now() + PATIENCE_MS;
while (trader.openOrders() < items.length && performance.now() < giveUpTs) await pause(SECOND_MS);
const open = trader.openOrders();
const busyShare = await measureShare();
const kept = trader.openOrders();
await trader.close();
await exchange.terminate();

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
console.log(
  `${open} open orders (${kept} at the end): trader uses ${percent(busyShare)} of a core, ${percent(idleShare)} without orders and advice; ${percent(busyShare - idleShare)} due to the orders, over ${MEASURED_MS / SECOND_MS} s each`,
);
process.exit(kept >= 0.95 * wanted && busyShare - idleShare < LIMIT_SHARE ? 0 : 1);

/** CPU time per second of this thread, which runs the trader. */
async function measureShare(): Promise<number> {
  const [before, startedTs] = [process.threadCpuUsage(), performance.now()];
  await pause(MEASURED_MS);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / (performance.now() - startedTs);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
