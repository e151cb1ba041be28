import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Reply, RequestParts } from './reply.ts';
import { createTooBusy } from './request-queue.ts';
import type { RoutedPath } from './router.ts';

const ROUTED = { pattern: '/a', methods: new Map([['GET', { index: 7 }]]) } as unknown as RoutedPath;

describe('overload refusal', () => {
  it('has all standard headers and counts toward its route, without identifying the caller', () => {
    const sent: { status: number; lines: string; body: unknown; wallTs: number }[] = [];
    const counted: unknown[] = [];
    const traced: unknown[] = [];
    const refuse = createTooBusy({
      router: { findAddress: (url) => (url.startsWith('/a') ? ROUTED : undefined) },
      meter: { record: (...each) => void counted.push(each) },
      stopwatch: () => 30,
      wallNow: () => 5_000,
      nextRequestId: () => 'r-1',
      trace: (x, status) => void traced.push([x.requestId, x.entry?.pattern, status]),
    });
    const reply = {
      send: (status: number, lines: string, body: string, wallTs: number) =>
        void sent.push({ status, lines, body, wallTs }),
    } as unknown as Reply;
    for (const url of ['/a?b=c', '/nowhere'])
      refuse({ method: 'GET', url } as unknown as RequestParts, reply, 10);
    const [first] = sent;
    assert.deepEqual([first!.status, first!.wallTs], [503, 5_000]);
    assert.deepEqual(JSON.parse(String(first!.body)), { detail: 'Too busy. Try again shortly.' });
    for (const line of [
      'Retry-After: 1',
      'X-Request-Id: r-1',
      'Content-Type: application/json',
      `Content-Length: ${String(first!.body).length}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Access-Control-Allow-Origin: *',
    ])
      assert.ok(first!.lines.includes(`${line}\r\n`), line);
    const bytes = String(first!.body).length;
    assert.deepEqual(counted, [
      [7, 503, 20, bytes],
      [-1, 503, 20, bytes],
    ]);
    assert.deepEqual(traced, [
      ['r-1', '/a', 503],
      ['r-1', undefined, 503],
    ]);
  });
});
