// Requests known to break servers: smuggling, floods, compression bombs, odd paths, odd numbers, odd endings.

import { gzipSync } from 'node:zlib';
import type { RawRequest } from './raw-http.ts';

const HOST = 'Host: localhost\r\n';
const JSON_HEAD = `POST /api/v1/waitlist HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\n${HOST}${headers}Connection: close\r\n\r\n`;
}

function sending(name: string, piece: string | Buffer): RawRequest {
  return { name, pieces: [piece] };
}

/** Ends our side afterwards. */
function ending(name: string, piece: string | Buffer): RawRequest {
  return { ...sending(name, piece), halfClose: true };
}

function posting(name: string, body: string | Buffer, headers = ''): RawRequest {
  const length = Buffer.byteLength(body);
  const head = `${JSON_HEAD}${headers}Content-Length: ${length}\r\nConnection: close\r\n\r\n`;
  return { name, pieces: [head, body] };
}

const BODY = '{"type":"human","case":"c","email":"a@example.org"}';

/** None of these may crash the service, cause a 5xx, or be parsed as two requests by part of it. */
export const HOSTILE_REQUESTS: readonly RawRequest[] = [
  sending(
    'length and chunks together',
    `${JSON_HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/health HTTP/1.1\r\n${HOST}\r\n`,
  ),
  sending('two lengths', `${JSON_HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`),
  sending(
    'the same length twice',
    `${JSON_HEAD}Content-Length: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  ),
  sending('negative length', `${JSON_HEAD}Content-Length: -1\r\n\r\n`),
  sending('length with a plus', `${JSON_HEAD}Content-Length: +2\r\n\r\n{}`),
  sending('length of 2^64', `${JSON_HEAD}Content-Length: 18446744073709551616\r\n\r\n{}`),
  ending('huge declared body', `${JSON_HEAD}Content-Length: 9007199254740991\r\n\r\n{}`),
  sending(
    'chunk size that is not a number',
    `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ),
  sending(
    'chunk size beyond 64 bits',
    `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
  ),
  ending(
    'chunk extension flood',
    `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'a=b;'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  ending('obscured chunking', `${JSON_HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`),
  sending(
    'chunking with a space before the colon',
    `${JSON_HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  ),
  ending('folded header', `GET /api/v1/health HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`),
  ending('bare line feeds', `GET /api/v1/health HTTP/1.1\nHost: localhost\n\n`),
  sending('NUL in a header', `GET /api/v1/health HTTP/1.1\r\n${HOST}X-A: b\u0000c\r\n\r\n`),
  sending(
    'header flood',
    `GET /api/v1/health HTTP/1.1\r\n${HOST}${Array.from({ length: 5_000 }, (_, i) => `X-${i}: y\r\n`).join('')}\r\n`,
  ),
  sending('one long header', `GET /api/v1/health HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(100_000)}\r\n\r\n`),
  sending('long target', get(`/api/v1/meta/account_a?${'a'.repeat(40_000)}`)),
  sending('two hosts', `GET /api/v1/health HTTP/1.1\r\n${HOST}Host: other\r\nConnection: close\r\n\r\n`),
  sending('no host', 'GET /api/v1/health HTTP/1.1\r\n\r\n'),
  ending('version 0.9', 'GET /api/v1/health\r\n\r\n'),
  sending('version 9.9', `GET /api/v1/health HTTP/9.9\r\n${HOST}\r\n`),
  sending('made-up method', `BREW /api/v1/health HTTP/1.1\r\n${HOST}\r\n`),
  ending('CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`),
  sending('TRACE', `TRACE / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`),
  ending(
    'upgrade to a websocket',
    get(
      '/api/v1/health',
      'Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n',
    ).replace('Connection: close', 'Connection: Upgrade'),
  ),
  ending('upgrade to h2c', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  sending('absolute form', get('http://evil.example/api/v1/health')),
  sending('asterisk form', `OPTIONS * HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`),
  sending('expect', `${JSON_HEAD}Expect: 200-maybe\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`),
  ending('expect continue without a body', `${JSON_HEAD}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`),
  ending('TLS hello', Buffer.from('16030100a5010000a10303', 'hex')),
  ending('binary noise', Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 97) & 255))),
  { name: 'nothing at all', pieces: [], halfClose: true },
  ending('half a head', 'GET /api/v1/hea'),
  ending('half a body', `${JSON_HEAD}Content-Length: 500\r\n\r\n{"type":`),
  { name: 'disconnects at once', pieces: [get('/api/v1/prediction/account_a')], abandon: true },
  ending('a hundred pipelined requests', `GET /api/v1/health HTTP/1.1\r\n${HOST}\r\n`.repeat(100)),
  posting('deep arrays', '['.repeat(30_000)),
  posting('deep objects', '{"a":'.repeat(10_000)),
  posting(
    'prototype keys',
    '{"__proto__":{"type":"human"},"constructor":{"prototype":{"case":"x"}},"case":"c"}',
  ),
  posting('many keys', `{${Array.from({ length: 4_000 }, (_, i) => `"k${i}":1`).join()}}`),
  posting('huge number', `{"type":${'9'.repeat(60_000)}}`),
  posting('huge exponent', '{"type":1e999999999,"case":-1e-999999999}'),
  posting('lone surrogates', '{"type":"human","case":"\\ud800","email":"a@example.org"}'),
  posting('invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
  posting('UTF-16 body', Buffer.from(`\ufeff${BODY}`, 'utf16le')),
  posting('gzip bomb', gzipSync(Buffer.alloc(20_000_000)), 'Content-Encoding: gzip\r\n'),
  posting('encodings stacked', BODY, `Content-Encoding: ${Array(200).fill('gzip').join(', ')}\r\n`),
  posting('body over the limit', 'a'.repeat(200_000)),
  sending(
    'body on a GET',
    `GET /api/v1/health HTTP/1.1\r\n${HOST}Content-Length: 5\r\nConnection: close\r\n\r\nabcde`,
  ),
  ...[
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..\\..\\etc\\passwd',
    '/assets/..%252f..%252fpackage.json',
    '/%00',
    '/%c0%ae%c0%ae/',
    '//evil.example/',
    '/./api/v1/health',
    '/api/v1/health%20',
    '/API/V1/HEALTH',
    '/api/v1//health',
    '/api/v1/health/',
    '/api/v1/meta/%61ccount_a',
    '/api/v1/meta/account_a;x=1',
    '/api/v1/meta/__proto__',
    '/api/v1/prediction/constructor',
    '/%',
    '/%zz',
    '/api/v1/health?%',
    '/?__proto__[a]=1',
    '/assets/%5c..%5c..%5cpackage.json',
  ].map((target) => sending(`path ${target}`, get(target))),
  ...[
    'limit=1e999',
    'limit=99999999999999999999',
    'limit=-0',
    'limit=%00',
    'limit=1&limit=2',
    'offset=9007199254740993',
    'offset=2147483648',
    `limit=${'9'.repeat(12_000)}`,
    `limit=1${'+'.repeat(12_000)}x`,
    `limit=${'0'.repeat(12_000)}1`,
    'limit[]=1',
    'limit=%F0%9D%9F%99',
    'limit=NaN',
    'limit=0x10',
  ].map((query) => sending(`query ${query.slice(0, 40)}`, get(`/api/v1/meta/account_a/tweets?${query}`))),
  ...[
    'bankroll=1e308',
    'bankroll=NaN',
    'bankroll=Infinity',
    `bankroll=1${'9'.repeat(12_000)}x`,
    'bankroll=1_000',
    'only_with_signals=%00',
    `wallet=0x${'a'.repeat(12_000)}`,
  ].map((query) => sending(`pro query ${query.slice(0, 40)}`, get(`/api/v1/signals/account_a?${query}`))),
  ...[
    'X-API-Key: \u0001',
    `X-API-Key: ${'tc_pro_'.repeat(1_000)}`,
    `X-API-Key: tc_pro_${'a'.repeat(36)}`,
    'x402: %%%',
    `x402: ${'A'.repeat(12_000)}`,
    'PAYMENT-SIGNATURE: e30=',
    `X-Forwarded-For: ${'1.1.1.1, '.repeat(1_500)}`,
    'X-Forwarded-For: ::ffff:1.2.3.4%eth0',
    `Accept: ${'a/b;q=0.1,'.repeat(1_200)}`,
    `Accept-Encoding: ${'gzip;q=0,'.repeat(1_200)}`,
    `If-None-Match: ${'W/"a",'.repeat(1_500)}`,
    'Last-Event-ID: 99999999999999999999-1',
    'Origin: null',
    'Range: bytes=0-,0-,0-,0-',
  ].map((header) =>
    sending(`header ${header.slice(0, 40)}`, get('/api/v1/prediction/account_a', `${header}\r\n`)),
  ),
];
