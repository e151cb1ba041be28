import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createPlainReader } from '../plain-http/plain-reader.ts';
import { MAX_HEADER_LINES } from './head-faults.ts';
import { createListener, type Listener } from './listener.ts';
import type { Reply, RequestParts } from './reply.ts';

/** Each fact holds whoever reads the request. */
const READERS = { node: null, plain: createPlainReader((url) => url !== '/platform') };

for (const [reader, firstReader] of Object.entries(READERS))
  describe(`request head, read by ${reader}`, { timeout: 30_000 }, () => {
    let listener: Listener;
    let port: number;
    before(async () => {
      const serve = (_request: RequestParts, reply: Reply) => {
        const req = reply.platform?.req;
        // Responds with bytes, as the service does, once the body has arrived.
        const answer = () => reply.send(200, 'Content-Length: 4\r\n', Buffer.from('done'));
        if (req) req.on('end', answer).resume();
        else answer();
      };
      listener = createListener(serve, { limits: { total: 50, perAddress: 50 }, firstReader });
      ({ port } = await listener.listen({ host: '127.0.0.1', port: 0 }));
    });
    after(() => listener.close());

    /** Returns everything received until `times` responses are complete or the server closes. */
    async function send(text: string, times = 1): Promise<string> {
      const socket = connect(port, '127.0.0.1');
      let seen = '';
      socket.on('data', (chunk: Buffer) => {
        seen += chunk.toString('latin1');
      });
      const closed = once(socket, 'close');
      socket.write(text);
      while (seen.split('done').length <= times && !socket.closed) {
        await Promise.race([once(socket, 'data'), closed]);
      }
      socket.destroy();
      return seen;
    }

    for (const method of ['GET', 'POST']) {
      it(`with two Host headers is rejected (${method})`, async () => {
        const seen = await send(`${method} / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n`);
        assert.match(
          seen,
          /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*Connection: close[\s\S]*More than one Host header/,
        );
      });

      it(`with more lines than Node keeps is rejected, even if it is small (${method})`, async () => {
        const lines = (count: number) => 'a: 1\r\n'.repeat(count);
        const seen = await send(`${method} / HTTP/1.1\r\nHost: a\r\n${lines(1_100)}\r\n`);
        assert.match(seen, /^HTTP\/1\.1 431 /);
        const most = await send(`${method} / HTTP/1.1\r\nHost: a\r\n${lines(MAX_HEADER_LINES - 1)}\r\n`);
        assert.match(most, /^HTTP\/1\.1 200 /);
      });
    }

    it('with Expect: 100-continue gets 100 Continue only after earlier responses', async () => {
      const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab';
      const seen = await send(post.repeat(3), 3);
      const answer = 'HTTP/1\\.1 100 Continue\\r\\n\\r\\nHTTP/1\\.1 200 OK\\r\\n(?:[^\\r]+\\r\\n)+\\r\\ndone';
      assert.match(seen, new RegExp(`^(?:${answer}){3}$`));
    });
  });

describe('closing', { timeout: 30_000 }, () => {
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  /** Everything that the server sends until it closes; rejects if it resets the connection. */
  async function readAll(socket: Socket): Promise<string> {
    let seen = '';
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
    });
    await once(socket, 'close');
    return seen;
  }

  it('serves requests that are still in the queue of the operating system', async () => {
    const serve = (_request: RequestParts, reply: Reply) =>
      reply.send(200, 'Content-Length: 4\r\n', Buffer.from('done'));
    const listener = createListener(serve, {
      limits: { total: 50, perAddress: 50 },
      firstReader: READERS.plain,
    });
    const { port } = await listener.listen({ host: '127.0.0.1', port: 0 });
    const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
    const answers = sockets.map((socket) => {
      socket.write(request('/'));
      return readAll(socket);
    });
    await once(sockets[0]!, 'connect');
    const closed = listener.close();
    for (const answer of answers) assert.match(await answer, /^HTTP\/1\.1 200 .*done$/s);
    await closed;
  });

  it('answers a request that takes too long with a 503 instead of a reset', async () => {
    const replies: Reply[] = [];
    const listener = createListener((_request, reply) => void replies.push(reply), {
      ...{ limits: { total: 50, perAddress: 50 }, firstReader: READERS.plain, drainMs: 20 },
    });
    const { port } = await listener.listen({ host: '127.0.0.1', port: 0 });
    const answers = ['/plain', '/platform'].map((path) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(request(path));
      return readAll(socket);
    });
    while (replies.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await listener.close();
    for (const reply of replies) reply.send(200, 'Content-Length: 4\r\n', 'late');
    for (const answer of answers)
      assert.match(
        await answer,
        /^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*Connection: close.*stopping[^}]*}$/is,
      );
  });
});
