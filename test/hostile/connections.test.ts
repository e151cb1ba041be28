// Callers that hold connections open are disconnected, so that they cannot starve other callers, the store or
// the feeds.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { chooseConnectionLimits } from '../../src/server/http/connection-guard.ts';
import { createListener } from '../../src/server/http/listener.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { waitUntil } from '../support/boot.ts';

const opened: Socket[] = [];
function closeSockets(): void {
  for (const socket of opened.splice(0)) socket.destroy();
}
after(closeSockets);

/** Opens a connection that ignores everything sent to it and never closes its side. */
async function openIdleSocket(port: number, text: string, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
  opened.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

function countOpen(harness: Harness): Promise<number> {
  const { server } = harness.api.metrics.listener;
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

describe('the server', { timeout: 60_000 }, () => {
  it('frees connections of idle callers that ignore a close', async () => {
    const limits = { total: 100, perAddress: 100 };
    const listener = createListener((_request, reply) => reply.send(200, '', ''), {
      limits,
      headersWithinMs: 150,
    });
    const { port } = await listener.listen({ host: '127.0.0.1', port: 0 });
    try {
      for (let i = 0; i < 20; i++)
        await openIdleSocket(port, i % 2 === 0 ? '' : 'GET / HTTP/1.1\r\nX-Never:');
      await waitUntil(() => listener.connections.open() === 20 || listener.connections.open() === 0);
      await waitUntil(() => listener.connections.open() === 0);
    } finally {
      closeSockets();
      await listener.close();
    }
  });

  it('limits connections per address without affecting other addresses', async () => {
    const harness = await startHarness({ settings: { connections: { total: 100, perAddress: 8 } } });
    try {
      const held = await Promise.all(
        Array.from({ length: 40 }, () => openIdleSocket(harness.port, '', '127.0.0.9')),
      );
      await waitUntil(() => held.filter((socket) => socket.closed || socket.readableEnded).length >= 32);
      assert.equal(harness.api.metrics.listener.connections.refused(), 32);
      assert.equal((await harness.call('/health')).status, 200);
    } finally {
      closeSockets();
      await harness.close();
    }
  });

  it('keeps total connections below the process limit', async () => {
    assert.deepEqual(chooseConnectionLimits(0, 1_200), { total: 840, perAddress: 32 });
    assert.deepEqual(chooseConnectionLimits(1, 1_200), { total: 840, perAddress: 840 });
    assert.deepEqual(chooseConnectionLimits(0, 1_048_576), { total: 20_000, perAddress: 625 });
    const harness = await startHarness({ settings: { connections: { total: 10, perAddress: 10 } } });
    try {
      for (let i = 0; i < 30; i++) await openIdleSocket(harness.port, '', `127.0.1.${i + 1}`);
      await waitUntil(() => harness.api.metrics.listener.connections.refused() === 20);
      assert.equal(await countOpen(harness), 10);
    } finally {
      closeSockets();
      await harness.close();
    }
  });

  it('frees connections with unread responses', async () => {
    const limits = { total: 10, perAddress: 10 };
    const answer = Buffer.alloc(1 << 20);
    const listener = createListener((_request, reply) => reply.send(200, '', answer), {
      limits,
      stalledMs: 300,
    });
    const { port } = await listener.listen({ host: '127.0.0.1', port: 0 });
    const socket = await openIdleSocket(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
    socket.pause();
    await waitUntil(() => listener.connections.open() === 1);
    await waitUntil(() => listener.connections.open() === 0);
    await listener.close();
  });
});
