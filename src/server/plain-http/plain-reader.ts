// The plain reader of HTTP: serves plain requests at about twice the rate of Node's request objects. This folder can
// be left out: without it, every connection goes to Node.

import type { Socket } from 'node:net';
import type { FirstReader } from '../http/listener.ts';
import { PlainConnection, type PlainTerms } from './plain-connection.ts';

/** Every connection starts as a plain connection; Node's setup runs when it is handed over. */
export function createPlainReader(isServed: (url: string) => boolean): FirstReader {
  return (server, given) => {
    const open = new Set<PlainConnection>();
    const byNode = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    const terms: PlainTerms = {
      ...given,
      isServed,
      handOver(connection) {
        open.delete(connection);
        for (const listener of byNode) listener.call(server, connection.socket);
      },
    };
    server.on('connection', (socket: Socket) => {
      const connection = new PlainConnection(socket, terms);
      open.add(connection);
      socket.once('close', () => void open.delete(connection));
    });
    return {
      retire() {
        for (const connection of open) connection.retire();
      },
      listPending: () => [...open].flatMap(({ pending }) => pending ?? []),
      destroy() {
        for (const { socket } of open) socket.destroy();
      },
    };
  };
}
