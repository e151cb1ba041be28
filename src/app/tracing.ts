// Traces requests and outbound calls. Without an endpoint there is no tracer, no network wrapper and no hook
// in the API.

import type { Config } from '../config/config.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Random } from '../runtime/random.ts';
import { createTracer, type Tracer } from '../runtime/tracer.ts';
import type { Trace } from '../server/http/sender.ts';
import type { Fetch } from '../sources/http-transport.ts';
import type { BuildInfo } from './build-info.ts';

export function openTracer(
  config: Pick<Config, 'tracing' | 'secrets' | 'role'>,
  build: BuildInfo,
  random: Random,
  logger: Logger,
): Tracer | null {
  if (config.tracing.endpoint === null) return null;
  return createTracer({
    endpoint: config.tracing.endpoint,
    headers: parseHeaders(config.secrets.tracingHeaders ?? ''),
    resource: {
      'service.name': 'tallycast',
      'service.version': build.version,
      'service.instance.id': `${process.pid}`,
      'tallycast.role': config.role,
    },
    fetch: (url, init) => fetch(url, init),
    clock: systemClock,
    random: random.fork('traces'),
    logger,
  });
}

/** OTEL_EXPORTER_OTLP_HEADERS: name=value,name=value with URL-encoded values. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

/** Omits query, key and client address, because traces must not identify callers. */
export function traceAnswers(tracer: Tracer): Trace {
  return (x, status, durationMs) => {
    const route = x.entry?.pattern ?? 'unmatched';
    tracer.record({
      name: `${x.req.method} ${route}`,
      kind: 'server',
      durationMs,
      attributes: {
        'http.request.method': x.req.method ?? '',
        'http.route': route,
        'http.response.status_code': status,
        'tallycast.request_id': x.requestId,
      },
      isError: status >= 500,
      traceparent: x.req.headers.traceparent as string | undefined,
    });
  };
}

/** Records only host and status, because URLs contain handles, wallets and credentials. */
export function traceFetch(tracer: Tracer, fetch: Fetch): Fetch {
  return async (address, init) => {
    const startedMs = performance.now();
    const { host } = new URL(address);
    const method = init.method ?? 'GET';
    const report = (status: number) =>
      tracer.record({
        name: `${method} ${host}`,
        kind: 'client',
        durationMs: performance.now() - startedMs,
        attributes: {
          'http.request.method': method,
          'server.address': host,
          ...(status > 0 ? { 'http.response.status_code': status } : {}),
        },
        isError: status === 0 || status >= 400,
      });
    try {
      const response = await fetch(address, init);
      report(response.status);
      return response;
    } catch (error) {
      report(0);
      throw error;
    }
  };
}
