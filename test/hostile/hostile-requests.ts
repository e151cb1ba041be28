// Requests known to break servers: smuggling, floods, compression bombs, odd paths, odd numbers, odd endings.

import { gzipSync } from 'node:zlib';
import type { RawRequest } from './raw-http.ts';

const HOST = 'Host: localhost\r\n';
const JSON_HEAD = `POST /api/v1/waitlist HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\n${HOST}${headers}Connection: close\r\n\r\n`;
}

function post(body: string | Buffer, headers = ''): (string | Buffer)[] {
  const length = Buffer.byteLength(body);
  return [`${JSON_HEAD}${headers}Content-Length: ${length}\r\nConnection: close\r\n\r\n`, body];
}

const BODY = '{"type":"human","case":"c","email":"a@example.org"}';

/** None of these may crash the service, cause a 5xx, or be parsed as two requests by part of it. */
export const HOSTILE_REQUESTS: readonly RawRequest[] = [
  {
    name: 'length and chunks together',
    pieces: [
      `${JSON_HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/health HTTP/1.1\r\n${HOST}\r\n`,
    ],
  },
  { name: 'two lengths', pieces: [`${JSON_HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`] },
  {
    name: 'the same length twice',
    pieces: [`${JSON_HEAD}Content-Length: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`],
  },
  { name: 'negative length', pieces: [`${JSON_HEAD}Content-Length: -1\r\n\r\n`] },
  { name: 'length with a plus', pieces: [`${JSON_HEAD}Content-Length: +2\r\n\r\n{}`] },
  { name: 'length of 2^64', pieces: [`${JSON_HEAD}Content-Length: 18446744073709551616\r\n\r\n{}`] },
  {
    name: 'huge declared body',
    pieces: [`${JSON_HEAD}Content-Length: 9007199254740991\r\n\r\n{}`],
    halfClose: true,
  },
  {
    name: 'chunk size that is not a number',
    pieces: [`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  },
  {
    name: 'chunk size beyond 64 bits',
    pieces: [`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n{}\r\n0\r\n\r\n`],
  },
  {
    name: 'chunk extension flood',
    pieces: [`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n2;${'a=b;'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    halfClose: true,
  },
  {
    name: 'obscured chunking',
    pieces: [`${JSON_HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    halfClose: true,
  },
  {
    name: 'chunking with a space before the colon',
    pieces: [`${JSON_HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
  },
  {
    name: 'folded header',
    pieces: [`GET /api/v1/health HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`],
    halfClose: true,
  },
  { name: 'bare line feeds', pieces: [`GET /api/v1/health HTTP/1.1\nHost: localhost\n\n`], halfClose: true },
  { name: 'NUL in a header', pieces: [`GET /api/v1/health HTTP/1.1\r\n${HOST}X-A: b\u0000c\r\n\r\n`] },
  {
    name: 'header flood',
    pieces: [
      `GET /api/v1/health HTTP/1.1\r\n${HOST}${Array.from({ length: 5_000 }, (_, i) => `X-${i}: y\r\n`).join('')}\r\n`,
    ],
  },
  {
    name: 'one long header',
    pieces: [`GET /api/v1/health HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(100_000)}\r\n\r\n`],
  },
  { name: 'long target', pieces: [get(`/api/v1/meta/account_a?${'a'.repeat(40_000)}`)] },
  {
    name: 'two hosts',
    pieces: [`GET /api/v1/health HTTP/1.1\r\n${HOST}Host: other\r\nConnection: close\r\n\r\n`],
  },
  { name: 'no host', pieces: ['GET /api/v1/health HTTP/1.1\r\n\r\n'] },
  { name: 'version 0.9', pieces: ['GET /api/v1/health\r\n\r\n'], halfClose: true },
  { name: 'version 9.9', pieces: [`GET /api/v1/health HTTP/9.9\r\n${HOST}\r\n`] },
  { name: 'made-up method', pieces: [`BREW /api/v1/health HTTP/1.1\r\n${HOST}\r\n`] },
  { name: 'CONNECT', pieces: [`CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`], halfClose: true },
  { name: 'TRACE', pieces: [`TRACE / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`] },
  {
    name: 'upgrade to a websocket',
    pieces: [
      get(
        '/api/v1/health',
        'Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n',
      ).replace('Connection: close', 'Connection: Upgrade'),
    ],
    halfClose: true,
  },
  { name: 'upgrade to h2c', pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], halfClose: true },
  { name: 'absolute form', pieces: [get('http://evil.example/api/v1/health')] },
  { name: 'asterisk form', pieces: [`OPTIONS * HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`] },
  {
    name: 'expect',
    pieces: [`${JSON_HEAD}Expect: 200-maybe\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`],
  },
  {
    name: 'expect continue without a body',
    pieces: [`${JSON_HEAD}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`],
    halfClose: true,
  },
  { name: 'TLS hello', pieces: [Buffer.from('16030100a5010000a10303', 'hex')], halfClose: true },
  {
    name: 'binary noise',
    pieces: [Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 97) & 255))],
    halfClose: true,
  },
  { name: 'nothing at all', pieces: [], halfClose: true },
  { name: 'half a head', pieces: ['GET /api/v1/hea'], halfClose: true },
  { name: 'half a body', pieces: [`${JSON_HEAD}Content-Length: 500\r\n\r\n{"type":`], halfClose: true },
  { name: 'disconnects at once', pieces: [get('/api/v1/prediction/account_a')], abandon: true },
  {
    name: 'a hundred pipelined requests',
    pieces: [`GET /api/v1/health HTTP/1.1\r\n${HOST}\r\n`.repeat(100)],
    halfClose: true,
  },
  { name: 'deep arrays', pieces: post('['.repeat(30_000)) },
  { name: 'deep objects', pieces: post('{"a":'.repeat(10_000)) },
  {
    name: 'prototype keys',
    pieces: post('{"__proto__":{"type":"human"},"constructor":{"prototype":{"case":"x"}},"case":"c"}'),
  },
  { name: 'many keys', pieces: post(`{${Array.from({ length: 4_000 }, (_, i) => `"k${i}":1`).join()}}`) },
  { name: 'huge number', pieces: post(`{"type":${'9'.repeat(60_000)}}`) },
  { name: 'huge exponent', pieces: post('{"type":1e999999999,"case":-1e-999999999}') },
  { name: 'lone surrogates', pieces: post('{"type":"human","case":"\\ud800","email":"a@example.org"}') },
  {
    name: 'invalid UTF-8',
    pieces: post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
  },
  { name: 'UTF-16 body', pieces: post(Buffer.from(`\ufeff${BODY}`, 'utf16le')) },
  { name: 'gzip bomb', pieces: post(gzipSync(Buffer.alloc(20_000_000)), 'Content-Encoding: gzip\r\n') },
  {
    name: 'encodings stacked',
    pieces: post(BODY, `Content-Encoding: ${Array(200).fill('gzip').join(', ')}\r\n`),
  },
  { name: 'body over the limit', pieces: post('a'.repeat(200_000)) },
  {
    name: 'body on a GET',
    pieces: [`GET /api/v1/health HTTP/1.1\r\n${HOST}Content-Length: 5\r\nConnection: close\r\n\r\nabcde`],
  },
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
  ].map((target) => ({ name: `path ${target}`, pieces: [get(target)] })),
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
  ].map((query) => ({
    name: `query ${query.slice(0, 40)}`,
    pieces: [get(`/api/v1/meta/account_a/tweets?${query}`)],
  })),
  ...[
    'bankroll=1e308',
    'bankroll=NaN',
    'bankroll=Infinity',
    `bankroll=1${'9'.repeat(12_000)}x`,
    'bankroll=1_000',
    'only_with_signals=%00',
    `wallet=0x${'a'.repeat(12_000)}`,
  ].map((query) => ({
    name: `pro query ${query.slice(0, 40)}`,
    pieces: [get(`/api/v1/signals/account_a?${query}`)],
  })),
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
  ].map((header) => ({
    name: `header ${header.slice(0, 40)}`,
    pieces: [get('/api/v1/prediction/account_a', `${header}\r\n`)],
  })),
];
