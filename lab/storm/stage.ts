// The setting of a storm: a simulator on a manual clock, how time advances, and what is recorded.

import { type InProcessSimulator, openInProcess } from '../../simulator/in-process.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { SimulatorOptions } from '../../simulator/simulator-state.ts';
import type { OpenSimulator } from '../../src/app/open-simulator.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { createManualClock, type ManualClock } from '../../src/runtime/clock.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import { LEADS, type LeadName } from './leads.ts';
import { createLedger, type Ledger, TROUBLE_REACH_MS } from './ledger.ts';
import { createQuiet, type Quiet } from './quiet.ts';
import { createStormLog, type StormLog } from './storm-log.ts';

export const START_TS = Date.UTC(2026, 5, 2, 13);
export const STEP_MS = 1_000;
const HISTORY_DAYS = 12;

export interface Stage {
  random: Random;
  clock: ManualClock;
  simulator: Simulator;
  openSimulator: OpenSimulator;
  network: InProcessSimulator;
  quiet: Quiet;
  ledger: Ledger;
  log: StormLog;
  config: Config;
  /** Marks a period in which responses may be lost on our side. */
  note(forMs: number, reachMs?: number): void;
  /** Advances time step by step, waiting after each until nothing more happens. */
  live(forMs: number, stepMs?: number): Promise<void>;
  /** Connections do not survive sleep: messages pushed at the moment of waking are lost. */
  sleepUntil(wakeTs: number): void;
}

export interface StageOptions extends Pick<SimulatorOptions, 'accounts'> {
  startTs?: number;
  /** Start of the simulator's history; twelve days before by default. */
  anchorTs?: number;
  flags?: readonly string[];
  /** Stretches timeouts and periods as on a fast simulator, so that steps may be longer. */
  speed?: number;
  /** Leading post sources; defaults to the platforms. */
  lead?: LeadName;
  /** Called with each line of the log. */
  onLine?: (line: string) => void;
}

export function createStage(seed: number, options: StageOptions = {}): Stage {
  const { startTs = START_TS, flags = [], speed = 1, lead = 'platform', onLine, ...rest } = options;
  const clock = { ...createManualClock(startTs), speed };
  const { anchorTs = Math.floor(startTs / DAY_MS - HISTORY_DAYS) * DAY_MS, ...drawn } = rest;
  const simulator = createSimulator({ ...drawn, seed, anchorTs, clock });
  const network = openInProcess(simulator);
  const quiet = createQuiet();
  const log = createStormLog(() => simulator.now(), onLine);
  const ledger = createLedger(() => simulator.now(), log.write);
  const { urls } = network;

  function note(forMs: number, reachMs = TROUBLE_REACH_MS): void {
    ledger.troubles.push({ fromTs: simulator.now(), untilTs: simulator.now() + forMs, reachMs });
  }

  return {
    random: createRandom(seed).fork('storm'),
    ...{ clock, simulator, network, quiet, ledger, log, note },
    openSimulator: {
      clock,
      speed,
      urls,
      demoWallet: simulator.demoWallet,
      simulator,
      close: async () => {},
    },
    config: loadConfig(['--sources', 'simulator', '--log-level', 'silent', ...flags], LEADS[lead]),
    async live(forMs, stepMs = STEP_MS) {
      for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
        clock.advance(Math.min(stepMs, forMs - passedMs));
        await quiet.settle();
      }
    },
    sleepUntil(wakeTs) {
      note(wakeTs - simulator.now(), STEP_MS);
      clock.step(wakeTs - simulator.now());
    },
  };
}
