// A gate between a client and a server: open, shut (connections are cut and refused) or stuck (no data passes).

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface TcpGate {
  port: number;
  open(): void;
  shut(): void;
  stick(): void;
  close(): Promise<void>;
}

export async function createTcpGate(targetPort: number): Promise<TcpGate> {
  let isShut = false;
  let isStuck = false;
  const sockets = new Set<Socket>();

  const server = createServer((incoming) => {
    if (isShut) return incoming.destroy();
    const outgoing = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (data) => other.write(data));
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (isStuck) socket.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (server.address() as { port: number }).port,
    open() {
      isShut = false;
      isStuck = false;
      for (const socket of sockets) socket.resume();
    },
    shut() {
      isShut = true;
      cut();
    },
    stick() {
      isStuck = true;
      for (const socket of sockets) socket.pause();
    },
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
