// Entry point of the worker thread: one engine, one call at a time.

import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../runtime/errors.ts';
import { createForecastEngine } from './forecast-engine.ts';
import type { EngineCall, EngineReply, EngineThreadData } from './forecast-runner.ts';

const given = workerData as EngineThreadData | null;
// On Linux the priority applies to this thread; elsewhere it would apply to the whole service.
if (given?.niceness && process.platform === 'linux') setPriority(given.niceness);

const engine = createForecastEngine();

parentPort?.on('message', ({ id, method, args }: EngineCall) => {
  parentPort?.postMessage(answer(id, method, args));
});

function answer(id: number, method: EngineCall['method'], args: unknown[]): EngineReply {
  try {
    const run = engine[method] as (...values: unknown[]) => unknown;
    return { id, result: run(...args) };
  } catch (error) {
    return { id, error: errorMessage(error) };
  }
}
