// Async access to the engine: on the same thread for tests and commands, on a worker thread for the service,
// so that a refit never delays a response.

import { Worker } from 'node:worker_threads';
import type { AccountId } from '../../domain/account.ts';
import { createForecastEngine, type ForecastEngine } from './forecast-engine.ts';

/** Every engine call, as a promise. */
export type ForecastRunner = {
  [Name in keyof ForecastEngine]: (
    ...args: Parameters<ForecastEngine[Name]>
  ) => Promise<ReturnType<ForecastEngine[Name]>>;
} & { close(): Promise<void> };

export interface EngineCall {
  id: number;
  method: keyof ForecastEngine;
  args: unknown[];
}

export type EngineReply = { id: number; result: unknown } | { id: number; error: string };

export function createInlineRunner(engine: ForecastEngine = createForecastEngine()): ForecastRunner {
  return {
    load: async (...args) => engine.load(...args),
    observe: async (...args) => engine.observe(...args),
    forecast: async (...args) => engine.forecast(...args),
    forget: async (...args) => engine.forget(...args),
    whatIf: async (...args) => engine.whatIf(...args),
    beginWalk: async (...args) => engine.beginWalk(...args),
    walkOn: async () => engine.walkOn(),
    adviseOnPast: async (...args) => engine.adviseOnPast(...args),
    close: async () => {},
  };
}

export type EngineThread = Pick<Worker, 'on' | 'postMessage' | 'terminate' | 'unref'>;

/** A small young generation: inner loops allocate nothing, and the service should fit on a small machine. */
const NURSERY_MB = 4;
/** Larger for what-if requests, so that garbage collection does not interrupt them. */
const WHAT_IF_NURSERY_MB = 32;

function startThread(maxYoungGenerationSizeMb = NURSERY_MB): EngineThread {
  return new Worker(new URL('./forecast-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb },
  });
}

export function createWhatIfRunner(): ForecastRunner {
  return createWorkerRunner(() => startThread(WHAT_IF_NURSERY_MB));
}

/** A thread and its pending calls; when the thread exits, only those fail. */
interface RunningThread {
  thread: EngineThread;
  waiting: Map<number, PromiseWithResolvers<unknown>>;
}

/** Starts the worker on the first call and handles calls in order. If it dies, its pending calls fail. */
export function createWorkerRunner(start: () => EngineThread = () => startThread()): ForecastRunner {
  let running: RunningThread | null = null;
  let nextId = 1;

  function startWorker(): RunningThread {
    const started: RunningThread = { thread: start(), waiting: new Map() };
    const { thread, waiting } = started;
    function failAll(reason: Error): void {
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
      if (running === started) running = null;
    }
    thread.on('message', (reply: EngineReply) => {
      const call = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('error' in reply) call?.reject(new Error(reply.error));
      else call?.resolve(reply.result);
    });
    thread.on('error', failAll);
    thread.on('exit', () => failAll(new Error('the forecast worker exited')));
    thread.unref();
    return started;
  }

  function call<Name extends keyof ForecastEngine>(method: Name, args: Parameters<ForecastEngine[Name]>) {
    running ??= startWorker();
    const id = nextId++;
    const answer = Promise.withResolvers<unknown>();
    running.waiting.set(id, answer);
    running.thread.postMessage({ id, method, args } satisfies EngineCall);
    return answer.promise as Promise<ReturnType<ForecastEngine[Name]>>;
  }

  return {
    load: (...args) => call('load', args),
    observe: (...args) => call('observe', args),
    forecast: (...args) => call('forecast', args),
    // A thread that does not run has nothing to forget.
    forget: async (...args) => (running ? call('forget', args) : undefined),
    whatIf: (...args) => call('whatIf', args),
    beginWalk: (...args) => call('beginWalk', args),
    walkOn: () => call('walkOn', []),
    adviseOnPast: (...args) => call('adviseOnPast', args),
    async close() {
      const ending = running;
      running = null;
      await ending?.thread.terminate();
    },
  };
}

// Runs the engine on several threads. An account is assigned to the thread with the fewest accounts when its
// history is loaded.

export function createRunnerPool(threads: number, createRunner: () => ForecastRunner): ForecastRunner {
  if (threads <= 1) return createRunner();
  const runners = Array.from({ length: threads }, () => createRunner());
  const homes = new Map<AccountId, ForecastRunner>();
  const accountsAt = new Map(runners.map((runner) => [runner, 0]));

  function homeOf(accountId: AccountId): ForecastRunner {
    const known = homes.get(accountId);
    if (known) return known;
    const [home, accounts] = [...accountsAt].reduce((best, each) => (each[1] < best[1] ? each : best));
    accountsAt.set(home, accounts + 1);
    homes.set(accountId, home);
    return home;
  }

  return {
    load: (accountId, ...args) => homeOf(accountId).load(accountId, ...args),
    observe: (accountId, ...args) => homeOf(accountId).observe(accountId, ...args),
    forecast: (accountId, ...args) => homeOf(accountId).forecast(accountId, ...args),
    async forget(accountId) {
      const home = homes.get(accountId);
      if (!home) return;
      homes.delete(accountId);
      accountsAt.set(home, accountsAt.get(home)! - 1);
      await home.forget(accountId);
    },
    whatIf: (accountId, ...args) => homeOf(accountId).whatIf(accountId, ...args),
    beginWalk: (...args) => runners[0]!.beginWalk(...args),
    walkOn: () => runners[0]!.walkOn(),
    adviseOnPast: (...args) => runners[0]!.adviseOnPast(...args),
    async close() {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
}
