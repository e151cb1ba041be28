// Sets up serving of requests, with allowances, payments and metrics.

import { statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDemoKey, type DemoKey } from '../access/demo-key.ts';
import { createLimiter, DEFAULT_LIMITS, type Limiter } from '../access/limiter.ts';
import { createSavedWindows } from '../access/saved-windows.ts';
import type { Config } from '../config/config.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import { createWhatIf } from '../jobs/forecasting/what-if.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import { type Clock, steadyClock, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { ApiSettings } from '../server/context.ts';
import { createMetricsServer, type MetricsServer } from '../server/metrics.ts';
import { createApi } from '../server/server.ts';
import { addInvariantMetrics, addPaymentMetrics, addSourceMetrics } from '../server/source-metrics.ts';
import { DEFAULT_USAGE, type UsageSettings } from '../server/usage/usage-recorder.ts';
import type { Store } from '../store/ports.ts';
import { createReach } from './alerting.ts';
import type { Parts } from './parts.ts';

export interface Serving {
  url: string;
  metricsUrl: string;
}

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

export async function serveApi(parts: Parts, findOutdated?: () => string | null): Promise<Serving> {
  const limiter = await openLimiter(parts);
  const metrics = await listen(parts, limiter, findOutdated);
  parts.closers.add('metrics', () => metrics.close());
  return { url: metrics.apiUrl, metricsUrl: await listenForMetrics(parts, metrics) };
}

/** Starts this process's API; its metrics server does not listen yet. */
async function listen(
  parts: Parts,
  limiter: Limiter,
  findOutdated: (() => string | null) | undefined,
): Promise<MetricsServer & { apiUrl: string }> {
  const { config, store, logger, closers } = parts;
  const payments = await openPayments(config, store, logger);
  closers.add('payments', () => payments.close());
  const findDiskProblem = await watchDisk(parts);
  const whatIf = createWhatIf({ ...parts, accounts: config.accounts, posts: store.posts });
  closers.add('what-if', () => whatIf.close());
  const demoKey = openDemoKey(parts);
  const api = createApi({
    ...parts,
    accounts: config.accounts,
    walletSource: parts.sources.wallets,
    wallClock: systemClock,
    simulatorSpeed: parts.simulator?.speed ?? null,
    demoWallet: parts.simulator?.demoWallet ?? null,
    simulatorUrl: parts.simulator?.urls.base ?? null,
    demoKey,
    settings: { ...apiSettings(parts), ...parts.overrides.settings },
    payments: payments.gate,
    findDiskProblem,
    ...(findOutdated && { findOutdated }),
    listViolations: parts.invariants.problems,
    whatIf,
    reach: createReach(config, parts.simulator?.urls.base ?? null),
    limiter,
  });
  closers.add('interface', () => api.close());
  const { port } = await api.listen({ host: config.host, port: config.port });
  // The leader gives it rules, so that the alerts page is not empty when it is first opened.
  demoKey?.hand().catch((error) => logger.warn({ error: errorMessage(error) }, 'demo key not issued'));
  const metrics = createMetricsServer(api.metrics);
  if (payments.gate) addPaymentMetrics(metrics.registry, payments.gate);
  addSourceMetrics(metrics.registry, parts.board, config.accounts);
  addInvariantMetrics(metrics.registry, parts.invariants);
  return { ...metrics, apiUrl: `http://${hostInUrl(config.host)}:${port}` };
}

/** Returns null on live sources: there is never a demo key. */
function openDemoKey({ simulator, store, closers }: Parts): DemoKey | null {
  if (!simulator) return null;
  const demoKey = createDemoKey(store.keys, systemClock);
  closers.add('demonstration key', () => demoKey.revoke());
  return demoKey;
}

/** Watches the disk only for the embedded store; PostgreSQL has its own. */
async function watchDisk({ config, store, logger, closers }: Parts): Promise<() => string | null> {
  if (store.engine !== 'sqlite') return () => null;
  const watch = createDiskWatch({ folder: config.dataDir, clock: systemClock, logger });
  closers.add('disk watch', () => watch.stop());
  await watch.start();
  return watch.problem;
}

async function listenForMetrics({ config }: Parts, server: Pick<MetricsServer, 'listen'>): Promise<string> {
  const { port } = await server.listen(config.metrics);
  return `http://${hostInUrl(config.metrics.host)}:${port}/metrics`;
}

/** What was granted before a restart counts before the first request is served. */
async function openLimiter({ store, logger, overrides, closers }: Parts): Promise<Limiter> {
  const limiter = createLimiter(overrides.settings?.limits ?? DEFAULT_LIMITS, steadyClock);
  const saved = createSavedWindows({ limiter, allowances: store.allowances, logger });
  closers.add('allowances', () => saved.stop());
  await saved.start();
  return limiter;
}

function apiSettings({ config, simulator }: Pick<Parts, 'config' | 'simulator'>): ApiSettings {
  return {
    trustedProxyHops: config.trustedProxyHops,
    publishText: config.publishText,
    blankTextOnDeletion: config.blankTextOnDeletion,
    defaultBankrollUsd: config.defaultBankrollUsd,
    marketPageUrl: simulator?.urls.marketPage ?? config.urls.marketPage,
    priceUsd: config.payments.priceUsd,
    limits: DEFAULT_LIMITS,
    usesPlainReader: config.plainReader,
    bodyLimitBytes: 64 * 1024,
    usage: usageSettings(config),
    webRoot: WEB_ROOT,
  };
}

/** With several processes, each flushes usage every second, so usage reports are at most a second late. */
function usageSettings(config: Pick<Config, 'secrets' | 'usageRetentionDays'>): UsageSettings {
  const isAlone = config.secrets.databaseUrl === null;
  const { flushIntervalMs } = DEFAULT_USAGE;
  return {
    ...DEFAULT_USAGE,
    flushIntervalMs: isAlone ? flushIntervalMs : SECOND_MS,
    retentionDays: config.usageRetentionDays,
  };
}

/** A browser cannot open a wildcard address. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

// Sets up per-call payments as configured: off, a demo with its own chain, or a real facilitator.

interface OpenPayments {
  gate: PaymentGate | null;
  close(): Promise<void>;
}

const RESOLVE_PAYMENTS_EVERY_MS = MINUTE_MS;

/** Loads payment packages only if payments are on. */
async function openPayments(
  config: Pick<Config, 'payments' | 'secrets' | 'dataDir'>,
  store: Store,
  logger: Logger,
): Promise<OpenPayments> {
  const { mode } = config.payments;
  if (mode === 'off') return { gate: null, close: async () => {} };
  const { createX402Gate } = await import('../payments/x402-gate.ts');
  const demo = mode === 'demo' ? await startDemo(config) : null;
  const gate = createX402Gate({
    settings: {
      payTo: demo?.payTo ?? config.payments.payTo!,
      network: (demo?.network ?? config.payments.network) as `eip155:${string}`,
      facilitatorUrl: demo?.facilitatorUrl ?? config.payments.facilitatorUrl!,
      facilitatorAuthorization: demo ? null : config.secrets.facilitatorAuthorization,
      demoFaucetUrl: demo?.faucetUrl ?? null,
    },
    payments: store.payments,
    clock: systemClock,
    logger,
  });
  const resolving = createRepeat({
    clock: systemClock,
    pauseMs: RESOLVE_PAYMENTS_EVERY_MS,
    run: () => gate.resolveOpen(),
    onError: (error) => logger.warn({ reason: errorMessage(error) }, 'open payments not resolved'),
  });
  void resolving.start();
  return {
    gate,
    async close() {
      await resolving.stop();
      await gate.close();
      await demo?.close();
    },
  };
}

async function startDemo({ payments: { payTo }, dataDir }: Pick<Config, 'payments' | 'dataDir'>) {
  const { startDemoPayments } = await import('../../simulator/chain/demo-payments.ts');
  return startDemoPayments({ dataDir, ...(payTo === null ? {} : { payTo }) });
}

// Watches the free space on the embedded store's disk and warns before it is full.

interface DiskWatch {
  /** Resolves after the first check. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Problem to report in /health; null while there is room. */
  problem(): string | null;
}

interface DiskWatchOptions {
  folder: string;
  clock: Clock;
  logger: Logger;
  readFreeBytes?: (folder: string) => Promise<number>;
}

const LOOK_EVERY_MS = 30_000;
const MEGABYTE = 1024 * 1024;
const WARN_BYTES = 512 * MEGABYTE;
const DEGRADED_BYTES = 64 * MEGABYTE;

export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { folder, clock, logger, readFreeBytes = askFileSystem } = options;
  let problem: string | null = null;
  let hasWarned = false;

  const looking = createRepeat({
    clock,
    pauseMs: LOOK_EVERY_MS,
    run: async () => judge(await readFreeBytes(folder)),
    onError: (error) => logger.debug({ error: errorMessage(error) }, 'free disk space unknown'),
  });

  function judge(freeBytes: number): void {
    const freeMb = Math.floor(freeBytes / MEGABYTE);
    if (freeBytes < WARN_BYTES && !hasWarned) logger.warn({ freeMb }, 'disk filling up');
    hasWarned = freeBytes < WARN_BYTES;
    problem = freeBytes < DEGRADED_BYTES ? `the disk is nearly full: ${freeMb} MB left` : null;
  }

  return {
    start: looking.start,
    stop: looking.stop,
    problem: () => problem,
  };
}

async function askFileSystem(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
