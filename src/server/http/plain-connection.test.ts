import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { createListener, type Listener } from './listener.ts';
import { PlainConnection, type PlainTerms } from './plain-connection.ts';
import type { Reply, RequestParts } from './reply.ts';

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
    const isPlain = (url: string) => !url.startsWith('/platform');
    listener = createListener(serve, { limits: { total: 50, perAddress: 50 }, isPlain });
    ({ port } = await listener.listen({ host: '127.0.0.1', port: 0 }));
  });
  after(() => listener.close());

  /** Responds with the name of the parser that read the request. */
  function answer(reply: Reply, url: string): void {
    const body = `${reply.platform === null ? 'plain' : 'platform'} ${url};`;
    reply.send(200, `Content-Length: ${body.length}\r\n`, body, 0);
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
    const seen = await until('plain /second;');
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

const TERMS: PlainTerms = {
  isDraining: () => false,
  closingLines: () => '\r\n',
  isServed: () => true,
  serve: (_request, reply) => reply.send(204, '', null, 0),
  handOver: () => {},
  giveUp: () => {},
  firstRequestMs: 15,
  keepAliveMs: 65,
  stalledMs: 120,
};

describe('idle connection', () => {
  function createScene() {
    const reported: string[] = [];
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const terms: PlainTerms = {
      ...TERMS,
      handOver: () => void reported.push('handed over'),
      giveUp: () => void reported.push('given up'),
    };
    const connection = new PlainConnection(socket as unknown as Socket, terms);
    return { socket, reported, connection, terms };
  }

  it('is closed if no request arrives', () => {
    const { reported, connection } = createScene();
    for (let passed = 0; passed < 15; passed += 5) connection.noteTime(5);
    assert.deepEqual(reported, []);
    connection.noteTime(5);
    assert.deepEqual(reported, ['given up']);
  });

  it('is closed silently after a served request', () => {
    const { socket, reported, connection } = createScene();
    connection.noteTime(10);
    socket.emit('data', Buffer.from(get('/')));
    connection.noteTime(65);
    assert.equal(socket.destroyed, false);
    connection.noteTime(1);
    assert.equal(socket.destroyed, true);
    assert.deepEqual(reported, []);
  });

  it('stays open while its response is pending', () => {
    const { socket, connection, terms } = createScene();
    terms.serve = () => {};
    socket.emit('data', Buffer.from(get('/')));
    for (let i = 0; i < 3; i++) connection.noteTime(65);
    assert.equal(socket.destroyed, false);
  });
});

describe('slow client reading a large response', { timeout: 30_000 }, () => {
  const BODY = Buffer.alloc(32 * 1024 * 1024, 'x');

  /** Both ends of a connection, with a response larger than the operating system's buffers. */
  async function createScene(stalledMs: number) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    const serve: PlainTerms['serve'] = (_request, reply) =>
      reply.send(200, `Content-Length: ${BODY.length}\r\n`, BODY, 0);
    const connection = new PlainConnection(socket, { ...TERMS, serve, stalledMs });
    client.pause();
    client.write(get('/'));
    while (socket.writableLength === 0) await new Promise((resolve) => setImmediate(resolve));
    return { server, client, socket, connection };
  }

  it('receives the whole response, however long it takes', async () => {
    const { server, client, socket, connection } = await createScene(60_000);
    for (let i = 0; i < 10; i++) connection.noteTime(65);
    assert.equal(socket.destroyed, false);
    let received = 0;
    client.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    client.resume();
    while (received < BODY.length) await once(client, 'data');
    while (socket.writableLength > 0) await new Promise((resolve) => setImmediate(resolve));
    connection.noteTime(1);
    assert.equal(socket.timeout, 0);
    connection.noteTime(66);
    assert.equal(socket.destroyed, true);
    client.destroy();
    server.close();
  });

  it('is disconnected when it stops reading for too long', async () => {
    const { server, client, socket, connection } = await createScene(20);
    const closed = once(socket, 'close');
    connection.noteTime(1);
    await closed;
    client.destroy();
    server.close();
  });
});
