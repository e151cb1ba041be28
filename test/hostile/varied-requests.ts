// Random request variations: Host, body encoding, batches of agent messages, and pipelining.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../../src/runtime/random.ts';
import { pick } from './mutate.ts';
import type { RawRequest } from './raw-http.ts';

const HOSTS: readonly string[] = [
  ...[
    'localhost',
    '',
    ' ',
    'localhost:99999',
    'localhost:-1',
    'a b',
    '[::1',
    '[::1]:8080',
    '[fe80::1%25eth0]',
    '::1',
  ],
  ...[
    'evil.example',
    'evil.example/path',
    'user:pass@evil.example',
    'http://evil.example',
    '%00',
    '\u00e9.example',
  ],
  ...[
    'a'.repeat(300),
    'a.'.repeat(2_000),
    '127.0.0.1:80:80',
    '*',
    '?',
    '#',
    '..',
    'xn--',
    '169.254.169.254',
    '\\',
    '"',
    '<script>',
  ],
];

const ENCODINGS: readonly string[] = [
  ...[
    'identity',
    'gzip',
    'x-gzip',
    'deflate',
    'br',
    'zstd',
    'compress',
    'gzip, gzip',
    'gzip;q=1',
    'GZIP',
    '',
    ' ',
    ',',
    '*',
  ],
  ...['chunked', 'utf-8', 'a'.repeat(5_000), 'identity, identity', 'aws-chunked', '%67zip', 'gzip\u0000'],
];

const PATHS: readonly string[] = [
  ...[
    '/api/v1/health',
    '/api/v1/meta/account_a',
    '/api/v1/signals/account_a',
    '/api/v1/performance/ledger',
    '/api/v1/performance/seals/0',
    '/',
    '/docs',
  ],
  ...[
    '/openapi.json',
    '/api/v1/what-if/account_a',
    '/api/v1/waitlist',
    '/mcp',
    '/llms.txt',
    '/api/v1/stream/account_a',
  ],
  ...[
    '/api/v1/webhooks',
    '/api/v1/rules',
    '/api/v1/channels',
    '/api/v1/push/subscriptions',
    '/api/v1/notices?cursor=AAAA',
  ],
];

const call = (id: unknown, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params });
const LIST = call(1, 'tools/list', {});

const BATCHES: readonly unknown[] = [
  [],
  [[]],
  [[LIST]],
  [null, 1, 'x', true],
  Array.from({ length: 20 }, (_, i) => call(i, 'tools/list', {})),
  Array.from({ length: 21 }, (_, i) => call(i, 'tools/list', {})),
  Array.from({ length: 5_000 }, () => 0),
  Array.from({ length: 20 }, () => call(1, 'ping', {})),
  [call({ a: 1 }, 'tools/list', []), call(null, 'tools/call', null), call(Number.MAX_VALUE, 'x', {})],
  { ...LIST, __proto__: { method: 'x' }, constructor: 1 },
  call(1, '__proto__', {}),
  call(1, 'tools/call', { name: 'constructor', arguments: {} }),
  call(1, 'tools/call', { name: 'get_signals', arguments: { account: { toString: 1 }, bankroll: '1e999' } }),
  call(1, 'tools/call', { name: 'what_to_trade', arguments: 'x'.repeat(20_000) }),
  call(1, 'resources/read', { uri: 'file:///etc/passwd' }),
  call(1, 'prompts/get', { name: 'toString', arguments: { account: '\u001b[2J' } }),
  call(1, 'initialize', { protocolVersion: '9999-99-99', capabilities: 1, clientInfo: null }),
  call(1, 'completion/complete', { ref: { type: 'ref/prompt', name: '' } }),
  { jsonrpc: '1.0', method: 1, params: [[[[[[[]]]]]]] },
  [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled' },
  ],
  { jsonrpc: '2.0', id: 1, result: {} },
];

function post(path: string, body: string | Buffer, headers = '', host = 'localhost'): (string | Buffer)[] {
  const length = Buffer.byteLength(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
  return [`${head}${headers}Content-Length: ${length}\r\nConnection: close\r\n\r\n`, body];
}

function get(path: string, host: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
}

export function listVariedRequests(): RawRequest[] {
  const body = JSON.stringify(LIST);
  return [
    ...HOSTS.flatMap((host) => [
      { name: `Host ${host.slice(0, 30)}`, pieces: [get('/api/v1/health', host, 'Connection: close\r\n')] },
      { name: `Host ${host.slice(0, 30)} at /mcp`, pieces: post('/mcp', body, '', host) },
    ]),
    ...ENCODINGS.map((encoding) => ({
      name: `body in ${encoding.slice(0, 30)}`,
      pieces: post('/api/v1/waitlist', body, `Content-Encoding: ${encoding}\r\n`),
    })),
    ...BATCHES.map((batch, i) => ({ name: `batch ${i}`, pieces: post('/mcp', JSON.stringify(batch)) })),
  ];
}

const PACKERS = [gzipSync, deflateSync, brotliCompressSync, (body: Buffer) => body];

/** Makes a random request, drawing every part separately. */
export function drawVaried(random: Random): RawRequest {
  const choice = random.uniform();
  if (choice < 0.3) return drawPipeline(random);
  const host = random.uniform() < 0.5 ? 'localhost' : pick(HOSTS, random);
  const path = choice < 0.65 ? '/mcp' : pick(PATHS, random);
  const body = Buffer.from(JSON.stringify(drawMessage(random)));
  const packed = random.uniform() < 0.4 ? pick(PACKERS, random)(body) : body;
  const encoding = random.uniform() < 0.4 ? `Content-Encoding: ${pick(ENCODINGS, random)}\r\n` : '';
  return { name: `varied ${path}`, pieces: post(path, packed, encoding, host) };
}

function drawMessage(random: Random): unknown {
  const message = pick(BATCHES, random);
  if (random.uniform() < 0.6) return message;
  return Array.from({ length: Math.floor(random.uniform() * 30) }, () => pick(BATCHES, random));
}

/** Makes several requests for one connection, split at any byte; one of them may be broken. */
function drawPipeline(random: Random): RawRequest {
  const count = 2 + Math.floor(random.uniform() * 40);
  const text = Array.from({ length: count }, () => {
    const path = pick(PATHS, random).replace('/api/v1/stream/account_a', '/api/v1/health');
    const host = random.uniform() < 0.9 ? 'localhost' : pick(HOSTS, random);
    if (random.uniform() < 0.7) return get(path, host);
    return post(path, JSON.stringify(drawMessage(random)), '', host)
      .join('')
      .replace('Connection: close\r\n', '');
  }).join('');
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + 1 + Math.floor(random.uniform() * 4_000);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return { name: `${count} pipelined`, pieces, halfClose: true };
}
