// Boots the whole service in this process on a seeded simulator, in its own folder and on free ports.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyService } from '../../src/access/key-service.ts';
import { type App, type AppOverrides, startApp } from '../../src/app/composition.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { Tier } from '../../src/store/ports.ts';

export interface BootOptions {
  /** Additional flags; they override `--port 0 --simulator-seed 7 --read-past false`. */
  args?: readonly string[];
  /** Environment variables for the configuration; the process's own are not read. */
  env?: Record<string, string>;
  /** The `accounts` setting of the configuration file. */
  accounts?: readonly object[];
  /** Data folder that is kept after the service stops; by default a temporary one. */
  dataDir?: string;
  overrides?: AppOverrides;
  /** Condition on the board before the call returns; events and posts by default. */
  until?: 'started' | 'events' | 'forecasts';
}

export interface BootedService {
  url: string;
  app: App;
  dataDir: string;
  issueKey(tier: Tier): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Enough history to learn every habit; five times as much takes five times as long to load and score. With a
 * few seeds (15, 17, 19, 21) the oracle stalls at that age, as it does once in 75 days.
 */
const YOUNG_DAYS = 30;
const SIMULATOR_FILE = 'world.json';
const POLL_MS = 25;
const GIVE_UP_MS = 120_000;

export async function bootService(options: BootOptions = {}): Promise<BootedService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tallycast-'));
  // Reading the past takes most of a first start's time; few tests need it.
  const defaults = ['--port', '0', '--data-dir', dataDir, '--simulator-seed', '7', '--read-past', 'false'];
  const flags = [...defaults, ...(options.args ?? [])];
  const config = loadConfig(flags, {
    ...options.env,
    ...(options.accounts && listInFile(dataDir, options.accounts)),
  });
  rejuvenate(config);
  const app = await startApp(config, { logger: silentLogger, ...options.overrides });
  const keyService = createKeyService(app.store.keys, systemClock);
  const service: BootedService = {
    url: app.url!,
    app,
    dataDir,
    issueKey: async (tier) => (await keyService.issue({ tier, label: 'test' })).key,
    async stop() {
      await app.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  const until = options.until ?? 'events';
  if (until !== 'started') {
    await waitUntil(() => config.accounts.every(({ accountId }) => isReady(app, accountId, until)));
  }
  return service;
}

export function youngAnchorTs(days = YOUNG_DAYS): number {
  return Math.floor(systemClock.now() / DAY_MS - days) * DAY_MS;
}

/** Gives a new simulator a short history, unless the folder already contains a simulator. */
function rejuvenate({ dataDir, sources, simulator }: Config): void {
  if (sources !== 'simulator' || simulator.url !== null || simulator.seed === null) return;
  if (!existsSync(join(dataDir, SIMULATOR_FILE))) writeYoungSimulator(dataDir, simulator.seed);
}

/** Writes a simulator file with this seed and a short history, for a process started later. */
export function writeYoungSimulator(dataDir: string, seed: number): void {
  const anchorTs = youngAnchorTs();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, SIMULATOR_FILE), JSON.stringify({ seed, anchorTs, reachedTs: anchorTs }));
}

function listInFile(dataDir: string, accounts: readonly object[]): { TALLYCAST_CONFIG: string } {
  const path = join(dataDir, 'tallycast.config.json');
  writeFileSync(path, JSON.stringify({ accounts }));
  return { TALLYCAST_CONFIG: path };
}

function isReady(app: App, accountId: string, until: 'events' | 'forecasts'): boolean {
  const snapshot = app.board.find(accountId);
  if (!snapshot || snapshot.events.length === 0 || snapshot.recentPosts.length === 0) return false;
  return until === 'events' || snapshot.events.some(({ forecast }) => forecast !== null);
}

/** Polls with a generous deadline; on failure, reports what it waited for. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpTs = systemClock.now() + GIVE_UP_MS;
  while (!(await isTrue())) {
    if (systemClock.now() > giveUpTs) throw new Error(`timed out waiting for: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
