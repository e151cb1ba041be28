// Trading days from a seed: the executor trades on the simulated exchange while every fault comes and goes and its process
// is killed in the middle of requests. After each restart its books must be the exchange's.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createManualClock } from '../../../src/runtime/clock.ts';
import { createRandom, type Random } from '../../../src/runtime/random.ts';
import type { Advice } from '../../../src/trading/types.ts';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { createSimulatorState, type MarketRef } from '../../simulator/simulator-state.ts';
import { drawAdvice, pickTokens } from './draw-advice.ts';
import { createTruth } from './truth.ts';
import type { ChildSetup, TurnReport } from './turn-report.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '200' },
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const days = Number(values.days);
const random = createRandom(Number(values.seed));

const FAULTS = [
  'exchange-trade-fails=0.3',
  'exchange-restart=0.5',
  'exchange-post-only=0.5',
  'exchange-tick=0.5',
  'exchange-slow-ack=2s',
  'exchange-lost-ack=0.3',
  'exchange-no-allowance=0.2',
  'clob-429=0.1',
  'clob-html=0.1',
  'clob-truncated=0.1',
  'clob-no-book=0.2',
  'user-ws-lossy=0.5',
];
const DAY_MS = 86_400_000;
const STEP_MS = 5_000;
const BURSTS = 2;
const TURNS = 7;
const CALM_TURNS = 12;
/** Wall time; answers that a fault holds back are not waited for longer. */
const ARRIVAL_MS = 60;
const HEARTBEATS_END_MS = 60_000;
const caps = { orderUsd: 15, eventUsd: 40, accountUsd: 90, dayUsd: 120, totalUsd: 150 };

const anchorTs = Date.UTC(2026, 0, 5);
const startTs = anchorTs + 30 * DAY_MS;
const clock = createManualClock(startTs);
const seed = Number(values.seed);
const simulator = createSimulator({ seed, anchorTs, clock });
/** Draws the same markets and crowd; only for advice. */
const state = createSimulatorState({ seed, anchorTs, clock });

// Kills strike at the n-th request of a turn, before or after the exchange has handled it.
let request = 0;
const inFlight = new Set<Promise<unknown>>();
let strike: { at: number; isBefore: boolean } | null = null;
const server = await startSimulatorServer({
  ...simulator,
  async fetch(raw) {
    request++;
    if (strike?.at === request && strike.isBefore) child?.process.kill('SIGKILL');
    if (raw.method === 'POST' && raw.url.endsWith('/order')) outrun(await raw.clone().text());
    const handling = simulator.fetch(raw);
    inFlight.add(handling);
    const response = await handling.finally(() => inFlight.delete(handling));
    if (strike?.at === request && !strike.isBefore) child?.process.kill('SIGKILL');
    return response;
  },
});

let advice: Advice = { madeTs: startTs, items: [], blockedBy: null };
const adviceServer = createServer((_, response) => response.end(JSON.stringify(advice))).listen(
  0,
  '127.0.0.1',
);
await once(adviceServer, 'listening');
const folder = mkdtempSync(join(tmpdir(), 'trading-days-'));
const key = `0x${'5e'.repeat(31)}${(seed % 200).toString(16).padStart(2, '0')}` as Hex;
const truth = createTruth(simulator.exchange.core, privateKeyToAccount(key).address, caps);

const RIVAL = 'rival';
simulator.exchange.wallets.give(RIVAL, 1e9);
let rivals = 0;

/** Somebody else is faster now and then and takes what the executor saw: its order rests, or fills in part. */
function outrun(body: string): void {
  if (random.uniform() >= 0.4) return;
  const { order } = JSON.parse(body) as {
    order: { tokenId: string; side: string; makerAmount: string; takerAmount: string };
  };
  const market = simulator.exchange.market(order.tokenId, clock.now());
  if (!market || market.isClosed || order.side !== 'BUY') return;
  const pricePips = Math.round((Number(order.makerAmount) * 10_000) / Number(order.takerAmount));
  simulator.exchange.core.place(
    {
      order: {
        id: `rival-${rivals++}`,
        apiKey: RIVAL,
        maker: RIVAL,
        conditionId: market.conditionId,
        tokenId: order.tokenId,
        outcome: '',
        action: 'BUY',
        pricePips,
        originalMicro: Math.round((0.3 + random.uniform()) * Number(order.takerAmount)),
        type: 'FAK',
        expiresTs: null,
        createdTs: clock.now(),
      },
      isPostOnly: false,
    },
    clock.now(),
  );
}

interface Child {
  process: ChildProcess;
  lines: Interface;
}
let child: Child | null = null;

function startChild(): Child {
  const setup: ChildSetup = {
    startTs: clock.now(),
    exchangeUrl: server.urls.clob,
    adviceUrl: `http://127.0.0.1:${(adviceServer.address() as AddressInfo).port}/`,
    folder,
    key,
    timeoutMs: 400,
    rules: { caps, minGainPerUsd: 0.05, minSecondsLeft: 900, minPricePips: 200, maxPricePips: 9500 },
    limits: { dayLossUsd: 1e6, totalLossUsd: 1e6 },
  };
  const program = new URL('./executor-child.ts', import.meta.url).pathname;
  const running = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(setup)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.setMaxListeners(0);
  return { process: running, lines: createInterface({ input: running.stdout! }) };
}

/** null when the process died in the middle. */
async function turn(): Promise<TurnReport | null> {
  child ??= startChild();
  const { process: running, lines } = child;
  // Simulated seconds pass in an instant: what was sent in the last turn must have arrived, as it would have.
  await Promise.race([
    Promise.allSettled(inFlight),
    new Promise((resolve) => setTimeout(resolve, ARRIVAL_MS)),
  ]);
  request = 0;
  const answer = new Promise<TurnReport | null>((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as TurnReport));
    running.once('exit', () => resolve(null));
  });
  running.stdin!.write(`${clock.now()}\n`);
  const report = await answer;
  if (report === null) child = null;
  return report;
}

const tally = { turns: 0, kills: 0, resting: 0, faults: new Set<string>(), haltedTurns: 0 };
const wrong: string[] = [];
const note = (where: string, found: readonly string[]) => {
  for (const one of found) {
    wrong.push(`${where}: ${one}`);
    process.stderr.write(`WRONG ${where}: ${one}\n`);
  }
};

function moveTo(ts: number): void {
  // The crowd and the exchange move in steps of a turn.
  clock.step(Math.round(ts) - clock.now());
  simulator.exchange.advance(clock.now());
}

function switchFaults(): void {
  simulator.faults.clear(null, clock.now());
  for (const text of FAULTS) {
    if (random.uniform() >= 0.15) continue;
    simulator.faults.add(parseFault(text), clock.now());
    tally.faults.add(text.split('=')[0]!);
  }
}

/** The process is gone: its orders must end by themselves, then a new one must know everything. */
async function recover(where: string): Promise<void> {
  tally.kills++;
  tally.resting += truth.liveOrders();
  moveTo(clock.now() + HEARTBEATS_END_MS);
  if (truth.liveOrders() > 0)
    note(where, [`${truth.liveOrders()} orders alive a minute after the heartbeats stopped`]);
  await compareInCalm(where);
}

/** Without faults and advice it must come to agree with the exchange. */
async function compareInCalm(where: string): Promise<void> {
  simulator.faults.clear(null, clock.now());
  const before = advice;
  let report: TurnReport | null = null;
  for (let i = 0; i < CALM_TURNS; i++) {
    moveTo(clock.now() + STEP_MS);
    advice = { ...before, madeTs: clock.now(), items: [] };
    report = await turn();
    if (report && report.halts.length === 0 && truth.compare(report).length === 0) return;
  }
  note(
    where,
    report ? [...truth.compare(report), ...report.halts.map((halt) => `halted: ${halt}`)] : ['no report'],
  );
}

async function playBurst(refs: readonly MarketRef[], killAt: number | null, where: string): Promise<void> {
  switchFaults();
  for (let i = 0; i < TURNS; i++) {
    moveTo(clock.now() + STEP_MS);
    state.now();
    advice = drawAdvice(state, refs, clock.now(), random, advice);
    truth.heard(advice);
    strike =
      killAt === i ? { at: 1 + Math.floor(random.uniform() * 14), isBefore: random.uniform() < 0.5 } : null;
    const report = await turn();
    if (report && killAt === i) child?.process.kill('SIGKILL');
    tally.turns++;
    if (report && report.halts.length > 0) tally.haltedTurns++;
    note(where, truth.checkCaps(clock.now()));
    if (killAt === i) {
      strike = null;
      if (child) await once(child.process, 'exit');
      child = null;
      await recover(where);
      switchFaults();
    }
  }
}

const killDays = drawKills(Number(values.kills), days, random);
const startedTs = performance.now();
for (let day = 0; day < days; day++) {
  const dayTs = startTs + day * DAY_MS;
  for (let burst = 0; burst < BURSTS; burst++) {
    moveTo(dayTs + (burst + 0.2 + 0.6 * random.uniform()) * (DAY_MS / BURSTS));
    state.now();
    const refs = pickTokens(state, clock.now(), random);
    const isKill = killDays.has(day * BURSTS + burst);
    await playBurst(refs, isKill ? Math.floor(random.uniform() * TURNS) : null, `day ${day + 1}`);
  }
  await compareInCalm(`end of day ${day + 1}`);
  if ((day + 1) % 10 === 0) process.stderr.write(`day ${day + 1}: ${wrong.length} wrong\n`);
}

function drawKills(count: number, dayCount: number, chance: Random): Set<number> {
  const slots = Array.from({ length: dayCount * BURSTS }, (_, slot) => ({ slot, rank: chance.uniform() }));
  return new Set(
    slots
      .sort((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ slot }) => slot),
  );
}

(child as Child | null)?.process.kill();
adviceServer.close();
await server.close();
rmSync(folder, { recursive: true, force: true });
const orders = simulator.exchange.core.records.all().filter(({ apiKey }) => apiKey !== RIVAL);
const trades = simulator.exchange.core.records.trades();
console.log(
  `${days} days, ${tally.turns} turns (${tally.haltedTurns} halted), ${orders.length} orders, ${trades.length} trades (${trades.filter(({ status }) => status === 'FAILED').length} failed), ${tally.kills} kills with ${tally.resting} orders open, ${tally.faults.size} of ${FAULTS.length} faults, ${((performance.now() - startedTs) / 1000).toFixed(0)} s`,
);
console.log(
  wrong.length === 0
    ? 'books equal the exchange after every restart; no cap passed; no order doubled'
    : `${wrong.length} wrong`,
);
process.exit(wrong.length === 0 ? 0 : 1);
