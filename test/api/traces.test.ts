// Traces sent to a collector on loopback: what they contain and omit about responses and outbound calls.

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { parseHeaders, traceFetch } from '../../src/app/tracing.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createTracer, type Tracer } from '../../src/runtime/tracer.ts';
import { bootService } from '../support/boot.ts';
import { type LocalServer, serve } from '../support/local-server.ts';

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, string> }[];
  status?: { code: number };
}

let collector: LocalServer;
let status = 200;
let bodies: string[] = [];
let seenHeaders: unknown;

beforeEach(async () => {
  bodies = [];
  status = 200;
  collector = await serve(async (req, res) => {
    seenHeaders = req.headers;
    const body = await text(req);
    if (req.url === '/v1/traces') bodies.push(body);
    res.writeHead(status).end('{}');
  });
});
afterEach(() => collector.close());

const spans = (): WireSpan[] =>
  bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as WireSpan[]);
const attributeOf = (span: WireSpan, key: string) =>
  Object.values(span.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

function open(headers = {}): Tracer {
  const resource = { 'service.name': 'tallycast' };
  return createTracer({
    endpoint: collector.url,
    headers,
    resource,
    fetch,
    clock: systemClock,
    random: createRandom(1),
    logger: silentLogger,
  });
}

describe('traces', () => {
  it('follow the protocol: ids, times in nanoseconds, kind, attributes', async () => {
    const tracer = open({ authorization: 'secret' });
    const attributes = { 'http.response.status_code': 503, share: 0.5, route: '/x' };
    tracer.record({ name: 'one', kind: 'server', durationMs: 12.5, attributes, isError: true });
    await tracer.stop();
    const [span] = spans();
    assert.match(span!.traceId, /^[0-9a-f]{32}$/);
    assert.match(span!.spanId, /^[0-9a-f]{16}$/);
    const lastedNs = BigInt(span!.endTimeUnixNano) - BigInt(span!.startTimeUnixNano);
    assert.equal(lastedNs, 12_500_000n);
    assert.deepEqual([span!.kind, span!.status], [2, { code: 2 }]);
    assert.deepEqual(
      span!.attributes.map(({ value }) => value),
      [{ intValue: '503' }, { doubleValue: 0.5 }, { stringValue: '/x' }],
    );
    assert.equal((seenHeaders as Record<string, string>).authorization, 'secret');
  });

  it("join the caller's trace", async () => {
    const tracer = open();
    const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    for (const given of [traceparent, 'nonsense', undefined])
      tracer.record({
        name: 'n',
        kind: 'server',
        durationMs: 1,
        attributes: {},
        isError: false,
        traceparent: given,
      });
    await tracer.stop();
    const [joined, ...others] = spans();
    assert.deepEqual([joined!.traceId, joined!.parentSpanId], ['ab'.repeat(16), 'cd'.repeat(8)]);
    assert.deepEqual(
      others.map(({ parentSpanId }) => parentSpanId),
      [undefined, undefined],
    );
  });

  it('are dropped when the collector fails, and use bounded memory', async () => {
    status = 500;
    const tracer = open();
    for (let i = 0; i < 20_000; i++)
      tracer.record({ name: 'n', kind: 'client', durationMs: 1, attributes: {}, isError: false });
    await tracer.stop();
    assert.ok(spans().length <= 4_096 + 512, `${spans().length} spans were buffered`);
  });

  it('contain only the host and status of outbound calls', async () => {
    const tracer = open();
    const traced = traceFetch(tracer, async (address) => {
      if (address.includes('broken')) throw new TypeError('fetch failed');
      return new Response('', { status: 429 });
    });
    await traced('https://x.example/2/users/1/tweets?token=hidden', {});
    await assert.rejects(traced('https://x.example/broken/hidden', {}));
    await tracer.stop();
    assert.deepEqual(
      spans().map((span) => [span.name, attributeOf(span, 'http.response.status_code'), span.status?.code]),
      [
        ['GET x.example', '429', 2],
        ['GET x.example', undefined, 2],
      ],
    );
    assert.doesNotMatch(bodies.join(), /hidden/);
  });

  it('are sent with the headers configured in the environment variable', () => {
    assert.deepEqual(parseHeaders('api-key=a%20b, x=1=2,,=no'), { 'api-key': 'a b', x: '1=2' });
  });
});

describe('a service with a trace collector', () => {
  it('traces its responses by route, without the query', async () => {
    const service = await bootService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    try {
      await fetch(`${service.url}/api/v1/meta/account_a?mark=hidden`, {
        headers: { 'X-API-Key': 'hidden too' },
      });
      await fetch(`${service.url}/api/v1/nothing/here`);
    } finally {
      await service.stop();
    }
    const reported = spans().filter(({ kind }) => kind === 2);
    const meta = reported.find(({ name }) => name.includes('/meta/'));
    assert.ok(meta, reported.map(({ name }) => name).join());
    assert.ok(reported.some((span) => attributeOf(span, 'http.response.status_code') === '404'));
    assert.ok(
      spans().some(({ kind }) => kind === 3),
      'outbound calls have spans too',
    );
    assert.doesNotMatch(bodies.join(), /hidden/);
  });
});
