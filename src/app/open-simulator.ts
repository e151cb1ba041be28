// Opens the simulator, in this process or elsewhere. Either way the service uses only its URLs and follows
// its clock.

import type { KalshiSeries } from '../../simulator/account-parameters.ts';
import { simulatorAccountFor } from '../../simulator/draw-account.ts';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import {
  loadOrCreateSimulatorState,
  SAVE_PERIOD_MS,
  type SimulatorFile,
} from '../../simulator/state-file.ts';
import { DEMO_WALLET } from '../../simulator/trading/wallets.ts';
import { makeUrls, type SimulatorUrls } from '../../simulator/urls.ts';
import type { Config, SourceUrls } from '../config/config.ts';
import type { Account, PostSourceChoice } from '../domain/account.ts';
import { ORACLE_SPELLING } from '../domain/account-profile.ts';
import type { ContractSeries } from '../domain/contract.ts';
import { MARKET_TIME_ZONE } from '../domain/zoned-time.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import { KALSHI } from '../sources/kalshi/client.ts';
import { ROLLCALL } from '../sources/rollcall/client.ts';

export interface OpenSimulator {
  clock: Clock;
  /** Multiple of real time. */
  speed: number;
  urls: SimulatorUrls;
  demoWallet: string;
  /** The simulator itself if it runs in this process, for tests; otherwise null. */
  simulator: Simulator | null;
  close(): Promise<void>;
}

export async function openSimulator(config: Config, logger: Logger): Promise<OpenSimulator> {
  return config.simulator.url === null
    ? startOwnSimulator(config, logger)
    : reachSimulator(config.simulator.url);
}

/** Imported on demand, so that a service with a separate simulator does not load its code. */
export function loadSimulator() {
  return Promise.all([import('../../simulator/simulator.ts'), import('../../simulator/server.ts')]);
}

/** Starts the simulator in this process. */
export async function startOwnSimulator(config: Config, logger: Logger): Promise<OpenSimulator> {
  const [{ createSimulator }, { startSimulatorServer }] = await loadSimulator();
  const { speed } = config.simulator;
  const nowTs = systemClock.now();
  const file = loadOrCreateSimulatorState(config.dataDir, {
    seed: config.simulator.seed ?? undefined,
    speed,
    nowTs,
  });
  // At speed 1, simulated time equals wall-clock time unless it ran ahead in an earlier run.
  const isWallTime = speed === 1 && file.originTs === nowTs;
  const clock = isWallTime ? systemClock : createSimulatorClock(file.originTs, speed);
  const faults = config.simulator.faults.map(parseFault);
  const accounts = config.accounts.map(simulatorAccountFor);
  const simulator = createSimulator({
    seed: file.seed,
    anchorTs: file.anchorTs,
    clock,
    faults,
    accounts,
  });
  const server = await startSimulatorServer(simulator);
  const save = createSaver(file, () => simulator.now(), logger);
  const saving = createRepeat({
    clock: systemClock,
    firstPauseMs: SAVE_PERIOD_MS,
    pauseMs: SAVE_PERIOD_MS,
    run: save,
  });
  void saving.start();
  logger.debug({ url: server.urls.base, seed: file.seed, speed }, 'simulator started');
  return {
    clock,
    speed,
    urls: server.urls,
    demoWallet: simulator.demoWallet,
    simulator,
    async close() {
      await saving.stop();
      save();
      await server.close();
    },
  };
}

/** On a full disk the simulator's time is not saved, but the service continues. */
function createSaver(file: SimulatorFile, now: () => number, logger: Logger): () => void {
  let isFailing = false;
  return () => {
    try {
      file.save(now());
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ error: errorMessage(error) }, 'simulator time not saved');
      isFailing = true;
    }
  };
}

export interface SimulatorFacts {
  speed: number;
  timestamp: number;
}

async function reachSimulator(url: string): Promise<OpenSimulator> {
  const response = await fetch(new URL('/admin/speed', url)).catch((error: unknown) => {
    const why = errorMessage((error as Error).cause ?? error);
    throw new UsageError(`SIMULATOR_URL: no simulator answers at ${url} (${why}). Start one or correct it.`);
  });
  return simulatorAt(url, (await response.json()) as SimulatorFacts);
}

/** Describes a simulator outside this process. */
export function simulatorAt(url: string, { speed, timestamp }: SimulatorFacts): OpenSimulator {
  return {
    clock: createSimulatorClock(timestamp, speed),
    speed,
    urls: makeUrls(new URL(url).host),
    demoWallet: DEMO_WALLET,
    simulator: null,
    close: async () => {},
  };
}

export function simulatorSourceUrls(urls: SimulatorUrls): Record<keyof SourceUrls, string> {
  return {
    xApi: urls.x,
    mastodon: urls.mastodon,
    oracle: urls.oracle,
    gamma: urls.gamma,
    clob: urls.clob,
    marketSocket: urls.marketWs,
    marketData: urls.data,
    kalshi: urls.kalshi,
    kalshiSocket: urls.kalshiWs,
    rollcall: urls.rollcall,
    marketPage: urls.marketPage,
  };
}

/** The configured accounts with the simulator's handle, platform id and series. */
export function simulatorAccounts(
  { accounts, simulatedVenues }: Pick<Config, 'accounts' | 'simulatedVenues'>,
  urls: SimulatorUrls,
): Account[] {
  return accounts.map((account) => {
    const known = simulatorAccountFor(account);
    return {
      ...account,
      handle: known.handle,
      platformUserId: known.platformUserId,
      postSources: simulatorPostSources(account, known.handle, urls),
      oraclePlatform: ORACLE_SPELLING[account.platform],
      market: {
        seriesSlugs: Object.values(known.series),
        // One tag per account, because a shared tag would list every account's events.
        tagId: known.tagId,
        slugPrefix: null,
      },
      ...(simulatedVenues.includes(KALSHI) && known.kalshi
        ? { contracts: simulatedContracts(account, known.kalshi) }
        : {}),
    };
  });
}

/** The simulated venue uses the account's rule but does not count deleted posts. */
function simulatedContracts({ countingRule }: Account, { week, day }: KalshiSeries): ContractSeries[] {
  return [week, day].map((series) => ({
    venue: KALSHI,
    series,
    countingRule: { ...countingRule, deletedPosts: false },
    settlementSource: ROLLCALL,
    timeZone: MARKET_TIME_ZONE,
  }));
}

/** A mirror has one URL per account. */
function simulatorPostSources(
  { postSources = [] }: Account,
  handle: string,
  urls: SimulatorUrls,
): readonly PostSourceChoice[] {
  return postSources.map((choice) =>
    choice.kind === 'rss'
      ? { ...choice, options: { ...choice.options, baseUrl: `${urls.rss}/${handle}/feed` } }
      : choice,
  );
}
