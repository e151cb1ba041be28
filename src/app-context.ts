// The composition root: the only file that constructs the service. Tests hand in overrides.

import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, type Limiter } from './api/access/limiter.ts';
import { addPaymentMetrics } from './api/access/payments/payment-metrics.ts';
import { createSharedLimiter } from './api/access/shared-limiter.ts';
import type { ApiSettings } from './api/context.ts';
import { createMetricsServer } from './api/metrics.ts';
import { createApi } from './api/server.ts';
import { DEFAULT_USAGE } from './api/usage/usage-recorder.ts';
import type { PostWebhook } from './api/webhooks/post-guarded.ts';
import { type BuildInfo, readBuildInfo } from './app/build-info.ts';
import { createIngestSupervisor, type IngestSupervisor } from './app/ingest-supervisor.ts';
import { prepareLeaderWork } from './app/leader-work.ts';
import { openPayments } from './app/open-payments.ts';
import { openSources } from './app/open-sources.ts';
import { type OpenWorld, openWorld } from './app/open-world.ts';
import type { Config } from './config/config.ts';
import { createBoardFollower } from './jobs/board-follower.ts';
import { type Clock, systemClock } from './runtime/clock.ts';
import type { Logger } from './runtime/logger.ts';
import { createPinoLogger } from './runtime/pino-logger.ts';
import { createRandom, type Random, randomSeed } from './runtime/random.ts';
import type { Sources } from './sources/source.ts';
import { type Board, createBoard } from './state/board.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/ports.ts';

export interface AppOverrides {
  clock?: Clock;
  random?: Random;
  logger?: Logger;
  store?: Store;
  sources?: Sources;
  settings?: Partial<ApiSettings>;
  build?: BuildInfo;
  postWebhook?: PostWebhook;
}

export interface App {
  /** null for a process that only ingests. */
  url: string | null;
  metricsUrl: string | null;
  world: OpenWorld | null;
  board: Board;
  store: Store;
  isLeading(): boolean;
  stop(): Promise<void>;
}

const WEB_ROOT = fileURLToPath(new URL('../web/dist', import.meta.url));

export async function startApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const logger = overrides.logger ?? createPinoLogger(config.logLevel);
  const closers: (() => Promise<void>)[] = [];
  try {
    return await compose(config, overrides, logger, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** What the rooms are built from. */
interface Parts {
  config: Config;
  overrides: AppOverrides;
  logger: Logger;
  clock: Clock;
  random: Random;
  store: Store;
  sources: Sources;
  board: Board;
  build: BuildInfo;
  world: OpenWorld | null;
}

async function compose(
  config: Config,
  overrides: AppOverrides,
  logger: Logger,
  closers: (() => Promise<void>)[],
): Promise<App> {
  const world = config.sources === 'world' && !overrides.sources ? await openWorld(config, logger) : null;
  if (world) closers.push(() => world.close());
  const clock = overrides.clock ?? world?.clock ?? systemClock;
  const random = overrides.random ?? createRandom(randomSeed());
  const store = overrides.store ?? (await openOwnStore(config, clock, logger));
  closers.push(() => store.close());
  const sources = overrides.sources ?? openSources({ config, world, clock, random });
  const board = createBoard();
  const build = overrides.build ?? readBuildInfo();
  const parts: Parts = { config, overrides, logger, clock, random, store, sources, board, build, world };

  if (store.engine === 'postgres' && config.role !== 'ingest') await followSnapshots(parts, closers);
  const supervisor = config.role === 'api' ? null : await superviseIngest(parts, closers);
  const api = config.role === 'ingest' ? null : await serveApi(parts, closers);
  return {
    url: api?.url ?? null,
    metricsUrl: api?.metricsUrl ?? null,
    world,
    board,
    store,
    isLeading: () => supervisor?.isLeading() ?? false,
    stop: () => closeAll(closers),
  };
}

function openOwnStore(config: Config, clock: Clock, logger: Logger): Promise<Store> {
  const { databaseUrl, directDatabaseUrl } = config.secrets;
  return openStore({ dataDir: config.dataDir, databaseUrl, directDatabaseUrl, clock, logger });
}

async function followSnapshots(
  { board, store, logger }: Parts,
  closers: (() => Promise<void>)[],
): Promise<void> {
  const follower = createBoardFollower({ board, snapshots: store.snapshots, clock: systemClock, logger });
  closers.push(() => follower.stop());
  await follower.start();
}

async function superviseIngest(parts: Parts, closers: (() => Promise<void>)[]): Promise<IngestSupervisor> {
  const { store, logger, world } = parts;
  const timeScale = Math.max(1, world?.speed ?? 1);
  const supervisor = createIngestSupervisor({
    store,
    logger,
    prepare: () => prepareLeaderWork({ ...parts, timeScale, postWebhook: parts.overrides.postWebhook }),
  });
  closers.push(() => supervisor.stop());
  await supervisor.start();
  return supervisor;
}

async function serveApi(
  parts: Parts,
  closers: (() => Promise<void>)[],
): Promise<{ url: string; metricsUrl: string }> {
  const { config, store, logger } = parts;
  const payments = await openPayments(config, store, logger);
  closers.push(() => payments.close());
  const api = createApi({
    ...parts,
    accounts: config.accounts,
    walletSource: parts.sources.wallets,
    wallClock: systemClock,
    worldSpeed: parts.world?.speed ?? null,
    settings: { ...apiSettings(config), ...parts.overrides.settings },
    payments: payments.gate,
    ...(store.engine === 'postgres' ? { limiter: sharedLimiter(parts) } : {}),
  });
  closers.push(() => api.close());
  const { port } = await api.listen({ host: config.host, port: config.port });
  const metrics = createMetricsServer(api.metrics);
  if (payments.gate) addPaymentMetrics(metrics.registry, payments.gate);
  closers.push(() => metrics.close());
  const { port: metricsPort } = await metrics.listen({ host: '127.0.0.1', port: config.metricsPort });
  return {
    url: `http://${hostInUrl(config.host)}:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
  };
}

function sharedLimiter({ config, store, logger }: Parts): Limiter {
  return createSharedLimiter({
    settings: DEFAULT_LIMITS,
    allowances: store.allowances,
    replicas: config.replicas,
    clock: systemClock,
    logger,
  });
}

function apiSettings(config: Config): ApiSettings {
  return {
    trustedProxyHops: config.trustedProxyHops,
    publishText: config.publishText,
    blankTextOnDeletion: config.blankTextOnDeletion,
    defaultBankrollUsd: config.defaultBankrollUsd,
    priceUsd: config.payments.priceUsd,
    limits: DEFAULT_LIMITS,
    bodyLimitBytes: 64 * 1024,
    usage: { ...DEFAULT_USAGE, retentionDays: config.usageRetentionDays },
    webRoot: WEB_ROOT,
  };
}

/** A wildcard address is not one that a browser can open. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  while (closers.length > 0) await closers.pop()!().catch(() => {});
}
