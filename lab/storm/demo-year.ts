// A demo without faults that runs for a simulated year: the real ingesting service on the simulator with a
// manual clock, which moves on when everything due has been done. So the record does not depend on the machine.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIngestSupervisor } from '../../src/app/ingest-supervisor.ts';
import { prepareLeaderWork } from '../../src/app/leader-work.ts';
import { openSources } from '../../src/app/open-sources.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createWorkerRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { silentLogger as logger } from '../../src/runtime/logger.ts';
import { createBoard } from '../../src/state/board.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/ports.ts';
import type { Quiet } from './quiet.ts';
import { createStage, type Stage } from './stage.ts';

export interface DemoOptions {
  dataDir: string;
  seed: number;
  endTs: number;
  days: number;
  /** Every feed and job runs once per step. */
  stepMs: number;
  onDay(day: number): void;
}

/** Long enough that a feed that responded in the previous step is not stale. */
const SPEED = 3_600;
/** Pauses between requests end within this time, a millisecond at a time. */
const AWAKE_MS = 20;
/** Just before the scored hours of events that end at noon in New York. */
const PHASE_MS = 15 * HOUR_MS + 55 * MINUTE_MS;

/** Leaves a data folder that `tallycast start` continues. A stopped run continues, like a restarted service. */
export async function liveDemo({ dataDir, seed, endTs, days, stepMs, onDay }: DemoOptions): Promise<void> {
  const file = join(dataDir, 'world.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as World) : null;
  const firstTs = Math.floor((endTs - PHASE_MS) / stepMs) * stepMs + PHASE_MS - days * DAY_MS;
  const startTs = known?.reachedTs ?? firstTs;
  const stage = createStage(known?.seed ?? seed, {
    ...{ startTs, speed: SPEED, flags: ['--read-past', 'false'] },
    ...(known && { anchorTs: known.anchorTs }),
  });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const store = await openStore({ dataDir, clock: stage.clock, logger });
  void startIngest(stage, trackCalls(store, stage.quiet)).start();
  await stage.quiet.settle();
  for (let ts = startTs; ts < endTs; ts += stepMs) {
    await stage.live(AWAKE_MS, 1);
    stage.clock.step(stepMs - AWAKE_MS);
    const { seed, anchorTs } = stage.simulator;
    writeFileSync(file, JSON.stringify({ seed, anchorTs, reachedTs: ts + stepMs } satisfies World));
    onDay(Math.floor((ts - firstTs) / DAY_MS));
  }
  // Ends like a killed process: no timer of the manual clock fires again.
  await store.close();
}

/** The simulator's own file in a data folder. */
interface World {
  seed: number;
  anchorTs: number;
  reachedTs: number;
}

function startIngest(stage: Stage, store: Store) {
  const { clock, random, network, quiet, openSimulator } = stage;
  const config = { ...stage.config, cryptoSeries: [], xPush: false };
  const sources = openSources({
    ...{ config, simulator: openSimulator, clock, random: random.fork('sources') },
    network: {
      paceClock: clock,
      fetch: (url, init) => quiet.track(network.fetch(url, init)),
      createSocket: network.createSocket,
    },
  });
  const prepare = () =>
    prepareLeaderWork({
      ...{ config, logger, clock, wallClock: clock, random: random.fork('ingest'), store, sources },
      ...{ board: createBoard(), timeScale: SPEED, build: { version: 'demo', commit: 'demo' } },
      createRunner: () => trackCalls(createWorkerRunner(), quiet),
      postWebhook: async () => ({ status: null, problem: 'there is no network' }),
    });
  return createIngestSupervisor({ store, logger, clock, prepare });
}

/** Simulated time waits for the store and the forecast thread. */
function trackCalls<T extends object>(target: T, quiet: Quiet): T {
  return new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name);
      if (typeof value === 'object' && value !== null) return trackCalls(value, quiet);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(from, args);
        return result instanceof Promise ? quiet.track(result) : result;
      };
    },
  });
}
