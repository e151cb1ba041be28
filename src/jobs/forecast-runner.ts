// The engine behind promises: in this thread for tests and commands, in a worker thread for the service, so that a
// refit never delays an answer.

import { Worker } from 'node:worker_threads';
import { createForecastEngine, type ForecastEngine } from './forecast-engine.ts';

/** Every call of the engine, as a promise. */
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
    walkBack: async (...args) => engine.walkBack(...args),
    close: async () => {},
  };
}

/** The worker starts with the first call; calls are answered in order. A worker that dies fails what it had in hand. */
export function createWorkerRunner(): ForecastRunner {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | null = null;
  let nextId = 1;

  function failAll(reason: Error): void {
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
    worker = null;
  }

  function startWorker(): Worker {
    // A small nursery: the inner loops make no garbage, and the whole service should fit a small machine.
    const started = new Worker(new URL('./forecast-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    started.on('message', (reply: EngineReply) => {
      const call = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('error' in reply) call?.reject(new Error(reply.error));
      else call?.resolve(reply.result);
    });
    started.on('error', failAll);
    started.on('exit', () => failAll(new Error('the forecast worker has ended')));
    started.unref();
    return started;
  }

  function call<Name extends keyof ForecastEngine>(method: Name, args: Parameters<ForecastEngine[Name]>) {
    worker ??= startWorker();
    const id = nextId++;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    worker.postMessage({ id, method, args } satisfies EngineCall);
    return answer.promise as Promise<ReturnType<ForecastEngine[Name]>>;
  }

  return {
    load: (...args) => call('load', args),
    observe: (...args) => call('observe', args),
    forecast: (...args) => call('forecast', args),
    walkBack: (...args) => call('walkBack', args),
    async close() {
      const ending = worker;
      worker = null;
      await ending?.terminate();
    },
  };
}
