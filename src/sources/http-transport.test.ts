import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { json, NOW_TS, never, scriptHttp } from '../../test/support/scripted-sources.ts';
import { createManualClock } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import { buildUrl, createHttpTransport } from './http-transport.ts';

async function failureOf(reply: unknown): Promise<SourceError> {
  const { http } = scriptHttp({ '/': reply });
  try {
    await http.getJson('/thing', {}, never());
  } catch (error) {
    assert.ok(error instanceof SourceError);
    return error;
  }
  throw new Error('it did not fail');
}

const page = () =>
  new Response('<!doctype html><h1>Slow down</h1>', {
    status: 200,
    headers: { 'content-type': 'text/html' },
  });

/** A small response that decompresses to four megabytes. */
async function bomb(): Promise<Response> {
  const packed = new Blob([gzipSync(Buffer.alloc(4_000_000, 'a'))]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream('gzip')));
}

describe('HTTP transport', () => {
  it('returns the parsed body of a 2xx response', async () => {
    const { http, asked } = scriptHttp({ '/thing': { a: 1 } });
    assert.deepEqual(await http.getJson('/thing', { ids: ['1', '2'], none: null, n: 3 }, never()), { a: 1 });
    assert.equal(asked[0]!.url.search, '?ids=1&ids=2&n=3');
  });

  it('reports HTML in place of JSON as retryable', async () => {
    const error = await failureOf(page);
    assert.match(error.message, /got HTML instead of JSON/);
    assert.equal(error.isRetryable, true);
  });

  it('treats a refusal in HTML as temporary and one in JSON as permanent', async () => {
    const html = await failureOf(() => new Response('<html>', { status: 403 }));
    const plain = await failureOf(() => json({ error: 'no' }, 403));
    assert.deepEqual([html.isRetryable, plain.isRetryable], [true, false]);
    assert.equal(plain.status, 403);
  });

  it('reports truncated JSON', async () => {
    const error = await failureOf(() => new Response('{"data":[{"id":"1"},{"i', { status: 200 }));
    assert.match(error.message, /truncated or malformed/);
    assert.equal(error.isRetryable, true);
  });

  it('honours Retry-After in seconds and as a date', async () => {
    const seconds = await failureOf(() => json({}, 429, { 'retry-after': '7' }));
    const date = await failureOf(() =>
      json({}, 503, { 'retry-after': new Date(NOW_TS + 9_000).toUTCString() }),
    );
    assert.deepEqual([seconds.retryAfterMs, date.retryAfterMs], [7_000, 9_000]);
  });

  it('honours x-rate-limit-reset on a 429', async () => {
    const error = await failureOf(() => json({}, 429, { 'x-rate-limit-reset': String(NOW_TS / 1000 + 30) }));
    assert.deepEqual([error.retryAfterMs, error.isRetryable, error.status], [30_000, true, 429]);
  });

  it('does not wait forever even if an upstream asks for it', async () => {
    const error = await failureOf(() => json({}, 429, { 'retry-after': '999999999' }));
    assert.equal(error.retryAfterMs, 3_600_000);
  });

  it('does not follow a redirect with its credential', async () => {
    const error = await failureOf(
      () => new Response('', { status: 302, headers: { location: 'http://elsewhere/' } }),
    );
    assert.match(error.message, /moved to http:\/\/elsewhere/);
  });

  it('rejects a body that is too large once decompressed', async () => {
    const http = createHttpTransport({
      name: 'test',
      baseUrl: 'http://upstream',
      clock: createManualClock(NOW_TS),
      maxBodyBytes: 100_000,
      fetch: bomb,
    });
    await assert.rejects(http.getJson('/', {}, never()), /larger than 100000 bytes/);
  });

  it('times out', async () => {
    const hang = (_url: URL, init: RequestInit) =>
      new Promise((_, reject) => init.signal!.addEventListener('abort', () => reject(init.signal!.reason)));
    const { http, clock } = scriptHttp({ '/': hang }, { timeoutMs: 5_000 });
    const answer = http.getJson('/thing', {}, never());
    clock.advance(5_000);
    await assert.rejects(answer, /no response within 5000 ms/);
  });

  it('turns a failing connection into a retryable error', async () => {
    const error = await failureOf(() => {
      throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    });
    assert.equal(error.message, 'test: fetch failed: ECONNREFUSED');
    assert.equal(error.isRetryable, true);
  });

  it('reads a stream line by line and drops a truncated line', async () => {
    const { http } = scriptHttp({ '/': () => new Response('{"a":1}\r\n\r\n{"b":2}\n{"c"') });
    const lines: string[] = [];
    await http.readStream('/s', {}, { onOpen() {}, onLine: (line) => lines.push(line) }, never());
    assert.deepEqual(lines, ['{"a":1}', '', '{"b":2}']);
  });

  it('joins base and path with one slash', () => {
    assert.equal(buildUrl('http://host/x/', '/2/tweets', { a: 'b c' }), 'http://host/x/2/tweets?a=b+c');
  });
});
