// Measures the time from a signal to an order on the book, with the service running alongside the trader: the
// advice changes, the trader wakes and reads the service, and the exchange accepts the order.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTallycast, type Tallycast } from '../../../packages/client-js/src/index.ts';
import { toAdvice } from '../../../src/trading/executor/read-advice.ts';
import { startWholeService } from '../load/whole-service.ts';
import { listOffers, takeOffer } from './list-items.ts';
import { type BenchTrader, openTrader } from './open-trader.ts';

const { values } = parseArgs({
  options: { signals: { type: 'string', default: '100' }, 'open-orders': { type: 'string' } },
});
// With --open-orders, the imported script measures and exits.
if (values['open-orders'] !== undefined) await import('./open-orders.ts');

const LIMIT_MS = 250;
/** Light background load on the service. */
const LOAD_EVERY_MS = 50;
const BETWEEN_MS = 300;
const GIVE_UP_MS = 3_000;
const LOT = 10;

const scratchDir = mkdtempSync(join(tmpdir(), 'tallycast-latency-'));
const service = await startWholeService(
  {
    ...{ isQuick: false, isDay: false, minutes: null, perSecond: null, isWritten: false, scratchDir },
    say: (text) => console.error(text),
    note: (text) => console.error(text),
  },
  { proKeys: 2 },
);
const [ownKey, otherKey] = service.keys.PRO;
const client = createTallycast({ url: service.url, apiKey: ownKey, retries: 0 });
const accounts = (await client.config()).accounts.map(({ segment }) => segment);
const trader = await openTrader(
  {
    clob: `${service.simulatorUrl}/clob`,
    userWs: `${service.simulatorUrl.replace(/^http/, 'ws')}/clob/ws/user`,
  },
  () => readService(client),
);
const load = setInterval(() => void readOften(), LOAD_EVERY_MS);
const times = await measure(trader);
clearInterval(load);
await trader.close();
await service.stop();
rmSync(scratchDir, { recursive: true, force: true });

const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
console.log(
  `${times.length} signals at ${1000 / LOAD_EVERY_MS} background requests/s: signal to order p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, max ${at(1).toFixed(0)} ms`,
);
process.exit(at(0.99) <= LIMIT_MS ? 0 : 1);

/** Reads from the service what `tallycast trade` reads in one turn. */
async function readService(from: Tallycast) {
  const [answer, health] = await Promise.all([
    from.opportunities({ bankroll: 500, limit: 100 }),
    from.health(),
  ]);
  return toAdvice(answer, health, { maxCountLead: 10, maxSettlementRisk: 0.25 });
}

async function measure(of: BenchTrader): Promise<number[]> {
  const taken: number[] = [];
  for (let shares = LOT; taken.length < Number(values.signals); shares += LOT)
    for (const offer of await listOffers(client, accounts)) {
      of.advise([takeOffer(offer, shares)]);
      taken.push(await timeOrder(of));
      await pause(BETWEEN_MS);
    }
  return taken.sort((a, b) => a - b);
}

async function timeOrder(of: BenchTrader): Promise<number> {
  const before = of.accepted();
  const startedMs = performance.now();
  of.wake();
  while (of.accepted() === before && performance.now() - startedMs < GIVE_UP_MS) await pause(1);
  return performance.now() - startedMs;
}

async function readOften(): Promise<void> {
  const headers = { 'X-API-Key': otherKey! };
  const path = `/api/v1/prediction/${accounts[Math.floor(performance.now()) % accounts.length]}`;
  await fetch(`${service.url}${path}`, { headers })
    .then((response) => response.arrayBuffer())
    .catch(() => {});
}
