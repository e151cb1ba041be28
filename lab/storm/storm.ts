// A deterministic failure run: the whole ingesting service on the simulator with a manual clock, every fault
// drawn from one seed, and its guarantees checked throughout.

import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { onViolation } from '../../src/runtime/invariants.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { ignoreTurnLength } from '../../src/runtime/turns.ts';
import type { Store } from '../../src/store/ports.ts';
import { createDeeds, NO_TROUBLE } from './deeds.ts';
import { hasOracleJustMoved, judgeReplicas, judgeScene } from './judge.ts';
import { startLeaders } from './leaders.ts';
import type { LeadName } from './leads.ts';
import { openReplicas } from './replicas.ts';
import { drawScene, SCENES_PER_DAY, type Scene } from './scene.ts';
import { createStage, START_TS, STEP_MS, type Stage } from './stage.ts';
import { seedCrypto } from './storm-log.ts';
import { watchProgress } from './watch-progress.ts';

export interface StormOptions {
  seed: number;
  days: number;
  /** Leading post sources; defaults to the platforms. */
  lead?: LeadName;
  openStore(clock: { now(): number; after(delayMs: number, action: () => void): () => void }): Promise<Store>;
  /**
   * Makes the leader's heartbeat look old, as if its process were stuck; absent if another process can take over
   * immediately.
   */
  ageHeartbeat?: () => Promise<void>;
  /** Scenes to play instead of the seeded ones, four per day. */
  scenes?: readonly Scene[];
  /** Called with each line of the log. */
  onLine?: (line: string) => void;
  /** Called after each day. */
  onDay?: (day: number, broken: number) => void;
  /** Real time without simulated progress after which a run counts as stuck. */
  stuckAfterMs?: number;
}

export interface StormResult {
  faults: number;
  broken: string[];
  /** Hash of the log: equal for equal seeds, unless something depended on real time. */
  digest: string;
  /** The scenes played, in order; a replay takes some or all of them. */
  scenes: readonly Scene[];
}

/** Interval between checks for the end of a calm period. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
/** A simulated second takes far less, even on a busy machine. */
const STUCK_AFTER_MS = 5 * MINUTE_MS;

export async function runStorm(options: StormOptions): Promise<StormResult> {
  const { lead = 'platform', onLine } = options;
  const endSeeding = seedCrypto(createRandom(options.seed).fork('crypto'));
  const timeTurns = ignoreTurnLength();
  const stage = createStage(options.seed, { lead, ...(onLine && { onLine }) });
  const watch = watchProgress(stage.clock.now, options.stuckAfterMs ?? STUCK_AFTER_MS);
  try {
    return await Promise.race([play(options, stage, lead), watch.stuck.then(giveUp)]);
  } finally {
    watch.stop();
    endSeeding();
    timeTurns();
  }

  function giveUp(stoodMs: number): StormResult {
    const { ledger, log, quiet, simulator } = stage;
    ledger.fail(simulator.now(), `no progress for ${Math.round(stoodMs / 1_000)} s (${quiet.describe()})`);
    return { faults: 0, broken: ledger.broken, digest: log.digest(), scenes: [] };
  }
}

async function play(options: StormOptions, stage: Stage, lead: LeadName): Promise<StormResult> {
  const { simulator, clock, ledger, config } = stage;
  const openStore = () => options.openStore(clock);
  let faults = 0;
  let isViolated = false;
  const stopWatching = onViolation(({ name, details }) => {
    isViolated = true;
    ledger.fail(simulator.now(), `invariant ${name}: ${JSON.stringify(details)}`);
  });
  const replicaStore = await openStore();
  const { ageHeartbeat } = options;
  const leaders = await startLeaders({ stage, openStore, ...(ageHeartbeat && { ageHeartbeat }) });
  const replicas = openReplicas(stage, replicaStore);
  const act = createDeeds(stage, leaders, replicas);

  async function playScene(scene: Scene): Promise<void> {
    const beganTs = simulator.now();
    let lookTs = beganTs;
    const due = [...scene.deeds];
    while (!isOver(scene, beganTs)) {
      while (due.length > 0 && due[0]!.atMs <= simulator.now() - beganTs) {
        const deed = due.shift()!;
        if (deed.kind !== 'post') faults += 1;
        stage.log.write(JSON.stringify(deed));
        await act(deed);
        // Otherwise the clock, or a real call of the next deed, would overtake what this one caused.
        await stage.quiet.settle();
      }
      await stage.live(STEP_MS);
      if (simulator.now() - lookTs < LOOK_EVERY_MS) continue;
      lookTs = simulator.now();
      // Otherwise the clock would overtake the real read below.
      await stage.quiet.settle();
      if (scene.isCalm && due.length === 0 && (await judge(scene)).length === 0) break;
    }
    leaders.setTrouble(NO_TROUBLE);
    replicas.setTrouble(NO_TROUBLE);
  }

  function isOver({ lengthMs, isCalm }: Scene, beganTs: number): boolean {
    if (simulator.now() - beganTs < lengthMs) return false;
    return !(isCalm && hasOracleJustMoved({ accounts: config.accounts, simulator }));
  }

  async function judge(scene: Scene): Promise<string[]> {
    const leader = leaders.current();
    const { accounts } = config;
    const leadingSinceTs = leaders.sinceTs();
    const problems = await judgeScene({
      ...{ leader, accounts, simulator, ledger, scene, leadingSinceTs, startTs: START_TS, lead },
    });
    if (!scene.isCalm) return problems;
    return [...problems, ...judgeReplicas(accounts, leader.board, replicas.board)];
  }

  async function playAndJudge(scene: Scene): Promise<void> {
    const beganTs = simulator.now();
    faults += scene.simulatorFaults.length;
    for (const { name, value } of scene.simulatorFaults)
      simulator.faults.add({ name, value, afterMs: 0, forMs: null }, beganTs);
    await playScene(scene);
    for (const problem of await judge(scene)) ledger.fail(simulator.now(), problem);
    simulator.faults.clear(null, simulator.now());
    stage.sleepUntil(beganTs + DAY_MS / SCENES_PER_DAY);
  }

  await stage.quiet.settle();
  const scenes = options.scenes?.length ?? options.days * SCENES_PER_DAY;
  const played: Scene[] = [];
  for (let index = 0; index < scenes && !isViolated; index++) {
    // Drawn in a replay too, because processes draw from the same sequence.
    const drawn = drawScene(stage.random, index);
    played.push(options.scenes?.[index] ?? drawn);
    await playAndJudge(played.at(-1)!);
    if (index % SCENES_PER_DAY === SCENES_PER_DAY - 1)
      options.onDay?.((index + 1) / SCENES_PER_DAY, ledger.broken.length);
  }
  stopWatching();
  await leaders.end();
  await stage.quiet.settle();
  await replicas.stop();
  return { faults, broken: ledger.broken, digest: stage.log.digest(), scenes: played };
}
