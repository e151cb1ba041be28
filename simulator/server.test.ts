import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { parseFault } from './faults/fault-registry.ts';
import { startSimulatorServer } from './server.ts';
import { openSimulator } from './simulator.test-support.ts';

describe('simulator on a port', () => {
  it('returns the same responses over HTTP as in process, and drops connections when down', async () => {
    const simulator = openSimulator().simulator;
    const server = await startSimulatorServer(simulator);
    try {
      const path = '/oracle/api/users/account_b_handle/trackings';
      const direct = await (
        await openSimulator().simulator.fetch(new Request(`http://simulator${path}`))
      ).json();
      assert.deepEqual(await (await fetch(`${server.urls.base}${path}`)).json(), direct);
      simulator.faults.add(parseFault('oracle-down'), simulator.now());
      await assert.rejects(fetch(`${server.urls.base}${path}`));
    } finally {
      await server.close();
    }
  });

  it('serves websockets on the market path', async () => {
    const server = await startSimulatorServer(openSimulator().simulator);
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

  it('ends an endless body when the client disconnects', async () => {
    const cancelled = Promise.withResolvers<void>();
    const endless = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('still here\r\n')),
        cancel: () => cancelled.resolve(),
      });
    const server = await startSimulatorServer({
      ...openSimulator().simulator,
      fetch: async () => new Response(endless()),
    });
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
    await assert.rejects(startSimulatorServer(openSimulator().simulator, { host: '0.0.0.0' }), /loopback/);
  });
});
