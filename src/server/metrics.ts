// Serves Prometheus metrics on a separate, non-public port, on loopback unless configured otherwise.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { isOwnName } from '../access/client-address.ts';
import type { Limiter } from '../access/limiter.ts';
import type { Listener } from './http/listener.ts';
import { DURATION_BOUNDS_MS, type RequestMeter } from './http/request-meter.ts';
import type { Router } from './http/router.ts';
import { addTruthMetrics, type TruthMetrics } from './truth-metrics.ts';
import type { UsageRecorder } from './usage/usage-recorder.ts';

export interface ApiMetrics {
  meter: RequestMeter;
  router: Router;
  recorder: UsageRecorder;
  limiter: Limiter;
  listener: Listener;
}

export interface ServiceMetrics extends ApiMetrics, TruthMetrics {}

export interface MetricsServer {
  /** Other modules register their metrics here. */
  readonly registry: Registry;
  /** All metrics in the text format. */
  text(): Promise<string>;
  /** On loopback, accepts only IP addresses and localhost as the Host; elsewhere, any host name. */
  listen(at: { host: string; port: number }): Promise<AddressInfo>;
  close(): Promise<void>;
}

export function createMetricsServer(metrics: ServiceMetrics): MetricsServer {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addRequestMetrics(registry, metrics);
  addStateMetrics(registry, metrics);
  addTruthMetrics(registry, metrics);
  const text = async () => (await registry.metrics()) + durationText(metrics.meter);
  return { registry, text, ...createTextServer(text, registry.contentType) };
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;
const FOREIGN_NAME = 'Unknown host name. Use an IP address or localhost, or set METRICS_HOST.\n';

/** Serves the text returned by `read`. */
export function createTextServer(
  read: () => Promise<string>,
  contentType: string = Registry.PROMETHEUS_CONTENT_TYPE,
): Pick<MetricsServer, 'listen' | 'close'> {
  let isPrivate = true;
  const server = createServer((req, res) => {
    // Prevents DNS rebinding, by which a page in the operator's browser could read metrics from loopback.
    if (isPrivate && !isOwnName(req.headers.host ?? '')) {
      res.writeHead(403, { 'Content-Type': 'text/plain' }).end(FOREIGN_NAME);
      return;
    }
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('metrics are at /metrics\n');
      return;
    }
    read()
      .then((text) => res.writeHead(200, { 'Content-Type': contentType }).end(text))
      .catch(() => res.writeHead(500).end());
  });
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        isPrivate = LOOPBACK.test(host);
        server.once('error', reject);
        server.listen(port, host, () => resolve(server.address() as AddressInfo));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addRequestMetrics(registry: Registry, { meter, router }: ApiMetrics): void {
  new Counter({
    name: 'tallycast_http_requests_total',
    help: 'Responses by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      meter.counts.forEach((counts, index) => {
        const route = router.routed[index]?.route;
        const labels = { method: route?.method ?? 'any', route: route?.path ?? 'unmatched' };
        for (const [status, count] of counts) this.inc({ ...labels, status: String(status) }, count);
      });
    },
  });
  new Counter({
    name: 'tallycast_http_response_bytes_total',
    help: 'Body bytes sent',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(meter.bytes);
    },
  });
}

function addStateMetrics(registry: Registry, { recorder, limiter, listener }: ApiMetrics): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('tallycast_usage_buffer_rows', 'Usage rows waiting to be written', () => recorder.ring.size);
  gauge('tallycast_usage_dropped_rows', 'Usage rows dropped since start', () => recorder.ring.dropped);
  gauge('tallycast_limiter_callers', 'Callers with an allowance in use', limiter.countCallers);
  gauge('tallycast_connections', 'Open client connections', listener.connections.open);
  gauge(
    'tallycast_connections_refused',
    'Connections refused since start because of the total or per-address limit',
    () => listener.connections.refused(),
  );
  gauge('tallycast_draining', '1 while the service is stopping', () => Number(listener.isDraining()));
}

/** Formats a histogram from the request counters. */
function durationText(meter: RequestMeter): string {
  const name = 'tallycast_http_request_duration_seconds';
  const lines = [`# HELP ${name} Time from request to response`, `# TYPE ${name} histogram`];
  let total = 0;
  DURATION_BOUNDS_MS.forEach((boundMs, i) => {
    total += meter.durationBuckets[i]!;
    lines.push(`${name}_bucket{le="${boundMs / 1000}"} ${total}`);
  });
  lines.push(`${name}_bucket{le="+Inf"} ${meter.requests}`);
  lines.push(`${name}_sum ${meter.durationSumMs / 1000}`, `${name}_count ${meter.requests}`);
  return `${lines.join('\n')}\n`;
}
