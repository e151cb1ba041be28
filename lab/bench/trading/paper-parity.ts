// Compares the same advice on paper and on the simulated exchange, day after day: paper must not promise more
// than the exchange pays. The advice comes from a better-informed market, so that there is something to earn.

import { parseArgs } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { openInProcess } from '../../../simulator/in-process.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import { createSimulatorState } from '../../../simulator/simulator-state.ts';
import { MICRO } from '../../../src/domain/micro-units.ts';
import { createManualClock, type ManualClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import { createBookkeeper } from '../../../src/trading/executor/collect-fills.ts';
import { createExecutor, type Executor } from '../../../src/trading/executor/cycle.ts';
import { openJournal } from '../../../src/trading/journal/journal.ts';
import { createPaperVenue } from '../../../src/trading/paper/paper-venue.ts';
import type { Advice, Venue } from '../../../src/trading/types.ts';
import { readTerms } from '../../../src/trading/venue/polymarket/read-terms.ts';
import { openPolymarketVenue } from '../../../src/trading/venue/polymarket/venue.ts';
import { readBook } from '../../../src/trading/venue/polymarket/wire.ts';
import { pickTokens } from './draw-advice.ts';
import { drawInformedAdvice } from './informed-advice.ts';

const { values } = parseArgs({
  options: { days: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const [days, seed] = [Number(values.days), Number(values.seed)];
const DAY_MS = 86_400_000;
const STEP_MS = 2_000;
const BURSTS = 2;
const TURNS = 8;
const anchorTs = Date.UTC(2026, 0, 5);
const startTs = anchorTs + 30 * DAY_MS;
const random = createRandom(seed);
const START_MICRO = 1000 * MICRO;
const caps = { orderUsd: 40, eventUsd: 150, accountUsd: 400, dayUsd: 400, totalUsd: 600 };

/** Each trader has its own simulator with the same seed, so that their orders do not interact. */
function openSide() {
  const clock = createManualClock(startTs);
  const simulator = createSimulator({ seed, anchorTs, clock });
  return { clock, simulator, inside: openInProcess(simulator) };
}

function assemble(venue: Venue, clock: ManualClock, readAdvice: () => Advice) {
  const journal = openJournal(':memory:');
  journal.addEntry({ kind: 'start', ts: 0, cashMicro: START_MICRO });
  const bookkeeper = createBookkeeper(venue, journal);
  const executor = createExecutor({
    venue,
    journal,
    bookkeeper,
    clock,
    logger: silentLogger,
    rules: { caps, minGainPerUsd: 0, minSecondsLeft: 900, minPricePips: 200, maxPricePips: 9500 },
    limits: { dayLossUsd: 1e6, totalLossUsd: 1e6 },
    canaryFills: 0,
    readAdvice: async () => readAdvice(),
    readKillSwitch: () => null,
    isFlattening: () => false,
  });
  return { executor, bookkeeper, journal };
}

let advice: Advice = { madeTs: startTs, items: [], blockedBy: null };

async function openExchangeTrader() {
  const side = openSide();
  const account = privateKeyToAccount(`0x${'7a'.repeat(32)}`);
  const url = side.inside.urls.clob;
  const venue = await openPolymarketVenue({
    url,
    geoblockUrl: null,
    identity: { account, wallet: account.address, signatureType: 0 },
    feePaidIn: 'shares',
    clock: side.clock,
    fetch: side.inside.fetch as typeof fetch,
  });
  return { ...side, ...assemble(venue, side.clock, () => advice) };
}

function openPaperTrader() {
  const side = openSide();
  const { inside, simulator, clock } = side;
  const get = async (path: string) =>
    (await inside.fetch(`${inside.urls.clob}${path}`)).json() as Promise<unknown>;
  const state = createSimulatorState({ seed, anchorTs, clock });
  const venue = createPaperVenue({
    clock,
    cashMicro: START_MICRO,
    shares: new Map(),
    feed: {
      book: async (tokenId) => readBook(await get(`/book?token_id=${tokenId}`)),
      terms: (tokenId) => readTerms(get, tokenId, 'shares'),
      watch: () => {},
      printsSince(tokenId, ts) {
        const ref = state.findToken(tokenId, clock.now());
        if (!ref) return [];
        const isYes = ref.side === 0;
        return simulator.exchange.printsBetween(ref, ts, clock.now()).map((print) => ({
          tokenId,
          ts: print.ts,
          pricePips: isYes ? print.yesPips : 10_000 - print.yesPips,
          sizeMicro: print.sizeMicro,
          takerAction: (print.takerSide === 'BUY') === isYes ? 'BUY' : 'SELL',
        }));
      },
    },
  });
  return { ...side, ...assemble(venue, clock, () => advice) };
}

interface Trader {
  clock: ManualClock;
  executor: Executor;
  simulator: ReturnType<typeof createSimulator>;
  bookkeeper: ReturnType<typeof createBookkeeper>;
}

const exchange: Trader = await openExchangeTrader();
const paper: Trader = openPaperTrader();
const guide = createManualClock(startTs);
const state = createSimulatorState({ seed, anchorTs, clock: guide });
const informed = createSimulatorState({ seed, anchorTs, clock: guide, crowd: 'informed' });

async function moveTo(ts: number): Promise<void> {
  guide.step(ts - guide.now());
  state.now();
  informed.now();
  for (const { clock, simulator } of [exchange, paper]) {
    clock.step(ts - clock.now());
    simulator.exchange.advance(clock.now());
  }
}

async function turn(): Promise<void> {
  for (const { executor } of [exchange, paper]) await executor.cycle();
}

const profit = (trader: Trader) => {
  const books = trader.bookkeeper.books();
  const cost = [...books.positions.values()].reduce((sum, { costMicro }) => sum + costMicro, 0);
  return (books.cashMicro + cost - START_MICRO) / MICRO;
};

const byDay: { paper: number; exchange: number }[] = [];
for (let day = 0; day < days; day++) {
  const before = { paper: profit(paper), exchange: profit(exchange) };
  for (let burst = 0; burst < BURSTS; burst++) {
    await moveTo(Math.round(startTs + day * DAY_MS + (burst + 0.5 * random.uniform()) * (DAY_MS / BURSTS)));
    const refs = pickTokens(state, guide.now(), random);
    const drawn = drawInformedAdvice(state, informed, refs, guide.now(), random);
    for (let i = 0; i < TURNS; i++) {
      await moveTo(guide.now() + STEP_MS);
      advice = { ...drawn, madeTs: guide.now() };
      await turn();
    }
    advice = { ...advice, items: [] };
    await moveTo(guide.now() + STEP_MS);
    advice = { ...advice, madeTs: guide.now() };
    await turn();
  }
  byDay.push({ paper: profit(paper) - before.paper, exchange: profit(exchange) - before.exchange });
}

const total = { paper: profit(paper), exchange: profit(exchange) };
const differences = byDay.map((one) => one.paper - one.exchange);
const mean = differences.reduce((sum, one) => sum + one, 0) / days;
const sd = Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, days - 1));
const error = sd / Math.sqrt(days);
const feesUsd = (trader: Trader) => trader.bookkeeper.books().feesMicro / MICRO;
console.log(
  `${days} days: paper ${total.paper.toFixed(2)} USD, exchange ${total.exchange.toFixed(2)} USD (${((total.paper / total.exchange - 1) * 100).toFixed(1)}%)`,
);
console.log(
  `paper minus exchange per day: ${mean.toFixed(3)} USD, standard error ${error.toFixed(3)}; fees ${feesUsd(paper).toFixed(2)} and ${feesUsd(exchange).toFixed(2)} USD`,
);
const isWithin = Math.abs(total.paper / total.exchange - 1) <= 0.1;
const isAbove = mean > 1.645 * error;
console.log(
  `${isWithin ? 'within' : 'NOT within'} 10 %; ${isAbove ? 'systematically above' : 'not systematically above'}`,
);
process.exit(isWithin && !isAbove ? 0 : 1);
