import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { joinHeaders, readPlainRequest } from './plain-request.ts';

const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'));

/** Parses the same bytes with Node's parser; null if it rejects them. */
function readByPlatform(text: string): Promise<IncomingMessage[] | null> {
  return new Promise((resolve) => {
    const seen: IncomingMessage[] = [];
    const server = createServer((req) => void seen.push(req));
    server.on('clientError', () => resolve(null));
    const [ours, theirs] = duplexPair();
    server.emit('connection', theirs);
    ours.write(Buffer.from(text, 'latin1'), () => setImmediate(() => resolve(seen)));
  });
}

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Accept', 'X-API-Key', 'User-Agent', 'x') },
  fc.constantFrom('Host', 'Accept', 'X-API-Key', 'Connection', 'Content-Length', 'Expect', 'TE', 'Upgrade'),
  fc.stringMatching(/^[a-zA-Z-]{1,12}$/),
  fc.string({ maxLength: 6 }),
);
const value = fc.oneof(
  fc.constantFrom('keep-alive', 'close', '0', '5', '*/*', ' \tx\t ', ''),
  fc.string({ maxLength: 12 }),
);
const lines = fc
  .array(fc.tuple(name, fc.constantFrom(': ', ':', ':  ', ' : '), value), { maxLength: 3 })
  .map((headers) => headers.map((parts) => `${parts.join('')}\r\n`).join(''));
const request = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'GET', 'get', 'HEAD', 'POST'),
    fc.oneof(
      fc.constantFrom('/', '/a?b=c', '*', 'http://x/'),
      fc.string({ maxLength: 8 }).map((text) => `/${text}`),
    ),
    fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0'),
    fc.constantFrom('Host: x\r\n', 'Host: x\r\n', ''),
    lines,
    fc.constantFrom('\r\n', '\r\n', '\n', '', '\r\nmore'),
  )
  .map(([method, url, version, host, rest, end]) => `${method} ${url} ${version}\r\n${host}${rest}${end}`);

describe('plain request', () => {
  it('is parsed into URL and headers', () => {
    assert.deepEqual(
      read('GET /a?b=1 HTTP/1.1\r\nHost: x\r\nX-API-Key:  k \r\nConnection: Keep-Alive\r\n\r\n'),
      {
        url: '/a?b=1',
        rawHeaders: ['Host', 'x', 'X-API-Key', 'k', 'Connection', 'Keep-Alive'],
      },
    );
  });

  it('is rejected if it has extra, duplicate or unusual parts', () => {
    const odd = [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
      'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\nAccept: y\r\n\r\n',
      'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
      'GET /é HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.0\r\nHost: x\r\n\r\n',
      'GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(9_000)}\r\n\r\n`,
    ];
    for (const text of odd) assert.equal(read(text), null, JSON.stringify(text.slice(0, 80)));
  });

  it('joins duplicate headers or keeps the first, like Node', async () => {
    const names = ['User-Agent', 'Authorization', 'Referer', 'Cookie', 'Accept', 'X-API-Key', 'Constructor'];
    const twice = names.map((each) => `${each}: 1\r\n${each.toLowerCase()}: 2\r\n`).join('');
    const text = `GET / HTTP/1.1\r\nHost: x\r\n${twice}\r\n`;
    const theirs = await readByPlatform(text);
    assert.deepEqual(joinHeaders(read(text)!.rawHeaders), { ...theirs![0]!.headers });
  });

  it('is parsed exactly as Node would, for any bytes', async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(request, async (text) => {
        const ours = read(text);
        if (ours === null) return;
        plain += 1;
        const theirs = await readByPlatform(text);
        assert.equal(theirs?.length, 1);
        assert.equal(theirs[0]!.method, 'GET');
        assert.equal(theirs[0]!.url, ours.url);
        assert.deepEqual(theirs[0]!.rawHeaders, ours.rawHeaders);
        assert.deepEqual({ ...theirs[0]!.headers }, joinHeaders(ours.rawHeaders));
      }),
      { numRuns: 2_000 },
    );
    assert.ok(plain > 20, `only ${plain} of them were plain`);
  });
});
