// The run: advances simulated time, applies scheduled faults, kills and restarts the service, and polls
// /health.

import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../src/runtime/random.ts';
import type { Episode } from './schedule.ts';
import type { ServiceKeeper } from './service-keeper.ts';
import type { SimulatorControl } from './simulator-control.ts';
import type { Health, StaleWatch } from './stale-watch.ts';

export interface RunOptions {
  simulator: SimulatorControl;
  keeper: ServiceKeeper;
  watch: StaleWatch;
  random: Random;
  schedule: readonly Episode[];
  runFromTs: number;
  lengthMs: number;
  speed: number;
  killEveryMs: number;
  onProgress(line: string): void;
}

export interface RunResult {
  /** How often each fault was enabled. */
  ordered: Map<string, number>;
  posted: number;
  /** Simulated intervals in which the machine stalled: requests in flight may have been dropped. */
  standstillTs: number[];
}

const TICK_MS = 100;
/** A check this late was delayed by the machine, not by the service. */
const STANDSTILL_MS = 5_000;
const POST_EVERY_MS = 3_000;
const PROGRESS_EVERY_MS = 30_000;
const SLOW_SPEED = 20;
const SLOW_MOTION_MS = 15_000;
const SLOW_POST_EVERY_MS = 300;
const KINDS = ['original', 'quote', 'repost', 'reply', 'original'];

export async function runThroughFaults(options: RunOptions): Promise<RunResult> {
  const { simulator, keeper, watch, random, runFromTs, lengthMs } = options;
  const result: RunResult = { ordered: new Map(), posted: 0, standstillTs: [] };
  const left = [...options.schedule];
  const nextIn = (meanMs: number) => performance.now() + meanMs * (0.7 + 0.6 * random.uniform());
  let killAtMs = nextIn(options.killEveryMs);
  let postAtMs = nextIn(POST_EVERY_MS);
  let progressAtMs = 0;
  let starting: Promise<void> | null = null;
  let lookedMs = performance.now();

  async function order(fault: string): Promise<{ fromTs: number; untilTs: number }> {
    const { name, fromTs, untilTs } = await simulator.order(fault);
    result.ordered.set(name, (result.ordered.get(name) ?? 0) + 1);
    return { fromTs, untilTs: untilTs! };
  }

  async function begin(episode: Episode): Promise<void> {
    if (episode.kind === 'slow-motion') return playSlowMotion();
    if (episode.kind === 'fault') return void (await order(episode.fault));
    const forS = Math.round(episode.forMs / 1000);
    const times = [];
    for (const fault of episode.outage.faults) times.push(await order(`${fault}/${forS}s`));
    const fromTs = Math.max(...times.map((time) => time.fromTs));
    watch.begin(episode.outage, fromTs, Math.min(...times.map((time) => time.untilTs)));
  }

  /** At full speed ten seconds are a few real milliseconds: almost no poll would see such a post. */
  async function playSlowMotion(): Promise<void> {
    await restart(SLOW_SPEED);
    const untilMs = performance.now() + SLOW_MOTION_MS;
    while (performance.now() < untilMs) {
      await post();
      await wait(SLOW_POST_EVERY_MS);
    }
    await restart(options.speed);
    lookedMs = performance.now();
  }

  /** The service reads the simulator's speed at startup. */
  async function restart(speed: number): Promise<void> {
    await starting;
    await keeper.kill();
    await simulator.setSpeed(speed);
    watch.noteRestart();
    await keeper.start();
  }

  async function killAndStart(): Promise<void> {
    await keeper.kill();
    watch.noteRestart();
    await keeper.start();
  }

  async function post(): Promise<void> {
    await simulator.post({
      accountId: random.uniform() < 0.5 ? 'a' : 'b',
      kind: KINDS[result.posted++ % KINDS.length]!,
      deleteAfterMs: Math.round(3_000 + 7_000 * random.uniform()),
    });
  }

  for (;;) {
    const sinceMs = (await simulator.now()) - runFromTs;
    if (sinceMs >= lengthMs) break;
    while (left.length > 0 && left[0]!.atMs <= sinceMs) await begin(left.shift()!);
    if (performance.now() >= killAtMs && starting === null) {
      killAtMs = nextIn(options.killEveryMs);
      starting = killAndStart().finally(() => {
        starting = null;
      });
      // Reported as a crash at the end instead of an unhandled rejection.
      starting.catch((error: unknown) => keeper.crashes.push(String(error)));
    }
    if (performance.now() >= postAtMs) {
      postAtMs = nextIn(POST_EVERY_MS);
      await post();
    }
    const health = await readHealth(keeper.url());
    const sinceLookMs = performance.now() - lookedMs;
    if (sinceLookMs > STANDSTILL_MS) {
      watch.noteStandstill();
      const nowTs = await simulator.now();
      result.standstillTs.push(nowTs - sinceLookMs * options.speed, nowTs);
    }
    lookedMs = performance.now();
    if (health) watch.see(health);
    if (performance.now() >= progressAtMs) {
      progressAtMs = performance.now() + PROGRESS_EVERY_MS;
      const { broken } = watch.summary();
      options.onProgress(
        `day ${(sinceMs / 86_400_000).toFixed(1)}: health ${health?.status ?? 'silent'}, ${keeper.kills.length} kills, ` +
          `${[...result.ordered.values()].reduce((a, b) => a + b, 0)} faults, ${keeper.crashes.length} crashes, staleness failures: ${broken.length}`,
      );
    }
    await wait(TICK_MS);
  }
  await starting;
  return result;
}

export async function readHealth(url: string | null): Promise<Health | null> {
  if (url === null) return null;
  try {
    return (await (await fetch(`${url}/api/v1/health`)).json()) as Health;
  } catch {
    return null;
  }
}
