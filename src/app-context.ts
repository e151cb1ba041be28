// The composition root: the only file that constructs the service. Tests hand in overrides.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AllowanceJournal, openAllowanceJournal } from './api/access/allowance-journal.ts';
import { DEFAULT_LIMITS, type Limiter, type LimitSettings } from './api/access/limiter.ts';
import { createLocalLimiter } from './api/access/local-limiter.ts';
import { addPaymentMetrics } from './api/access/payments/payment-metrics.ts';
import { createSharedLimiter } from './api/access/shared-limiter.ts';
import type { ApiSettings } from './api/context.ts';
import { createMetricsServer, createTextServer, type MetricsServer } from './api/metrics.ts';
import { createApi } from './api/server.ts';
import { DEFAULT_USAGE } from './api/usage/usage-recorder.ts';
import type { PostWebhook } from './api/webhooks/post-guarded.ts';
import { type BuildInfo, readBuildInfo } from './app/build-info.ts';
import { createDiskWatch } from './app/disk-watch.ts';
import { createIngestSupervisor, type IngestSupervisor } from './app/ingest-supervisor.ts';
import { prepareLeaderWork } from './app/leader-work.ts';
import { type DemoTerms, openPayments, startDemo } from './app/open-payments.ts';
import { openSources } from './app/open-sources.ts';
import { type OpenWorld, openWorld } from './app/open-world.ts';
import type { WorkerBegin } from './app/worker-messages.ts';
import { chooseSharedPort, startWorkers, type WorkerPool } from './app/workers.ts';
import type { Config } from './config/config.ts';
import { createBoardFollower } from './jobs/board-follower.ts';
import { type Clock, systemClock } from './runtime/clock.ts';
import { type Logger, silentLogger } from './runtime/logger.ts';
import { createPinoLogger } from './runtime/pino-logger.ts';
import { createRandom, type Random, randomSeed } from './runtime/random.ts';
import type { Sources } from './sources/source.ts';
import { type Board, createBoard } from './state/board.ts';
import { openStore } from './store/open-store.ts';
import type { AllowanceStore, Store } from './store/ports.ts';

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
  /** null where this process answers by itself. */
  workers: WorkerPool | null;
  stop(): Promise<void>;
}

/** A process that answers on behalf of the one that ingests. */
export interface WorkerApp {
  metricsText(): Promise<string>;
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

/** `board` is fed, and `allowances` are kept, by whoever started this worker. */
export async function startWorker(
  begin: WorkerBegin,
  board: Board,
  allowances: AllowanceStore,
): Promise<WorkerApp> {
  const { config, build, settings } = begin;
  const logger = begin.isSilent ? silentLogger : createPinoLogger(config.logLevel);
  const closers: (() => Promise<void>)[] = [];
  try {
    const parts = await openParts(config, { settings, build }, logger, board, closers);
    const metrics = await listen(
      parts,
      sharedLimiter(parts, begin.isAskingForAllowances ? allowances : parts.store.allowances),
      begin.demo,
      closers,
    );
    return { metricsText: () => metrics.text(), stop: () => closeAll(closers) };
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

async function openParts(
  config: Config,
  overrides: AppOverrides,
  logger: Logger,
  board: Board,
  closers: (() => Promise<void>)[],
): Promise<Parts> {
  const world = config.sources === 'world' && !overrides.sources ? await openWorld(config, logger) : null;
  if (world) closers.push(() => world.close());
  const clock = overrides.clock ?? world?.clock ?? systemClock;
  const random = overrides.random ?? createRandom(randomSeed());
  const store = overrides.store ?? (await openOwnStore(config, clock, logger));
  closers.push(() => store.close());
  const sources = overrides.sources ?? openSources({ config, world, clock, random });
  const build = overrides.build ?? readBuildInfo();
  return { config, overrides, logger, clock, random, store, sources, board, build, world };
}

async function compose(
  config: Config,
  overrides: AppOverrides,
  logger: Logger,
  closers: (() => Promise<void>)[],
): Promise<App> {
  const parts = await openParts(config, overrides, logger, createBoard(), closers);
  const { store, board, world } = parts;
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
    workers: api?.workers ?? null,
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

interface Serving {
  url: string;
  metricsUrl: string;
  workers: WorkerPool | null;
}

async function serveApi(parts: Parts, closers: (() => Promise<void>)[]): Promise<Serving> {
  if (parts.config.workers > 1) return serveByWorkers(parts, closers);
  const journal = await openJournal(parts, closers);
  const limiter = journal
    ? createLocalLimiter(limitsOf(parts), journal)
    : sharedLimiter(parts, parts.store.allowances);
  const metrics = await listen(parts, limiter, null, closers);
  closers.push(() => metrics.close());
  return { url: metrics.apiUrl, metricsUrl: await listenForMetrics(parts, metrics), workers: null };
}

async function serveByWorkers(parts: Parts, closers: (() => Promise<void>)[]): Promise<Serving> {
  const { config, logger, board, build, world, overrides } = parts;
  const demo = config.payments.mode === 'demo' ? await startDemo(config, logger) : null;
  if (demo) closers.push(() => demo.close());
  const port = await chooseSharedPort(config.host, config.port);
  const worldUrl = world?.urls.base ?? config.world.url;
  const workers = await startWorkers({
    count: config.workers,
    begin: {
      kind: 'begin',
      config: { ...config, port, world: { ...config.world, url: worldUrl } },
      settings: overrides.settings ?? {},
      build,
      demo: demo && termsOf(demo),
      isSilent: logger === silentLogger,
      isAskingForAllowances: parts.store.engine === 'sqlite',
    },
    board,
    logger,
    journal: await openJournal(parts, closers),
  });
  closers.push(() => workers.stop());
  const metrics = createTextServer(() => workers.metricsText());
  closers.push(() => metrics.close());
  return {
    url: `http://${hostInUrl(config.host)}:${port}`,
    metricsUrl: await listenForMetrics(parts, metrics),
    workers,
  };
}

function termsOf({ payTo, network, facilitatorUrl, rpcUrl, faucetUrl }: DemoTerms): DemoTerms {
  return { payTo, network, facilitatorUrl, rpcUrl, faucetUrl };
}

/** The interface of this process, up and answering; its metrics are not listening yet. */
async function listen(
  parts: Parts,
  limiter: Limiter,
  demo: DemoTerms | null,
  closers: (() => Promise<void>)[],
): Promise<MetricsServer & { apiUrl: string }> {
  const { config, store, logger } = parts;
  const payments = await openPayments(config, store, logger, demo);
  closers.push(() => payments.close());
  const disk =
    store.engine === 'sqlite'
      ? createDiskWatch({ folder: config.dataDir, clock: systemClock, logger })
      : null;
  closers.push(async () => disk?.stop());
  await disk?.start();
  const api = createApi({
    ...parts,
    accounts: config.accounts,
    walletSource: parts.sources.wallets,
    wallClock: systemClock,
    worldSpeed: parts.world?.speed ?? null,
    settings: { ...apiSettings(config), ...parts.overrides.settings },
    payments: payments.gate,
    findDiskProblem: () => disk?.problem() ?? null,
    limiter,
  });
  closers.push(() => api.close());
  const { port } = await api.listen({ host: config.host, port: config.port });
  const metrics = createMetricsServer(api.metrics);
  if (payments.gate) addPaymentMetrics(metrics.registry, payments.gate);
  return { ...metrics, apiUrl: `http://${hostInUrl(config.host)}:${port}` };
}

async function listenForMetrics({ config }: Parts, server: Pick<MetricsServer, 'listen'>): Promise<string> {
  const { port } = await server.listen({ host: '127.0.0.1', port: config.metricsPort });
  return `http://127.0.0.1:${port}/metrics`;
}

/** Allowances of one machine are kept beside its store; those of a fleet in the database: null. */
async function openJournal(
  { config, store, logger }: Parts,
  closers: (() => Promise<void>)[],
): Promise<AllowanceJournal | null> {
  if (store.engine === 'postgres') return null;
  const folder = join(config.dataDir, 'allowances');
  const journal = await openAllowanceJournal({ folder, clock: systemClock, logger });
  closers.push(async () => journal.close());
  return journal;
}

function limitsOf({ overrides }: Parts): LimitSettings {
  return overrides.settings?.limits ?? DEFAULT_LIMITS;
}

function sharedLimiter(parts: Parts, allowances: AllowanceStore): Limiter {
  const { config, logger } = parts;
  return createSharedLimiter({
    settings: limitsOf(parts),
    allowances,
    replicas: config.replicas * config.workers,
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
