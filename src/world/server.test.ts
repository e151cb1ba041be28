import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { createManualClock } from '../runtime/clock.ts';
import { parseFault } from './faults/fault-registry.ts';
import { startWorldServer } from './server.ts';
import { createWorld } from './world.ts';

function openWorld() {
  return createWorld({
    seed: 7,
    anchorTs: Date.UTC(2026, 5, 18),
    clock: createManualClock(Date.UTC(2026, 10, 15, 15)),
  });
}

describe('the world on a port', () => {
  it('answers over HTTP what it answers in process, and hangs up when down', async () => {
    const world = openWorld();
    const server = await startWorldServer(world);
    try {
      const path = '/oracle/api/users/account_b_handle/trackings';
      const direct = await (await openWorld().fetch(new Request(`http://world${path}`))).json();
      assert.deepEqual(await (await fetch(`${server.urls.base}${path}`)).json(), direct);
      world.faults.add(parseFault('oracle-down'), world.now());
      await assert.rejects(fetch(`${server.urls.base}${path}`));
    } finally {
      await server.close();
    }
  });

  it('speaks websocket on the market path', async () => {
    const server = await startWorldServer(openWorld());
    try {
      const socket = new WebSocket(server.urls.marketWs);
      const reply = await new Promise<string>((resolve, reject) => {
        socket.on('open', () => socket.send('PING'));
        socket.on('message', (data) => resolve(String(data)));
        socket.on('error', reject);
      });
      assert.equal(reply, 'PONG');
      socket.terminate();
    } finally {
      await server.close();
    }
  });

  it('ends a body without end when its reader goes away', async () => {
    const cancelled = Promise.withResolvers<void>();
    const endless = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('still here\r\n')),
        cancel: () => cancelled.resolve(),
      });
    const server = await startWorldServer({ ...openWorld(), fetch: async () => new Response(endless()) });
    try {
      const leaving = new AbortController();
      const { body } = await fetch(`${server.urls.base}/stream`, { signal: leaving.signal });
      await body!.getReader().read();
      leaving.abort();
      await cancelled.promise;
    } finally {
      await server.close();
    }
  });

  it('listens on loopback only', async () => {
    await assert.rejects(startWorldServer(openWorld(), { host: '0.0.0.0' }), /loopback/);
  });
});
