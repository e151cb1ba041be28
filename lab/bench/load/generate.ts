// Runs the load generator in a process of its own and returns its results.

import { ask, readCpuNs, startScript } from '../core/processes.ts';

export interface LoadRequest {
  path: string;
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** What the generator counted. */
export interface Sent {
  requests: number;
  seconds: number;
  /** 2xx and 304 responses, which the latencies are of. */
  good: number;
  statuses: Readonly<Record<string, number>>;
  /** 429 and 503 with Retry-After. */
  retryAfters: number;
  /** Connections that failed or timed out with a request pending. */
  broken: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult extends Sent {
  perSecond: number;
  /** CPU time of the given processes per request; NaN if none are given. */
  cpuUs: number;
}

export interface Load {
  port: number;
  /** Sent in rotation. */
  requests: readonly LoadRequest[];
  connections?: number;
  seconds: number;
  /** Processes to include in the CPU time. */
  pids?: readonly number[];
}

export interface OfferedLoad extends Load {
  /** Requests per second, regardless of how fast the server responds; 0 for as fast as it responds. */
  perSecond: number;
  /** Opens a new connection for each request. */
  isFresh?: boolean;
}

/** Every connection sends its next request once it gets a response; a failed request fails the bench. */
export async function generateLoad(load: Load): Promise<LoadResult> {
  const seen = await offerLoad({ ...load, perSecond: 0 });
  const failed = seen.requests - seen.good + seen.broken;
  if (failed > 0) throw new Error(`${failed} of ${seen.requests} requests failed`);
  return seen;
}

/** Also counts refusals. */
export async function offerLoad(load: OfferedLoad): Promise<LoadResult> {
  const generator = await startScript<string>('lab/bench/load/autocannon-child.ts');
  const { pids = [] } = load;
  const cpu = () => pids.reduce((sum, pid) => sum + readCpuNs(pid), 0);
  const beforeNs = cpu();
  const seen = await ask<Sent>(generator, load);
  const cpuUs = pids.length === 0 ? Number.NaN : (cpu() - beforeNs) / 1000 / seen.requests;
  return { ...seen, perSecond: seen.requests / seen.seconds, cpuUs };
}
