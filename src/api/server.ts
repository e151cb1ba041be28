// Puts the interface together: access, routes, pipeline, listener; and takes it down in order.

import type { AddressInfo } from 'node:net';
import type { Account } from '../domain/account.ts';
import { systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import { createAdvisers } from '../trade/advice/adviser.ts';
import { createKeyDirectory } from './access/key-directory.ts';
import { createLocalLimiter } from './access/local-limiter.ts';
import { createBackground } from './background.ts';
import { type ApiDependencies, type RouteContext, WEBHOOKS_ALONE } from './context.ts';
import { createAdmitter } from './http/admission.ts';
import { createCallerNames } from './http/caller-names.ts';
import { chooseConnectionLimits } from './http/connection-guard.ts';
import { createListener } from './http/listener.ts';
import { createPipeline } from './http/pipeline.ts';
import { RequestMeter } from './http/request-meter.ts';
import { createRequestQueue } from './http/request-queue.ts';
import { createRouter } from './http/router.ts';
import { createSender } from './http/sender.ts';
import { createDeadline } from './load/deadline.ts';
import { createLoadGuard } from './load/load-guard.ts';
import type { ServiceMetrics } from './metrics.ts';
import { createPastPrices } from './past-prices.ts';
import type { Route } from './route.ts';
import { listRoutes } from './routes/all-routes.ts';
import { demoKeyRoute } from './routes/demo-key.ts';
import { documentRoutes } from './routes/documents.ts';
import { agentPageRoutes } from './routes/llms.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { pageConfigRoute } from './routes/page-config.ts';
import { siteRoutes } from './routes/site.ts';
import { createUsageRecorder } from './usage/usage-recorder.ts';

export interface Api {
  listen(at: { host: string; port: number }): Promise<AddressInfo>;
  /** Stops taking requests, ends those in hand within ten seconds, writes what usage is left. */
  close(): Promise<void>;
  readonly address: AddressInfo | null;
  readonly routes: readonly Route[];
  /** What the metrics server tells. */
  readonly metrics: ServiceMetrics;
}

const STORE_DEADLINE_MS = 5_000;

export function createApi(dependencies: ApiDependencies): Api {
  const { settings, logger, clock, store } = dependencies;
  const wallClock = dependencies.wallClock ?? clock;
  const limiter = dependencies.limiter ?? createLocalLimiter(settings.limits);
  const directory = createKeyDirectory({ keys: store.keys, limiter, clock: wallClock, logger });
  const recorder = createUsageRecorder(store.usage, settings.usage, wallClock, logger);
  const withDeadline = createDeadline(wallClock, STORE_DEADLINE_MS);
  const background = createBackground({
    accounts: dependencies.accounts,
    store,
    clock: wallClock,
    logger,
    withDeadline,
  });
  const closers: (() => void | Promise<void>)[] = [];
  const context: RouteContext = {
    accounts: dependencies.accounts,
    board: dependencies.board,
    store,
    walletSource: dependencies.walletSource,
    clock,
    wallClock,
    logger,
    settings,
    build: dependencies.build,
    recorder,
    limiter,
    storeHealth: background.storeHealth,
    findDiskProblem: dependencies.findDiskProblem ?? (() => null),
    realisedRecords: background.realisedRecords,
    adviserOf: createAdvisers(),
    whatIf: dependencies.whatIf ?? null,
    reach: dependencies.reach ?? WEBHOOKS_ALONE,
    findPastPrices: dependencies.fetchPastPrices
      ? createPastPrices(dependencies.fetchPastPrices, logger)
      : async () => [],
    withDeadline,
    onKeyEnd: directory.onEnd,
    onClose: (action) => void closers.push(action),
  };

  checkSegments(dependencies.accounts);
  const published = [...listRoutes(context), ...(dependencies.extraRoutes?.(context) ?? [])];
  const takesPayments = dependencies.payments !== null;
  const demoKey = dependencies.demoKey ?? null;
  const routes = [
    ...published,
    ...documentRoutes(context, published),
    ...mcpRoutes(context, published),
    ...agentPageRoutes(context, published, { takesPayments }),
    pageConfigRoute(context, {
      takesPayments,
      worldSpeed: dependencies.worldSpeed ?? null,
      demoWallet: dependencies.demoWallet ?? null,
      hasDemoKey: demoKey !== null,
    }),
    ...(demoKey ? [demoKeyRoute(context, demoKey)] : []),
    ...siteRoutes(settings.webRoot),
  ];
  const router = createRouter(routes);
  const meter = new RequestMeter(routes.length);
  const guard = createLoadGuard({ clock: systemClock, logger });
  const stopwatch = () => performance.now();
  const sender = createSender({
    ring: settings.usage.isEnabled ? recorder.ring : null,
    meter,
    logger,
    stopwatch,
    trace: dependencies.trace ?? null,
  });
  const pipeline = createPipeline({
    router,
    admitter: createAdmitter({
      directory,
      limiter,
      trustedProxyHops: settings.trustedProxyHops,
      hasPayment:
        dependencies.payments && ((x) => dependencies.payments!.findPaymentHeader(x.headers) !== null),
      withDeadline,
    }),
    sender,
    gate: dependencies.payments,
    priceUsd: settings.priceUsd,
    trustedProxyHops: settings.trustedProxyHops,
    bodyLimitBytes: settings.bodyLimitBytes,
    logger,
    stopwatch,
    wallNow: () => wallClock.now(),
    serviceNow: () => clock.now(),
    nextRequestId: createRequestIds(dependencies.random.uint32()),
  });
  const queue = createRequestQueue({
    serve: pipeline.onRequest,
    costOf: (req) => router.costOf(req.method!, req.url!),
    callerOf: createCallerNames(directory, settings.trustedProxyHops),
    guard,
    stopwatch,
    later: setImmediate,
  });
  const listener = createListener(queue.onRequest, {
    limits: settings.connections ?? chooseConnectionLimits(settings.trustedProxyHops),
    isPlain: router.isPlain,
  });
  listener.server.on('connection', queue.onConnection);

  return {
    async listen(at) {
      await directory.start();
      recorder.start();
      background.start();
      guard.start();
      return listener.listen(at);
    },
    async close() {
      await Promise.all(closers.map((action) => action()));
      await listener.close();
      await guard.stop();
      // A read that stalls now ends with the store.
      await withDeadline(Promise.all([directory.stop(), background.stop()])).catch((error) =>
        logger.warn({ problem: errorMessage(error) }, 'a read did not end before the stop'),
      );
      // A store that stalls now would otherwise hold the stop for ever.
      await withDeadline(recorder.stop()).catch((error) =>
        logger.error({ problem: errorMessage(error) }, 'last usage rows are lost'),
      );
      await limiter.close();
    },
    get address() {
      return listener.server.address() as AddressInfo | null;
    },
    routes,
    metrics: {
      ...{ meter, router, recorder, limiter, listener, loadLevel: guard.level },
      // What alarms ask: the board as callers see it, and the store behind it.
      ...{ board: dependencies.board, accounts: dependencies.accounts, clock, adviserOf: context.adviserOf },
      ...{ bankrollUsd: settings.defaultBankrollUsd, leaderEpoch: background.leaderEpoch },
      storeHealth: () => ({ ...background.storeHealth(), diskProblem: context.findDiskProblem() }),
    },
  };
}

function checkSegments(accounts: readonly Account[]): void {
  const segments = accounts.map(({ segment }) => segment);
  if (accounts.length === 0 || new Set(segments).size !== segments.length || segments.includes('crypto')) {
    throw new Error('the interface needs an account, and segments that differ, none of them crypto');
  }
}

/** Unique within the fleet for all practical purposes, and cheap: a start and a count. */
function createRequestIds(start: number): () => string {
  const prefix = `${start.toString(36)}-`;
  let count = 0;
  return () => prefix + (count++).toString(36);
}
