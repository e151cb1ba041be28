// Requests written byte by byte over a socket, and the answers.

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** Status of each answer on the connection, in order. */
  statuses: number[];
  text: string;
  /** How the connection ended: by the server, by an error, or by our timeout. */
  ending: 'closed' | 'error' | 'waited';
}

export interface RawRequest {
  name: string;
  /** Written one after the other, with a turn of the event loop in between. */
  pieces: readonly (string | Buffer)[];
  /** Ends our side after the last piece. */
  halfClose?: boolean;
  /** Disconnects without waiting for an answer. */
  abandon?: boolean;
}

export function sendRaw(port: number, request: RawRequest, waitMs: number): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1');
    const finish = (ending: RawAnswer['ending']) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({
        statuses: [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1])),
        text,
        ending,
      });
    };
    const timer = setTimeout(() => finish('waited'), waitMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      timer.refresh();
    });
    socket.on('error', () => finish('error'));
    socket.on('close', () => finish('closed'));
    socket.on('connect', () => {
      for (const piece of request.pieces) socket.write(piece);
      if (request.abandon) finish('waited');
      else if (request.halfClose) socket.end();
    });
  });
}
