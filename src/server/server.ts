// Assembles the API (access, routes, pipeline, listener) and shuts it down in order.

import type { AddressInfo } from 'node:net';
import { createKeyDirectory } from '../access/key-directory.ts';
import { createLimiter } from '../access/limiter.ts';
import type { Account } from '../domain/account.ts';
import { createDeadline } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import { createBackground } from './background.ts';
import { type ApiDependencies, type RouteContext, WEBHOOKS_ALONE } from './context.ts';
import { listRoutes } from './endpoints/all-routes.ts';
import { agentPageRoutes } from './endpoints/llms.ts';
import { mcpRoutes } from './endpoints/mcp.ts';
import { demoKeyRoute, documentRoutes, pageConfigRoute, siteRoutes } from './endpoints/site.ts';
import { liveViewRoutes } from './endpoints/stream.ts';
import { createAdmitter } from './http/admission.ts';
import { chooseConnectionLimits } from './http/connection-guard.ts';
import { createListener } from './http/listener.ts';
import { createPipeline } from './http/pipeline.ts';
import { RequestMeter } from './http/request-meter.ts';
import type { Route } from './http/route.ts';
import { createRouter } from './http/router.ts';
import { createSender } from './http/sender.ts';
import type { ServiceMetrics } from './metrics.ts';
import { createPlainReader } from './plain-http/plain-reader.ts';
import { createUsageRecorder } from './usage/usage-recorder.ts';

export interface Api {
  listen(at: { host: string; port: number }): Promise<AddressInfo>;
  /** Stops accepting requests, finishes open ones within seven seconds, and writes the remaining usage. */
  close(): Promise<void>;
  readonly address: AddressInfo | null;
  readonly routes: readonly Route[];
  /** The text of the metrics endpoint. */
  readonly metrics: ServiceMetrics;
}

const STORE_DEADLINE_MS = 5_000;
/** Enough for eight keys at their own limit. */
const MAX_AT_ONCE = 256;

export function createApi(dependencies: ApiDependencies): Api {
  checkSegments(dependencies.accounts);
  const ground = layGround(dependencies);
  const closers: (() => void | Promise<void>)[] = [];
  const context = createContext(dependencies, ground, (action) => void closers.push(action));
  const routes = listEveryRoute(dependencies, context);
  const front = openFront(dependencies, ground, routes);
  const { directory, recorder, limiter, background, withDeadline } = ground;
  const { listener } = front;

  return {
    async listen(at) {
      await directory.start();
      recorder.start();
      background.start();
      return listener.listen(at);
    },
    async close() {
      const { logger } = dependencies;
      await Promise.all(closers.map((action) => action()));
      await listener.close();
      // A stalled read fails when the store closes.
      await withDeadline(Promise.all([directory.stop(), background.stop()])).catch((error) =>
        logger.warn({ problem: errorMessage(error) }, 'read interrupted by shutdown'),
      );
      // Otherwise a stalled store would block the shutdown forever.
      await withDeadline(recorder.stop()).catch((error) =>
        logger.error({ problem: errorMessage(error) }, 'last usage rows lost'),
      );
    },
    get address() {
      return listener.server.address() as AddressInfo | null;
    },
    routes,
    metrics: {
      meter: front.meter,
      router: front.router,
      recorder,
      limiter,
      listener,
      // Metrics for alarms: the board as callers see it, and the store.
      board: context.board,
      accounts: context.accounts,
      clock: context.clock,
      adviserOf: context.adviserOf,
      leaderEpoch: background.leaderEpoch,
      storeHealth: () => ({ ...background.storeHealth(), diskProblem: context.findDiskProblem() }),
    },
  };
}

type Ground = ReturnType<typeof layGround>;

/** What requests depend on: callers, limits, usage, store health. */
function layGround(dependencies: ApiDependencies) {
  const { accounts, settings, logger, store } = dependencies;
  const wallClock = dependencies.wallClock ?? dependencies.clock;
  const limiter = dependencies.limiter ?? createLimiter(settings.limits, wallClock);
  const withDeadline = createDeadline(wallClock, STORE_DEADLINE_MS);
  return {
    wallClock,
    limiter,
    withDeadline,
    directory: createKeyDirectory({ keys: store.keys, limiter, clock: wallClock, logger }),
    recorder: createUsageRecorder(store.usage, settings.usage, wallClock, logger),
    background: createBackground({ accounts, store, clock: wallClock, logger, withDeadline }),
  };
}

function createContext(
  dependencies: ApiDependencies,
  { wallClock, limiter, withDeadline, directory, recorder, background }: Ground,
  onClose: RouteContext['onClose'],
): RouteContext {
  const { accounts, board, store, walletSource, clock, logger, settings, build } = dependencies;
  return {
    accounts,
    board,
    store,
    walletSource,
    clock,
    wallClock,
    logger,
    settings,
    build,
    recorder,
    limiter,
    storeHealth: background.storeHealth,
    findDiskProblem: dependencies.findDiskProblem ?? (() => null),
    findOutdated: dependencies.findOutdated ?? (() => null),
    listViolations: dependencies.listViolations ?? (() => []),
    realisedRecords: background.realisedRecords,
    adviserOf: dependencies.adviserOf,
    whatIf: dependencies.whatIf ?? null,
    reach: dependencies.reach ?? WEBHOOKS_ALONE,
    withDeadline,
    onKeyEnd: directory.onEnd,
    onClose,
  };
}

/** The published routes, and routes derived from them: documents, agent tools, pages. */
function listEveryRoute(dependencies: ApiDependencies, context: RouteContext): Route[] {
  const published = listRoutes(context);
  const takesPayments = dependencies.payments !== null;
  const demoKey = dependencies.demoKey ?? null;
  return [
    ...published,
    ...documentRoutes(context, published),
    ...mcpRoutes(context, published),
    ...agentPageRoutes(context, published, { takesPayments }),
    pageConfigRoute(context, {
      takesPayments,
      simulatorSpeed: dependencies.simulatorSpeed ?? null,
      demoWallet: dependencies.demoWallet ?? null,
      simulatorUrl: dependencies.simulatorUrl ?? null,
      hasDemoKey: demoKey !== null,
    }),
    ...(demoKey ? [demoKeyRoute(context, demoKey)] : []),
    ...liveViewRoutes(context),
    ...siteRoutes(context.settings.webRoot),
  ];
}

/** The path from connection to route: listener, pipeline, sender. */
function openFront(dependencies: ApiDependencies, ground: Ground, routes: readonly Route[]) {
  const { settings, logger, clock, payments } = dependencies;
  const { directory, limiter, recorder, withDeadline, wallClock } = ground;
  const { trustedProxyHops } = settings;
  const router = createRouter(routes);
  const meter = new RequestMeter(routes.length);
  const stopwatch = () => performance.now();
  const pipeline = createPipeline({
    router,
    admitter: createAdmitter({
      directory,
      limiter,
      trustedProxyHops,
      withDeadline,
    }),
    sender: createSender({
      ring: settings.usage.isEnabled ? recorder.ring : null,
      meter,
      logger,
      stopwatch,
    }),
    maxAtOnce: settings.maxAtOnce ?? MAX_AT_ONCE,
    gate: payments,
    priceUsd: settings.priceUsd,
    trustedProxyHops,
    publicUrl: dependencies.reach?.publicUrl ?? '',
    accounts: dependencies.accounts.map(({ segment }) => segment),
    bodyLimitBytes: settings.bodyLimitBytes,
    logger,
    stopwatch,
    wallNow: () => wallClock.now(),
    serviceNow: () => clock.now(),
    nextRequestId: createRequestIds(dependencies.random.uint32()),
  });
  const listener = createListener(pipeline.onRequest, {
    limits: settings.connections ?? chooseConnectionLimits(trustedProxyHops),
    firstReader: settings.usesPlainReader ? createPlainReader(router.isPlain) : null,
  });
  return { router, meter, listener };
}

function checkSegments(accounts: readonly Account[]): void {
  const segments = accounts.map(({ segment }) => segment);
  if (accounts.length === 0 || new Set(segments).size !== segments.length || segments.includes('crypto')) {
    throw new Error('configure at least one account; segments must be unique and not "crypto"');
  }
}

/** Start time plus a counter: cheap, and unique across processes for practical purposes. */
function createRequestIds(start: number): () => string {
  const prefix = `${start.toString(36)}-`;
  let count = 0;
  return () => prefix + (count++).toString(36);
}
