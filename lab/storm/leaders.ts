// Ingest processes in sequence: killed, paused, and replaced on the same store.

import { DAY_MS, SECOND_MS } from '../../src/domain/units.ts';
import type { Store } from '../../src/store/ports.ts';
import type { StoreTrouble } from './faulty-store.ts';
import { createSparseRunner } from './sparse-runner.ts';
import type { Stage } from './stage.ts';
import { createStormProcess, type StormProcess } from './storm-process.ts';

const FORECAST_EVERY_MS = 2 * DAY_MS;
/** How long a woken process can do harm before it is removed. */
const AFTERMATH_MS = 3 * SECOND_MS;

export interface LeadersOptions {
  stage: Stage;
  openStore: () => Promise<Store>;
  ageHeartbeat?: () => Promise<void>;
}

export interface Leaders {
  current(): StormProcess;
  /** When it became leader; it has led without interruption since. */
  sinceTs(): number;
  /** How its store fails from now on. */
  setTrouble(trouble: StoreTrouble): void;
  kill(): Promise<void>;
  /** Pauses the old process while a new one takes over, then wakes it. */
  pause(forMs: number): Promise<void>;
  end(): Promise<void>;
}

export async function startLeaders(options: LeadersOptions): Promise<Leaders> {
  const { stage, ageHeartbeat } = options;
  const { simulator, random, ledger } = stage;
  const realStores = new Map<StormProcess, Store>();
  const forecastTs = new Map<string, number>();
  let trouble: StoreTrouble = { kind: 'none' };
  let started = 0;
  let leader: StormProcess;
  let leadingSinceTs: number;

  async function start(): Promise<void> {
    const store = await options.openStore();
    const number = ++started;
    const process = createStormProcess({
      ...stage,
      ...{ number, store, watcher: ledger.watcher, baseClock: stage.clock },
      config: { ...stage.config, cryptoSeries: ['btc-up-or-down-hourly'], xPush: random.uniform() < 0.5 },
      random: random.fork(`process ${number}`),
      trouble: () => trouble,
      createRunner: () => createSparseRunner(isForecastDue),
    });
    realStores.set(process, store);
    process.board.listen(({ snapshot }) => {
      if (process === leader) ledger.watchSnapshot(snapshot, simulator.now());
    });
    process.start();
    leader = process;
    leadingSinceTs = simulator.now();
  }

  function isForecastDue(accountId: string): boolean {
    if (simulator.now() - (forecastTs.get(accountId) ?? 0) < FORECAST_EVERY_MS) return false;
    forecastTs.set(accountId, simulator.now());
    return true;
  }

  async function end(process: StormProcess): Promise<void> {
    process.kill();
    await realStores.get(process)!.close();
    realStores.delete(process);
  }

  async function pause(forMs: number): Promise<void> {
    stage.note(forMs);
    const old = leader;
    old.pause();
    old.retire();
    await start();
    const isOver = new AbortController();
    const aging = ageHeartbeat && keepAging(ageHeartbeat, leader, isOver.signal);
    await stage.live(forMs);
    old.resume();
    await stage.live(AFTERMATH_MS);
    await end(old);
    isOver.abort();
    await aging;
  }

  await start();
  return {
    current: () => leader,
    sinceTs: () => leadingSinceTs,
    setTrouble: (next) => void (trouble = next),
    async kill() {
      stage.note(0);
      await end(leader);
      await start();
    },
    pause,
    end: () => end(leader),
  };
}

/**
 * Waits at most until the old process is gone: a successor becomes a candidate only when its store works
 * again.
 */
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
