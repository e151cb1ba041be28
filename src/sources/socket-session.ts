// Runs one websocket from open to close: text heartbeats, a check on the age of its data, and one clean end.
// A socket can stay open without data, so silence ends it even if heartbeats are answered.

import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { errorMessage, SourceError } from '../runtime/errors.ts';
import { createRepeat } from '../runtime/repeat.ts';
import { isRetryableStatus, readRetryAfterText } from './http-status.ts';
import { tryParseJson } from './wire-reader.ts';

/** The part of the WebSocket interface we use; browsers, Node and the ws package all implement it. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: unknown) => void): void;
}

/** Headers are for servers that require a signed upgrade request. */
export type SocketFactory = (url: string, headers?: Readonly<Record<string, string>>) => SocketLike;

export interface SocketSessionOptions {
  name: string;
  url: string;
  createSocket: SocketFactory;
  clock: Clock;
  /** null if the server sends the pings. */
  pingPeriodMs: number | null;
  openTimeoutMs: number;
  /** Maximum age of the data before the session ends; null to leave that to the caller. */
  silentAfterMs: number | null;
  onOpen(send: (message: unknown) => void): void;
  /** Returns true if the message had data, which resets the silence timer. Throwing ends the session. */
  onJson(message: unknown): boolean;
  /** Called for a text frame that is neither JSON nor a heartbeat. */
  onGarbage?(): void;
  /** Meaning of a system-specific close code; null for other codes. */
  explainClose?(code: number): SourceError | null;
}

/** The socket stayed open, but sent no data for too long. */
export class SilenceError extends SourceError {}

const MAX_MESSAGE_LENGTH = 8 * 1024 * 1024;

/** Resolves on abort; rejects with SourceError if the session ends for any other reason. */
export function runSocketSession(options: SocketSessionOptions, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const { clock, name } = options;
    let socket: SocketLike | null = null;
    let isOver = false;
    const pingPeriodMs = options.pingPeriodMs ?? 0;
    const pinging = createRepeat({
      clock,
      firstPauseMs: pingPeriodMs,
      pauseMs: pingPeriodMs,
      run: () => send('PING'),
    });
    let cancelWatch = clock.after(options.openTimeoutMs, () =>
      end(`not open within ${options.openTimeoutMs} ms`),
    );

    function end(problem: string | SourceError | null): void {
      if (isOver) return;
      isOver = true;
      void pinging.stop();
      cancelWatch();
      signal.removeEventListener('abort', stop);
      closeQuietly(socket);
      if (problem === null) resolve();
      else if (problem instanceof SourceError) reject(problem);
      else reject(new SourceError(`${name}: ${problem}`, { isRetryable: true }));
    }
    function stop(): void {
      end(null);
    }
    function send(message: unknown): void {
      if (isOver) return;
      try {
        socket?.send(typeof message === 'string' ? message : JSON.stringify(message));
      } catch (error) {
        end(`cannot send: ${errorMessage(error)}`);
      }
    }
    function watchSilence(): void {
      cancelWatch();
      const { silentAfterMs } = options;
      // A handler may have ended the session.
      if (silentAfterMs === null || isOver) return;
      cancelWatch = clock.after(silentAfterMs, () =>
        end(new SilenceError(`${name}: no data for ${silentAfterMs} ms`, { isRetryable: true })),
      );
    }

    signal.addEventListener('abort', stop, { once: true });
    try {
      socket = options.createSocket(options.url);
    } catch (error) {
      end(`cannot open: ${errorMessage(error)}`);
      return;
    }
    socket.addEventListener('open', () => {
      if (isOver) return;
      watchSilence();
      if (pingPeriodMs > 0) void pinging.start();
      options.onOpen(send);
    });
    socket.addEventListener('message', (event) => {
      const message = isOver ? undefined : readMessage(event);
      if (message === undefined && !isOver && isGarbage(event)) options.onGarbage?.();
      if (message === undefined) return;
      try {
        if (options.onJson(message)) watchSilence();
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        end(error);
      }
    });
    socket.addEventListener('close', (event) => {
      const { code } = event as { code?: unknown };
      const meant = typeof code === 'number' ? options.explainClose?.(code) : null;
      end(meant ?? 'the connection was closed');
    });
    socket.addEventListener('error', (event) => end(readFailure(event, name)));
  });
}

/** undefined for heartbeats, binary frames and non-JSON text. */
function readMessage(event: unknown): unknown {
  const data = (event as { data?: unknown }).data;
  if (typeof data !== 'string' || data.length > MAX_MESSAGE_LENGTH || data === 'PONG') return undefined;
  return tryParseJson(data);
}

function isGarbage(event: unknown): boolean {
  const data = (event as { data?: unknown }).data;
  return typeof data === 'string' && data.trim() !== '' && data !== 'PONG';
}

/** If the server refused the connection, keeps its status and retry time. */
function readFailure(event: unknown, name: string): string | SourceError {
  const { error } = event as { error?: unknown };
  if (!(error instanceof SourceError)) return `the connection failed: ${describeFailure(event)}`;
  const { isRetryable, retryAfterMs, status } = error;
  return new SourceError(`${name}: ${error.message}`, { isRetryable, retryAfterMs, status, cause: error });
}

function describeFailure(event: unknown): string {
  const { message, error } = event as { message?: unknown; error?: unknown };
  return typeof message === 'string' && message ? message : error ? errorMessage(error) : 'no reason given';
}

function closeQuietly(socket: SocketLike | null): void {
  try {
    socket?.close();
  } catch {
    // The socket was not open, so there is nothing to close.
  }
}

// A websocket (ws package) that reports why the server refused it: status and retry time are in the response
// head, which the plain error event omits.

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
