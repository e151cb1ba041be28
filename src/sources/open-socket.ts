// A websocket (ws package) that reports why the server refused it: status and retry time are in the response
// head, which the plain error event omits.

import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { systemClock } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import { isRetryableStatus, readRetryAfterText } from './http-status.ts';
import type { SocketFactory, SocketLike } from './socket-session.ts';

export const openSocket: SocketFactory = (url, headers = {}) => {
  const socket = new WebSocket(url, { headers });
  socket.on('unexpected-response', (request, response: IncomingMessage) => {
    socket.emit('error', explainRefusal(response));
    request.destroy();
  });
  return socket as unknown as SocketLike;
};

function explainRefusal({ statusCode = 0, headers }: IncomingMessage): SourceError {
  return new SourceError(`refused with status ${statusCode}`, {
    isRetryable: isRetryableStatus(statusCode),
    retryAfterMs: readRetryAfterText(headers['retry-after'] ?? null, systemClock.now()),
    status: statusCode,
  });
}
