import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { createListener, type Listener } from '../http/listener.ts';
import type { Reply, RequestParts } from '../http/reply.ts';
import { PlainConnection, type PlainTerms } from './plain-connection.ts';
import { createPlainReader } from './plain-reader.ts';

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe('a connection', () => {
  let listener: Listener;
  let port: number;
  /** Requests that the test itself responds to. */
  const waiting = new Map<string, Reply>();

  before(async () => {
    const serve = ({ url }: RequestParts, reply: Reply) => {
      if (url!.startsWith('/wait')) waiting.set(url!, reply);
      else answer(reply, url!);
    };
    const firstReader = createPlainReader((url) => !url.startsWith('/platform'));
    listener = createListener(serve, { limits: { total: 50, perAddress: 50 }, firstReader });
    ({ port } = await listener.listen({ host: '127.0.0.1', port: 0 }));
  });
  after(() => listener.close());

  /** Responds with the name of the parser that read the request. */
  function answer(reply: Reply, url: string): void {
    const body = `${reply.platform === null ? 'plain' : 'platform'} ${url};`;
    reply.send(200, `Content-Length: ${body.length}\r\n`, body);
  }

  async function open(): Promise<{ socket: Socket; until(text: string): Promise<string> }> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    let seen = '';
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
    });
    await once(socket, 'connect');
    return {
      socket,
      async until(text) {
        while (!seen.includes(text)) await once(socket, 'data');
        return seen;
      },
    };
  }

  async function waitFor(url: string): Promise<Reply> {
    while (!waiting.has(url)) await new Promise((resolve) => setImmediate(resolve));
    return waiting.get(url)!;
  }

  it('stays plain until an unusual request arrives, then is handed over to Node without losing a byte', async () => {
    const { socket, until } = await open();
    socket.write(get('/1'));
    await until('plain /1;');
    socket.write(get('/2', 'Accept: */*\r\n'));
    await until('plain /2;');
    socket.write(get('/3') + get('/4'));
    await until('platform /3;');
    await until('platform /4;');
    socket.write(get('/5'));
    const seen = await until('platform /5;');
    assert.equal(seen.match(/HTTP\/1\.1 200 OK/g)?.length, 5);
    socket.destroy();
  });

  it('serves requests that need Node and requests that arrive in pieces', async () => {
    const { socket, until } = await open();
    for (const letter of get('/pieces')) {
      socket.write(letter);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('platform /pieces;');
    socket.destroy();
    const other = await open();
    other.socket.write(get('/platform/stream'));
    await other.until('platform /platform/stream;');
    other.socket.destroy();
  });

  it('keeps responses in order while one is pending', async () => {
    const { socket, until } = await open();
    socket.write(get('/wait/first'));
    const first = await waitFor('/wait/first');
    socket.write(get('/second'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    answer(first, '/wait/first');
    assert.equal(first.isOver, true);
    const seen = await until('platform /second;');
    assert.ok(seen.indexOf('/wait/first') < seen.indexOf('/second'));
    socket.destroy();
  });

  it('responds to a caller that has half-closed its side', async () => {
    const { socket, until } = await open();
    socket.end(get('/half'));
    await until('plain /half;');
    if (!socket.readableEnded) await once(socket, 'end');
  });

  it('notifies a pending request that the caller has disconnected', async () => {
    const { socket } = await open();
    socket.write(get('/wait/gone'));
    const reply = await waitFor('/wait/gone');
    const gone = new Promise<void>((resolve) => reply.onClose(resolve));
    socket.destroy();
    await gone;
    assert.equal(reply.isOver, true);
  });
});

describe('an idle connection', () => {
  function createScene() {
    const reported: string[] = [];
    const timeouts: number[] = [];
    const socket = Object.assign(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), {
      setTimeout: (ms: number) => void timeouts.push(ms),
    });
    const terms: PlainTerms = {
      isDraining: () => false,
      isServed: () => true,
      serve: (_request, reply) => reply.send(204, '', null),
      handOver: () => {},
      giveUp: () => void reported.push('given up'),
      headersWithinMs: 15,
      keepAliveMs: 65,
    };
    new PlainConnection(socket as unknown as Socket, terms);
    return { socket, reported, timeouts, terms };
  }

  it('is told so if no request arrives', () => {
    const { socket, reported, timeouts } = createScene();
    socket.emit('timeout');
    assert.deepEqual([reported, timeouts], [['given up'], [15]]);
  });

  it('is closed silently after a served request', () => {
    const { socket, reported, timeouts } = createScene();
    socket.emit('data', Buffer.from(get('/')));
    socket.emit('timeout');
    assert.equal(socket.destroyed, true);
    assert.deepEqual([reported, timeouts], [[], [15, 65]]);
  });

  it('stays open while its response is pending', () => {
    const { socket, terms } = createScene();
    terms.serve = () => {};
    socket.emit('data', Buffer.from(get('/')));
    socket.emit('timeout');
    assert.equal(socket.destroyed, false);
  });
});
