import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { systemClock } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import { openSocket, runSocketSession } from './socket-session.ts';

it('reports the status of a refused connection and when to retry', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (_, socket) => {
    socket.end('HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n');
  });
  await once(server, 'listening');
  const session = runSocketSession(
    {
      name: 'reference prices',
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`,
      createSocket: openSocket,
      clock: systemClock,
      pingPeriodMs: null,
      openTimeoutMs: 20_000,
      silentAfterMs: null,
      onOpen() {},
      onJson: () => false,
    },
    new AbortController().signal,
  );
  await assert.rejects(session, (error) => {
    assert.ok(error instanceof SourceError);
    assert.deepEqual([error.status, error.retryAfterMs, error.isRetryable], [429, 7_000, true]);
    assert.match(error.message, /^reference prices: refused with status 429/);
    return true;
  });
  server.close();
});
