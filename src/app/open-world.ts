// The pretend world: started inside this process, or reached where it already runs. Either way the service
// knows it only by addresses, and shares its time.

import type { Config, SourceUrls } from '../config/config.ts';
import type { Account, PostSourceChoice } from '../domain/account.ts';
import { ORACLE_SPELLING } from '../domain/account-profile.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import { worldAccountFor } from '../world/draw-account.ts';
import { parseFault } from '../world/faults/fault-registry.ts';
import { DEMO_WALLET } from '../world/market/wallets.ts';
import { makeUrls, startWorldServer, type WorldUrls } from '../world/server.ts';
import { loadOrCreateWorldState, SAVE_PERIOD_MS, type WorldFile } from '../world/state-file.ts';
import { createWorld, type World } from '../world/world.ts';
import { createWorldClock } from '../world/world-clock.ts';

export interface OpenWorld {
  clock: Clock;
  /** Times real time. */
  speed: number;
  urls: WorldUrls;
  demoWallet: string;
  /** The world itself where it runs in this process, for tests; null where it is another's. */
  world: World | null;
  close(): Promise<void>;
}

export async function openWorld(config: Config, logger: Logger): Promise<OpenWorld> {
  return config.world.url === null ? startOwnWorld(config, logger) : reachWorld(config.world.url);
}

async function startOwnWorld(config: Config, logger: Logger): Promise<OpenWorld> {
  const { speed } = config.world;
  const nowTs = systemClock.now();
  const file = loadOrCreateWorldState(config.dataDir, { seed: config.world.seed ?? undefined, speed, nowTs });
  // At the natural speed the world's time is the wall clock, unless it once ran ahead of it.
  const isWallTime = speed === 1 && file.originTs === nowTs;
  const clock = isWallTime ? systemClock : createWorldClock(file.originTs, speed);
  const faults = config.world.faults.map(parseFault);
  const accounts = config.accounts.map(worldAccountFor);
  const world = createWorld({ seed: file.seed, anchorTs: file.anchorTs, clock, faults, accounts });
  const server = await startWorldServer(world);
  const save = createSaver(file, () => world.now(), logger);
  const saving = createRepeat({
    clock: systemClock,
    firstPauseMs: SAVE_PERIOD_MS,
    pauseMs: SAVE_PERIOD_MS,
    run: save,
  });
  void saving.start();
  logger.debug({ url: server.urls.base, seed: file.seed, speed }, 'the pretend world is up');
  return {
    clock,
    speed,
    urls: server.urls,
    demoWallet: world.demoWallet,
    world,
    async close() {
      await saving.stop();
      save();
      await server.close();
    },
  };
}

/** A full disk costs the pretend world its memory of the time, never the service its life. */
function createSaver(file: WorldFile, now: () => number, logger: Logger): () => void {
  let isFailing = false;
  return () => {
    try {
      file.save(now());
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        logger.warn({ error: errorMessage(error) }, "the pretend world's time is not kept on disk");
      isFailing = true;
    }
  };
}

async function reachWorld(url: string): Promise<OpenWorld> {
  const response = await fetch(new URL('/admin/speed', url));
  const { speed, timestamp } = (await response.json()) as { speed: number; timestamp: number };
  return {
    clock: createWorldClock(timestamp, speed),
    speed,
    urls: makeUrls(new URL(url).host),
    demoWallet: DEMO_WALLET,
    world: null,
    close: async () => {},
  };
}

export function worldSourceUrls(urls: WorldUrls): Omit<Record<keyof SourceUrls, string>, 'marketPage'> {
  return {
    xApi: urls.x,
    mastodon: urls.mastodon,
    oracle: urls.oracle,
    gamma: urls.gamma,
    clob: urls.clob,
    marketSocket: urls.marketWs,
    marketData: urls.data,
    cryptoSocket: urls.cryptoWs,
    twitterapi: urls.twitterapi,
  };
}

/** The configured accounts as the world knows them: handle, platform id and series are its own. */
export function worldAccounts(accounts: readonly Account[], urls: WorldUrls): Account[] {
  return accounts.map((account) => {
    const known = worldAccountFor(account);
    return {
      ...account,
      handle: known.handle,
      platformUserId: known.platformUserId,
      postSources: worldPostSources(account, known.handle, urls),
      oraclePlatform: ORACLE_SPELLING[account.platform],
      market: {
        seriesSlugs: Object.values(known.series),
        // Its own tag: that of all count markets would list everybody's events for each account.
        tagId: known.tagId,
        slugPrefix: null,
      },
    };
  });
}

/** A mirror and an archive have an address per account. */
function worldPostSources(
  { postSources = [] }: Account,
  handle: string,
  urls: WorldUrls,
): readonly PostSourceChoice[] {
  const baseUrls: Record<string, string> = {
    rss: `${urls.rss}/${handle}/feed`,
    archive: `${urls.archive}/${handle}.json`,
  };
  return postSources.map((choice) => {
    const baseUrl = baseUrls[choice.kind];
    return baseUrl === undefined ? choice : { ...choice, options: { ...choice.options, baseUrl } };
  });
}
