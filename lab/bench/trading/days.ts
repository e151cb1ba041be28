// Seeded trading days: the executor trades on the simulated exchange through every fault and random kills.
// After each restart the executor's books must match the exchange's.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseFault } from '../../../simulator/faults/fault-registry.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { createSimulator } from '../../../simulator/simulator.ts';
import { createSimulatorState } from '../../../simulator/simulator-state.ts';
import { createManualClock } from '../../../src/runtime/clock.ts';
import { createRandom, type Random } from '../../../src/runtime/random.ts';
import { runHostileScript } from '../../../src/trading/executor/hostile-script.test-support.ts';
import type { Advice } from '../../../src/trading/types.ts';
import { createKalshiArena, createPolymarketArena, RIVAL } from './arena.ts';
import { type Candidate, drawAdvice, pickTokens } from './draw-advice.ts';
import { createExecutorProcess } from './executor-process.ts';
import { createRival } from './rival.ts';
import { drawStrike, isAt, ORDER_PATH, type Strike } from './strike.ts';
import { createTruth } from './truth.ts';
import type { TurnReport } from './turn-report.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '200' },
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    venue: { type: 'string', default: 'polymarket' },
    scripts: { type: 'string' },
  },
});
if (values.scripts !== undefined) await runScripts(Number(values.scripts));
const days = Number(values.days);
const random = createRandom(Number(values.seed));

const DAY_MS = 86_400_000;
const STEP_MS = 5_000;
const BURSTS = 2;
const TURNS = 7;
const CALM_TURNS = 12;
const TAKE_OVER_TURNS = 6;
const MAX_TAKE_OVER_TURNS = 24;
/** Real time. No fault relies on this timeout; it only has to be long enough for a busy machine. */
const PATIENCE_MS = 60_000;
const caps = { orderUsd: 15, eventUsd: 40, accountUsd: 90, dayUsd: 120, totalUsd: 150 };

const anchorTs = Date.UTC(2026, 0, 5);
const startTs = anchorTs + 30 * DAY_MS;
const clock = createManualClock(startTs);
const seed = Number(values.seed);
const simulator = createSimulator({ seed, anchorTs, clock });
/** Draws the same markets and prices as the simulator; used only for advice. */
const state = createSimulatorState({ seed, anchorTs, clock });

if (!['polymarket', 'kalshi'].includes(values.venue)) throw new Error('--venue is polymarket or kalshi');
const arena =
  values.venue === 'kalshi' ? createKalshiArena(simulator) : createPolymarketArena(simulator, seed);
const rival = createRival(arena, random, clock.now);
const inFlight = new Set<Promise<unknown>>();
let strike: (Strike & { isDone: boolean }) | null = null;

/** Returns the kill if this request triggers it. */
function takeStrike(raw: Request): Strike | null {
  if (!strike || strike.isDone) return null;
  const request = { method: raw.method, path: new URL(raw.url).pathname };
  if (!isAt(strike.stage, request, truth.liveOrders()) || strike.skip-- > 0) return null;
  strike.isDone = true;
  return strike;
}

function isOrder({ method, url }: Request): boolean {
  return method === 'POST' && ORDER_PATH.test(url);
}

/** On the second venue a slow order is delivered late. */
function isLate(raw: Request): boolean {
  const isSlow = simulator.faults.valueAt('exchange-slow-ack', clock.now()) !== null;
  return values.venue === 'polymarket' && isOrder(raw) && isSlow;
}

/** Simulates a timeout before the response arrives; a real one would depend on the machine's load. */
async function hangUp(handling: Promise<unknown>, ordersBefore: number): Promise<void> {
  let isOver = false;
  handling.then(
    () => void (isOver = true),
    () => void (isOver = true),
  );
  while (!isOver && arena.core.records.all().length === ordersBefore)
    await new Promise((resolve) => setImmediate(resolve));
  if (!isOver) throw new Error('the executor timed out');
}

const server = await startSimulatorServer({
  ...simulator,
  async fetch(raw) {
    const struck = takeStrike(raw);
    if (struck?.at === 'before') executor.kill();
    if (isOrder(raw)) rival.outrun(await raw.clone().text());
    const ordersBefore = arena.core.records.all().length;
    const handling = arena.handle(raw);
    inFlight.add(handling);
    handling.catch(() => {}).finally(() => inFlight.delete(handling));
    if (isLate(raw)) await hangUp(handling, ordersBefore);
    const response = await handling;
    if (struck?.at === 'handled') executor.kill();
    if (struck?.at === 'answered') setTimeout(executor.kill, struck.delayMs);
    return response;
  },
});

let advice: Advice = { madeTs: startTs, items: [], blockedBy: null };
const adviceServer = createServer({ keepAliveTimeout: 0 }, (_, response) =>
  response.end(JSON.stringify(advice)),
).listen(0, '127.0.0.1');
await once(adviceServer, 'listening');
const folder = mkdtempSync(join(tmpdir(), 'trading-days-'));
const truth = createTruth(arena, caps);

const executor = createExecutorProcess(() => ({
  startTs: clock.now(),
  venue: arena.venueAt(server.urls),
  adviceUrl: `http://127.0.0.1:${(adviceServer.address() as AddressInfo).port}/`,
  folder,
  timeoutMs: PATIENCE_MS,
  rules: { caps, minGainPerUsd: 0.05, minSecondsLeft: 900, minPricePips: 200, maxPricePips: 9500 },
  limits: { dayLossUsd: 1e6, totalLossUsd: 1e6 },
}));

/** Returns null if the process died in the meantime. */
async function turn(where: string): Promise<TurnReport | null> {
  // Simulated seconds pass instantly, so wait for requests from the previous turn to arrive.
  await Promise.allSettled(inFlight);
  const report = await executor.turn(clock.now());
  note(where, [...truth.checkCaps(clock.now()), ...(report?.sums ?? [])]);
  return report;
}

const tally = { turns: 0, kills: 0, withOpen: 0, resting: 0, adopted: 0, haltedTurns: 0 };
const faultsSeen = new Set<string>();
const haltKinds = new Map<string, number>();
const wrong: string[] = [];
const note = (where: string, found: readonly string[]) => {
  for (const one of found) {
    wrong.push(`${where}: ${one}`);
    process.stderr.write(`WRONG ${where}: ${one}\n`);
  }
};

function moveTo(ts: number): void {
  // Market and exchange advance once per turn; late responses become due.
  clock.advance(Math.round(ts) - clock.now());
  arena.advance(clock.now());
}

function switchFaults(): void {
  simulator.faults.clear(null, clock.now());
  for (const text of arena.faults) {
    if (random.uniform() >= 0.15) continue;
    simulator.faults.add(parseFault(text), clock.now());
    faultsSeen.add(text.split('=')[0]!);
  }
}

/** After a kill, the new process must take over the open orders or find that they have ended. */
async function recover({ restartsSoon }: Strike, where: string): Promise<void> {
  const live = truth.liveOrders();
  tally.kills++;
  tally.resting += live;
  if (live > 0) tally.withOpen++;
  rival.setEager(false);
  if (restartsSoon) await takeOver(where);
  else moveTo(clock.now() + arena.orphansEndMs);
  if (!restartsSoon && truth.liveOrders() > 0)
    note(where, [`${truth.liveOrders()} orders live ${arena.orphansEndMs / 1000} s after the executor died`]);
  await compareInCalm(where);
}

/**
 * Same advice, no faults: the executor's books and open orders must converge to the exchange's while orders
 * are open.
 */
async function takeOver(where: string): Promise<void> {
  simulator.faults.clear(null, clock.now());
  let report: TurnReport | null = null;
  // The outcome of an order is read in the next turn, so a turn that sent one does not count.
  for (let i = 0, counted = 0; counted < TAKE_OVER_TURNS && i < MAX_TAKE_OVER_TURNS; i++) {
    moveTo(clock.now() + STEP_MS);
    advice = { ...advice, madeTs: clock.now() };
    report = await turn(where);
    if (!report?.sent) counted++;
    if (report && report.halts.length === 0 && truth.compare(report).length === 0) {
      tally.adopted += truth.liveOrders();
      return;
    }
  }
  note(where, describeDifferences(report));
}

function describeDifferences(report: TurnReport | null): string[] {
  if (!report) return ['no report'];
  return [...truth.compare(report), ...report.halts.map((halt) => `halted: ${halt}`)];
}

/** Without faults or advice the executor must agree with the exchange. */
async function compareInCalm(where: string): Promise<void> {
  simulator.faults.clear(null, clock.now());
  const before = advice;
  let report: TurnReport | null = null;
  for (let i = 0; i < CALM_TURNS; i++) {
    moveTo(clock.now() + STEP_MS);
    advice = { ...before, madeTs: clock.now(), items: [] };
    report = await turn(where);
    if (report && report.halts.length === 0 && truth.compare(report).length === 0) return;
  }
  note(where, describeDifferences(report));
}

async function playTurn(tokens: readonly Candidate[], where: string): Promise<TurnReport | null> {
  moveTo(clock.now() + STEP_MS);
  state.now();
  advice = drawAdvice(tokens, clock.now(), random, advice);
  truth.heard(advice);
  const report = await turn(where);
  tally.turns++;
  if (report && report.halts.length > 0) tally.haltedTurns++;
  for (const halt of report?.halts ?? []) {
    const kind = halt.split(':')[0]!;
    haltKinds.set(kind, (haltKinds.get(kind) ?? 0) + 1);
  }
  return report;
}

async function playBurst(tokens: readonly Candidate[], where: string): Promise<void> {
  switchFaults();
  for (let i = 0; i < TURNS; i++) await playTurn(tokens, where);
}

async function playKill(tokens: readonly Candidate[], where: string): Promise<void> {
  // Lets orders rest first, because a kill with nothing open tests little.
  rival.setEager(true);
  simulator.faults.clear(null, clock.now());
  for (let i = 0; i < TURNS && truth.liveOrders() === 0; i++) await playTurn(tokens, where);
  switchFaults();
  strike = { ...drawStrike(random), isDone: false };
  for (let i = 0; i < TURNS && !strike.isDone; i++) await playTurn(tokens, where);
  executor.kill();
  await executor.ended();
  await recover(strike, where);
  strike = null;
}

const killDays = drawKills(Number(values.kills), days, random);
const startedTs = performance.now();
for (let day = 0; day < days; day++) {
  const dayTs = startTs + day * DAY_MS;
  for (let burst = 0; burst < BURSTS; burst++) {
    moveTo(dayTs + (burst + 0.2 + 0.6 * random.uniform()) * (DAY_MS / BURSTS));
    state.now();
    const tokens = pickTokens(arena.candidates(state, clock.now()), clock.now(), random);
    const play = killDays.has(day * BURSTS + burst) ? playKill : playBurst;
    await play(tokens, `day ${day + 1}`);
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

/** Seeded scripts of an exchange that is delayed, silent, lying or blind. */
async function runScripts(count: number): Promise<never> {
  let [wrongScripts, fills] = [0, 0];
  for (let script = 1; script <= count; script++) {
    const ran = await runHostileScript(script);
    fills += ran.fills;
    if (ran.wrong.length > 0) wrongScripts++;
    if (ran.wrong.length > 0) process.stderr.write(`WRONG ${ran.wrong[0]}\n`);
  }
  console.log(
    `${count} scripts, ${fills} fills: ${wrongScripts} with a cap exceeded, an order doubled, or one open 2 s after STOP`,
  );
  process.exit(wrongScripts === 0 ? 0 : 1);
}

executor.kill();
adviceServer.close();
await server.close();
rmSync(folder, { recursive: true, force: true });
const orders = arena.core.records.all().filter(({ apiKey }) => apiKey !== RIVAL);
const trades = arena.core.records.trades();
console.log(
  `${values.venue}: ${days} days, ${tally.turns} turns (${tally.haltedTurns} halted), ${orders.length} orders, ${trades.length} trades (${trades.filter(({ status }) => status === 'FAILED').length} failed), ${tally.kills} kills (${tally.withOpen} with open orders, ${tally.resting} orders; ${tally.adopted} taken over), ${faultsSeen.size} of ${arena.faults.length} faults, ${((performance.now() - startedTs) / 1000).toFixed(0)} s`,
);
console.log(`halts: ${[...haltKinds].map(([kind, turns]) => `${kind} ${turns}`).join(', ')}`);
console.log(
  wrong.length === 0
    ? `books match the exchange after every restart; no cap exceeded; no duplicate orders; the report adds up in every turn, ${truth.valued()} times at the exchange's balances`
    : `${wrong.length} wrong`,
);
process.exit(wrong.length === 0 ? 0 : 1);
