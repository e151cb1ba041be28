// Writes raw requests to a socket and reads the responses.

import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface RawRequest {
  name: string;
  /** Written one by one, yielding to the event loop in between. */
  pieces: readonly (string | Buffer)[];
  /** Ends our side after the last piece. */
  halfClose?: boolean;
  /** Disconnects without waiting for a response. */
  abandon?: boolean;
}

/** Waits for the end of the connection, or for `enough` responses; returns their statuses in order. */
export function sendRaw(
  port: number,
  request: Omit<RawRequest, 'name'>,
  waitMs: number,
  enough = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1');
    const readStatuses = () => listStatuses(Buffer.concat(chunks).toString('latin1'));
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(readStatuses());
    };
    const timer = setTimeout(finish, waitMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      timer.refresh();
      if (enough < Infinity && readStatuses().length >= enough) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('connect', () => {
      void writePieces(socket, request.pieces).then(() => {
        if (request.abandon) finish();
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
