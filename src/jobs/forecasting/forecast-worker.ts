// Entry point of the worker thread: one engine, one call at a time.

import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../../runtime/errors.ts';
import { createForecastEngine } from './forecast-engine.ts';
import type { EngineCall, EngineReply } from './forecast-runner.ts';

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
