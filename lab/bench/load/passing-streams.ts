// Stream readers that stay for a few seconds: some disconnect cleanly, some vanish.

import { connect, type Socket } from 'node:net';
import { createRandom } from '../../../src/runtime/random.ts';

const MIN_STAY_MS = 500;
const MAX_STAY_MS = 8_000;

export function keepStreams(
  url: string,
  keys: readonly string[],
  readers: number,
): { opened(): number; stop(): Promise<void> } {
  const random = createRandom(7);
  const port = Number(new URL(url).port);
  let opened = 0;
  let isStopped = false;
  const sockets = new Set<Socket>();

  function stay(): Promise<void> {
    const key = keys[opened++ % keys.length]!;
    const account = opened % 3 === 0 ? 'account_b' : 'account_a';
    const request = `GET /api/v1/stream/${account} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`;
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
      sockets.add(socket);
      const leave = () => (opened % 2 === 0 ? socket.destroy() : socket.end());
      const timer = setTimeout(leave, MIN_STAY_MS + random.uniform() * (MAX_STAY_MS - MIN_STAY_MS));
      socket.resume();
      socket.on('error', () => {});
      socket.on('close', () => {
        clearTimeout(timer);
        sockets.delete(socket);
        resolve();
      });
    });
  }

  const all = Promise.all(
    Array.from({ length: readers }, async () => {
      while (!isStopped) await stay();
    }),
  );
  return {
    opened: () => opened,
    async stop() {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      await all;
    },
  };
}
