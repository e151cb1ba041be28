// Writes raw requests to a socket and reads the responses.

import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface RawAnswer {
  /** Status of each response on the connection, in order. */
  statuses: number[];
  text: string;
  /** How the connection ended: by the server, by an error, or by our timeout. */
  ending: 'closed' | 'error' | 'waited';
}

export interface RawRequest {
  name: string;
  /** Written one by one, yielding to the event loop in between. */
  pieces: readonly (string | Buffer)[];
  /** Ends our side after the last piece. */
  halfClose?: boolean;
  /** Disconnects without waiting for a response. */
  abandon?: boolean;
}

/** Waits for the end of the connection, or for `enough` responses. */
export function sendRaw(
  port: number,
  request: RawRequest,
  waitMs: number,
  enough = Number.POSITIVE_INFINITY,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1');
    const readText = () => Buffer.concat(chunks).toString('latin1');
    const finish = (ending: RawAnswer['ending']) => {
      clearTimeout(timer);
      socket.destroy();
      const text = readText();
      resolve({ statuses: listStatuses(text), text, ending });
    };
    const timer = setTimeout(() => finish('waited'), waitMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      timer.refresh();
      if (enough < Infinity && listStatuses(readText()).length >= enough) finish('waited');
    });
    socket.on('error', () => finish('error'));
    socket.on('close', () => finish('closed'));
    socket.on('connect', () => {
      void writePieces(socket, request.pieces).then(() => {
        if (request.abandon) finish('waited');
        else if (request.halfClose) socket.end();
      });
    });
  });
}

function listStatuses(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
}

async function writePieces(socket: Socket, pieces: RawRequest['pieces']): Promise<void> {
  socket.setNoDelay(true);
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    await setImmediate();
  }
}
