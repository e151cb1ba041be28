// A demo without faults that lives for a simulated year: the real ingesting service on the simulator with a
// manual clock, which moves on when everything due has been done. So the record does not depend on the machine.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createForecastEngine } from '../../src/jobs/forecasting/forecast-engine.ts';
import { createInlineRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createStage } from './stage.ts';
import { createStormProcess } from './storm-process.ts';

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

/** Leaves a data folder that `tallycast start` continues. */
export async function liveDemo({ dataDir, seed, endTs, days, stepMs, onDay }: DemoOptions): Promise<void> {
  const startTs = Math.floor((endTs - PHASE_MS) / stepMs) * stepMs + PHASE_MS - days * DAY_MS;
  const stage = createStage(seed, { startTs, speed: SPEED, flags: ['--read-past', 'false'] });
  // Hashing every call would take a tenth of the time.
  const { log: _, ...scene } = stage;
  const { clock, simulator, ledger, random } = stage;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { anchorTs } = simulator;
  writeFileSync(join(dataDir, 'world.json'), JSON.stringify({ seed, anchorTs, reachedTs: anchorTs }));
  const store = await openStore({ dataDir, clock, logger: silentLogger });
  const process = createStormProcess({
    ...{ ...scene, number: 1, store, watcher: ledger.watcher, baseClock: clock, random },
    config: { ...stage.config, cryptoSeries: [], xPush: false },
    trouble: () => ({ kind: 'none' }),
    createRunner: () => createInlineRunner(createForecastEngine()),
  });
  process.start();
  await stage.quiet.settle();
  for (let ts = startTs, day = 0; ts < endTs; ts += stepMs) {
    await stage.live(AWAKE_MS, 1);
    clock.step(stepMs - AWAKE_MS);
    if (Math.floor((ts - startTs) / DAY_MS) > day) onDay(++day);
  }
  await stage.live(AWAKE_MS, 1);
  process.kill();
  await stage.quiet.settle();
  await store.close();
}
