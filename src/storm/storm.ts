// A deterministic failure run: the whole ingesting service in the pretend world, on a clock moved by hand, with every
// fault drawn from one seed, and its promises checked throughout.

import type { OpenWorld } from '../app/open-world.ts';
import { loadConfig } from '../config/config.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../domain/units.ts';
import { createBoardFollower } from '../jobs/board-follower.ts';
import { createManualClock } from '../runtime/clock.ts';
import { silentLogger } from '../runtime/logger.ts';
import { createRandom, hashLabel } from '../runtime/random.ts';
import { createBoard } from '../state/board.ts';
import type { Store } from '../store/ports.ts';
import { openInProcess } from '../world/in-process.ts';
import { createWorld } from '../world/world.ts';
import { createCallers } from './callers.ts';
import { createFaultyStore, type StoreTrouble } from './faulty-store.ts';
import { createGate } from './gate.ts';
import { hasOracleJustMoved, judgeScene } from './judge.ts';
import { createLedger, TROUBLE_REACH_MS } from './ledger.ts';
import { createPayers } from './payers.ts';
import { createProcessClock } from './process-clock.ts';
import { createQuiet } from './quiet.ts';
import { type Deed, drawScene, SCENES_PER_DAY, type Scene } from './scene.ts';
import { createSparseRunner } from './sparse-runner.ts';
import { createStormProcess, type StormProcess } from './storm-process.ts';
import { createSubscribers } from './subscribers.ts';

export interface StormOptions {
  seed: number;
  days: number;
  openStore(clock: { now(): number; after(delayMs: number, action: () => void): () => void }): Promise<Store>;
  /** Makes the leader's heartbeat look old, as if its process did not run; absent where anybody may lead at once. */
  ageHeartbeat?: () => Promise<void>;
  /** These instead of those that the seed draws, four a day. */
  scenes?: readonly Scene[];
  /** Told after each day. */
  onDay?: (day: number, broken: number) => void;
}

export interface StormResult {
  faults: number;
  broken: string[];
  /** Of what was captured when: the same for the same seed, unless something depended on real time. */
  digest: number;
}

const START_TS = Date.UTC(2026, 5, 2, 13);
const HISTORY_DAYS = 12;
const STEP_MS = 1_000;
const FORECAST_EVERY_MS = 2 * DAY_MS;
/** A process that woke up has this long to do harm before it is taken away. */
const AFTERMATH_MS = 3 * SECOND_MS;
/** How often callers call, and a calm is looked at for being over. */
const LOOK_EVERY_MS = 10 * SECOND_MS;

export async function runStorm(options: StormOptions): Promise<StormResult> {
  const random = createRandom(options.seed).fork('storm');
  const clock = createManualClock(START_TS);
  const world = createWorld({
    seed: options.seed,
    anchorTs: START_TS - HISTORY_DAYS * DAY_MS - 13 * HOUR_MS,
    clock,
  });
  const network = openInProcess(world);
  const quiet = createQuiet();
  const ledger = createLedger(() => world.now());
  const config = loadConfig(['--sources', 'world', '--log-level', 'silent'], {});
  const openWorld: OpenWorld = {
    clock,
    speed: 1,
    urls: network.urls,
    demoWallet: world.demoWallet,
    world,
    close: async () => {},
  };
  const realStores = new Map<StormProcess, Store>();
  const forecastTs = new Map<string, number>();
  let leaderTrouble: StoreTrouble = { kind: 'none' };
  let replicaTrouble: StoreTrouble = { kind: 'none' };
  let started = 0;
  let faults = 0;
  let leader = await startProcess();
  let leadingSinceTs = world.now();

  async function startProcess(): Promise<StormProcess> {
    const store = await options.openStore(clock);
    const number = ++started;
    const process = createStormProcess({
      number,
      config: { ...config, cryptoSeries: ['btc-up-or-down-hourly'], xPush: random.uniform() < 0.5 },
      openWorld,
      network,
      baseClock: clock,
      store,
      random: random.fork(`process ${number}`),
      quiet,
      watcher: ledger.watcher,
      trouble: () => leaderTrouble,
      createRunner: () => createSparseRunner(isForecastDue),
      postWebhook: (processClock) => (notice) => replicas.subscribers.postWebhook(processClock)(notice),
    });
    realStores.set(process, store);
    process.board.listen((snapshot) => {
      if (process === leader) ledger.watchSnapshot(snapshot, world.now());
    });
    process.start();
    return process;
  }

  function isForecastDue(accountId: string): boolean {
    if (world.now() - (forecastTs.get(accountId) ?? 0) < FORECAST_EVERY_MS) return false;
    forecastTs.set(accountId, world.now());
    return true;
  }

  async function endProcess(process: StormProcess): Promise<void> {
    process.kill();
    await realStores.get(process)!.close();
    realStores.delete(process);
  }

  async function kill(): Promise<void> {
    note(0);
    await endProcess(leader);
    leader = await startProcess();
    leadingSinceTs = world.now();
  }

  /** The old leader stands still while a new one takes over; then it wakes. */
  async function pause(forMs: number): Promise<void> {
    note(forMs);
    replicas.subscribers.excuseUntil(world.now() + forMs + AFTERMATH_MS);
    const old = leader;
    old.pause();
    old.retire();
    leader = await startProcess();
    leadingSinceTs = world.now();
    const isOver = new AbortController();
    const aging = options.ageHeartbeat && keepAging(options.ageHeartbeat, leader, isOver.signal);
    await live(forMs);
    old.resume();
    await live(AFTERMATH_MS);
    await endProcess(old);
    isOver.abort();
    await aging;
  }

  function note(forMs: number, reachMs = TROUBLE_REACH_MS): void {
    ledger.troubles.push({ fromTs: world.now(), untilTs: world.now() + forMs, reachMs });
  }

  /** Connections do not outlive it: what the world pushes into them at the moment of waking is lost. */
  function sleepUntil(wakeTs: number): void {
    note(wakeTs - world.now(), STEP_MS);
    clock.step(wakeTs - world.now());
  }

  /** Lets time pass, a step at a time, each step until nothing happens any more. */
  async function live(forMs: number, stepMs = STEP_MS): Promise<void> {
    for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
      clock.advance(Math.min(stepMs, forMs - passedMs));
      await quiet.settle();
    }
  }

  const replicas = await openReplicas();

  async function openReplicas() {
    const store = await options.openStore(clock);
    const replicaClock = createProcessClock(clock);
    const faulty = createFaultyStore({
      store,
      clock: replicaClock,
      random: random.fork('replicas'),
      quiet,
      gate: createGate(),
      serverClock: clock,
      trouble: () => replicaTrouble,
      watcher: { newestEpoch: () => 0, onEpoch() {}, onFencedWrite() {}, onCaptured() {}, onSettled() {} },
      isRetired: () => true,
    });
    const board = createBoard();
    const follower = createBoardFollower({
      board,
      snapshots: faulty.snapshots,
      clock: replicaClock,
      logger: silentLogger,
    });
    void follower.start();
    const pair = [0, 1].map(() => ({ store: faulty, clock: replicaClock }));
    const callers = createCallers(
      pair,
      () => world.now(),
      (what) => ledger.fail(world.now(), what),
    );
    const troubleTs = () => (replicaTrouble.kind === 'none' ? callers.troubleTs() : world.now());
    const subscribers = createSubscribers({
      accounts: config.accounts,
      ...{ store, troubled: faulty, board, clock: replicaClock, troubleTs },
      trueNow: () => world.now(),
      fail: (what) => ledger.fail(world.now(), what),
    });
    const payers = createPayers({
      ...{ payments: faulty.payments, clock: replicaClock, random: random.fork('payers'), troubleTs },
    });
    return { store, board, follower, callers, subscribers, payers };
  }

  async function act(deed: Deed): Promise<void> {
    if (deed.kind !== 'post') faults += 1;
    switch (deed.kind) {
      case 'kill':
        return kill();
      case 'pause':
        return pause(deed.forMs);
      case 'step':
        return leader.clock.step(deed.byMs);
      case 'post':
        world.injectPost({
          accountId: deed.accountId,
          ...(deed.deleteAfterMs === null ? {} : { deleteAfterMs: deed.deleteAfterMs }),
        });
        return;
      case 'store':
        return trouble(deed);
      case 'subscribe':
        return replicas.subscribers.subscribe();
      case 'tarpit':
        return replicas.subscribers.digTarpit();
      case 'revoke':
        return replicas.subscribers.revoke();
      case 'pay':
        return replicas.payers.payAndLeave();
    }
  }

  function trouble(deed: Deed & { kind: 'store' }): void {
    const untilTs = clock.now() + deed.forMs;
    const begun = deed.trouble.kind === 'hanging' ? { ...deed.trouble, untilTs } : deed.trouble;
    if (deed.who === 'leader') {
      note(deed.forMs);
      leaderTrouble = begun;
      clock.after(deed.forMs, () => (leaderTrouble = { kind: 'none' }));
    } else {
      replicas.callers.noteTrouble();
      replicaTrouble = begun;
      clock.after(deed.forMs, () => {
        replicaTrouble = { kind: 'none' };
        replicas.callers.noteTrouble();
      });
    }
  }

  async function play(scene: Scene): Promise<void> {
    faults += scene.worldFaults.length;
    for (const { name, value } of scene.worldFaults)
      world.faults.add({ name, value, afterMs: 0, forMs: null }, world.now());
    const beganTs = world.now();
    let lookTs = beganTs;
    const due = [...scene.deeds];
    void replicas.callers.payTwice();
    const isOver = () =>
      world.now() - beganTs >= scene.lengthMs &&
      !(scene.isCalm && hasOracleJustMoved({ accounts: config.accounts, world }));
    while (!isOver()) {
      while (due.length > 0 && due[0]!.atMs <= world.now() - beganTs) await act(due.shift()!);
      await live(scene.stepMs ?? STEP_MS, scene.stepMs);
      if (world.now() - lookTs < LOOK_EVERY_MS) continue;
      lookTs = world.now();
      void replicas.callers.callOften(4);
      if (scene.isCalm && due.length === 0 && (await judge(scene)).length === 0) break;
    }
    leaderTrouble = { kind: 'none' };
    replicaTrouble = { kind: 'none' };
  }

  async function judge(scene: Scene): Promise<string[]> {
    const accounts = config.accounts;
    const problems = await judgeScene({
      leader,
      accounts,
      world,
      ledger,
      scene,
      leadingSinceTs,
      startTs: START_TS,
    });
    if (!scene.isCalm) return problems;
    const { subscribers, payers } = replicas;
    return [...problems, ...judgeReplicas(), ...payers.judge(), ...(await subscribers.judge())];
  }

  /** Replicas show what the leader saved, at the latest one look later. */
  function judgeReplicas(): string[] {
    return config.accounts.flatMap(({ accountId }) => {
      const [ours, theirs] = [leader.board.find(accountId), replicas.board.find(accountId)];
      return (ours?.events ?? []).flatMap(({ event, counters }) => {
        const shown = theirs?.events.find((state) => state.event.eventId === event.eventId)?.counters.real;
        return shown === counters.real
          ? []
          : [`replica shows ${shown} for ${event.eventId}, not ${counters.real}`];
      });
    });
  }

  await quiet.settle();
  const scenes = options.scenes?.length ?? options.days * SCENES_PER_DAY;
  for (let index = 0; index < scenes; index++) {
    const scene = options.scenes?.[index] ?? drawScene(random, index);
    const beganTs = world.now();
    await play(scene);
    for (const problem of await judge(scene)) ledger.fail(world.now(), problem);
    world.faults.clear(null, world.now());
    sleepUntil(beganTs + DAY_MS / SCENES_PER_DAY);
    if (index % SCENES_PER_DAY === SCENES_PER_DAY - 1)
      options.onDay?.((index + 1) / SCENES_PER_DAY, ledger.broken.length);
  }
  await endProcess(leader);
  await quiet.settle();
  await Promise.all([replicas.subscribers.stop(), replicas.payers.stop()]);
  await replicas.store.close();
  const captures = [...ledger.captured].map(([name, { firstSeenTs }]) => `${name}@${firstSeenTs}`);
  return { faults, broken: ledger.broken, digest: hashLabel(captures.sort().join()) };
}

/** Until the old one is gone at the latest: a successor without a store stands for leader only when it has one again. */
async function keepAging(
  age: () => Promise<void>,
  successor: StormProcess,
  isOver: AbortSignal,
): Promise<void> {
  while (!successor.isLeading() && !isOver.aborted) {
    await age();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
