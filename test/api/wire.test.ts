// Raw bytes on the socket: every code path must write the same HTTP.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from './harness.ts';

for (const usesPlainReader of [true, false])
  describe(`HTTP responses, ${usesPlainReader ? 'plain' : 'Node'} reader`, () => {
    let harness: Harness;
    before(async () => {
      harness = await startHarness({
        settings: {
          usesPlainReader,
          limits: { freePerHour: 1000, proPerHour: 10_000, waitlistPerHour: 10, maxAddresses: 10 },
        },
      });
    });
    after(() => harness.close());

    /** Sends raw text and reads until the other side closes. */
    function exchange(request: string): Promise<string> {
      return new Promise((resolve, reject) => {
        const socket = connect(harness.port, '127.0.0.1');
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
        socket.on('error', reject);
        socket.write(request);
      });
    }

    const PATH = '/api/v1/prediction/account_a';

    /** Returns the headers that are the same for every call. */
    function headersOf(answer: string): Record<string, string> {
      const [, ...lines] = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n');
      const all = lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]);
      const varying = new Set([
        'date',
        'connection',
        'keep-alive',
        'x-request-id',
        'ratelimit',
        'x-ratelimit-remaining',
      ]);
      return Object.fromEntries(all.filter(([name]) => !varying.has(name!)));
    }

    it('are the same with keep-alive or close, in HTTP 1.0 and 1.1', async () => {
      const key = `X-API-Key: ${harness.keys.PRO}\r\n`;
      const kept = await exchange(
        `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${key}\r\nGET ${PATH} HTTP/1.1\r\nHost: x\r\n${key}Connection: close\r\n\r\n`,
      );
      const second = kept.indexOf('HTTP/1.1 200', 10);
      assert.ok(second > 0);
      const old = await exchange(`GET ${PATH} HTTP/1.0\r\nHost: x\r\n${key}\r\n`);
      assert.deepEqual(headersOf(kept.slice(0, second)), headersOf(kept.slice(second)));
      assert.deepEqual(headersOf(old), headersOf(kept));
      const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
      assert.equal(bodyOf(kept.slice(0, second)), bodyOf(kept.slice(second)));
      assert.equal(bodyOf(old), bodyOf(kept.slice(second)));
    });

    it('keep the request order when pipelined on one connection', async () => {
      const paths = [
        '/meta/account_a',
        '/nothing',
        '/prediction/account_b',
        '/performance/overview',
        '/health',
      ];
      const requests = Array.from({ length: 50 }, (_, i) => {
        const last = i === 49 ? 'Connection: close\r\n' : '';
        return `GET /api/v1${paths[i % paths.length]} HTTP/1.1\r\nHost: x\r\n${last}\r\n`;
      });
      const answer = await exchange(requests.join(''));
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1]);
      assert.deepEqual(
        statuses,
        requests.map((_, i) => (i % 5 === 1 ? '404' : '200')),
      );
    });

    /** Sends everything before reading the response, as most clients do. */
    function sendAll(head: string, body: Buffer): Promise<string> {
      return new Promise((resolve, reject) => {
        const socket = connect(harness.port, '127.0.0.1');
        socket.on('error', reject);
        socket.write(
          `POST /api/v1/waitlist HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n`,
        );
        socket.write(body, () => {
          const chunks: Buffer[] = [];
          socket.on('data', (chunk) => {
            chunks.push(chunk);
            if (chunk.toString().endsWith('}')) socket.end();
          });
          socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
        });
      });
    }

    it('explain to a caller that sends 20 MB why the request was rejected', async () => {
      const large = Buffer.alloc(20_000_000, 'x');
      const chunked = Buffer.concat([
        Buffer.from(`${large.length.toString(16)}\r\n`),
        large,
        Buffer.from('\r\n0\r\n\r\n'),
      ]);
      const cases: [string, Buffer][] = [
        [`Content-Length: ${large.length}\r\n`, large],
        ['Transfer-Encoding: chunked\r\nConnection: close\r\n', chunked],
      ];
      for (const [head, body] of cases) {
        const answer = await sendAll(head, body);
        assert.match(answer, /^HTTP\/1\.1 413 /, head);
        assert.match(answer, /\{"detail":"The body is larger than \d+ bytes"\}$/, head);
      }
    });

    it('are cut off if the caller keeps sending far beyond the limit', async () => {
      const endless = Buffer.alloc(100_000_000, 'x');
      await assert.rejects(sendAll(`Content-Length: ${endless.length}\r\nConnection: close\r\n`, endless));
      assert.equal((await harness.call('/health')).status, 200);
    });
  });
