// Shared dependencies: clock, random numbers, store, sources and board, from the configuration or passed in.

import type { PostWebhook } from '../alerts/delivery/post-guarded.ts';
import type { Config } from '../config/config.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import { type InvariantWatch, watchInvariants } from '../runtime/invariants.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRandom, type Random, randomSeed } from '../runtime/random.ts';
import type { ApiSettings } from '../server/context.ts';
import type { Sources } from '../sources/source.ts';
import type { Board } from '../state/board.ts';
import { openStore } from '../store/open-store.ts';
import type { Store, StoreOrigin } from '../store/ports.ts';
import { type AdviserOf, createAdvisers } from '../trade/advice/adviser.ts';
import { type BuildInfo, readBuildInfo } from './build-info.ts';
import type { Closers } from './closers.ts';
import { type OpenSimulator, openSimulator } from './open-simulator.ts';
import { openSources } from './open-sources.ts';

/** Overrides from a test. */
export interface AppOverrides {
  clock?: Clock;
  random?: Random;
  logger?: Logger;
  store?: Store;
  sources?: Sources;
  settings?: Partial<ApiSettings>;
  build?: BuildInfo;
  postWebhook?: PostWebhook | undefined;
  /** Opens the simulator; runs it in this process by default. */
  openSimulator?: typeof openSimulator;
}

export interface Parts {
  config: Config;
  overrides: AppOverrides;
  logger: Logger;
  clock: Clock;
  random: Random;
  store: Store;
  sources: Sources;
  board: Board;
  adviserOf: AdviserOf;
  build: BuildInfo;
  simulator: OpenSimulator | null;
  closers: Closers;
  invariants: InvariantWatch;
}

export async function openParts(
  config: Config,
  overrides: AppOverrides,
  logger: Logger,
  board: Board,
  closers: Closers,
): Promise<Parts> {
  const invariants = watchInvariants(logger, systemClock);
  closers.add('invariants', async () => invariants.stop());
  const store = overrides.store ?? (await openOwnStore(config, overrides.clock ?? systemClock, logger));
  closers.add('store', () => store.close());
  // Must come before the simulator starts, which writes a file to the data folder.
  await claimStore(config, store);
  const simulator =
    config.sources === 'simulator' && !overrides.sources
      ? await (overrides.openSimulator ?? openSimulator)(config, logger)
      : null;
  if (simulator) closers.add('simulator', () => simulator.close());
  const clock = overrides.clock ?? simulator?.clock ?? systemClock;
  const random = overrides.random ?? createRandom(randomSeed());
  const build = overrides.build ?? readBuildInfo();
  const sources = overrides.sources ?? openSources({ config, simulator, clock, random });
  const made = {
    clock,
    random,
    store,
    sources,
    board,
    adviserOf: createAdvisers(config.defaultBankrollUsd),
    build,
    simulator,
    closers,
    invariants,
  };
  return { config, overrides, logger, ...made };
}

function openOwnStore(
  config: Pick<Config, 'secrets' | 'dataDir'>,
  clock: Clock,
  logger: Logger,
): Promise<Store> {
  const { databaseUrl, directDatabaseUrl } = config.secrets;
  return openStore({ dataDir: config.dataDir, databaseUrl, directDatabaseUrl, clock, logger });
}

type ClaimConfig = Pick<Config, 'sources' | 'dataDir' | 'secrets'>;

async function claimStore(config: ClaimConfig, store: Store): Promise<void> {
  const wanted: StoreOrigin = config.sources === 'live' ? 'live' : 'simulator';
  const origin = (await store.origin.find()) ?? (await store.origin.claim(wanted));
  if (origin !== wanted) throw new StartError(describeRefusal(config, origin));
}

function describeRefusal({ dataDir, secrets }: ClaimConfig, origin: StoreOrigin): string {
  const place = secrets.databaseUrl === null ? `DATA_DIR: ${dataDir}` : 'DATABASE_URL: this database';
  const other = secrets.databaseUrl === null ? '--data-dir' : 'DATABASE_URL';
  return origin === 'simulator'
    ? `${place} holds simulated data. Start live sources with another ${other}.`
    : `${place} holds live data. Start the simulator with another ${other}, or configure live sources.`;
}
