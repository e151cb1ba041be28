// An exchange websocket that reconnects after a disconnect and sends the required pings.

import WebSocket from 'ws';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import { createRepeat } from '../../../runtime/repeat.ts';

export interface SocketOptions {
  /** A function is called before every connection. */
  url: string | (() => string);
  clock: Clock;
  logger: Logger;
  /** Called after every connection, including reconnects. */
  onOpen(): void;
  /** Called for each message in a list; anything that is not JSON is skipped. */
  onMessage(message: unknown): void;
  /** Called when nothing listens at the address. */
  onRefused?(): void;
}

export interface ExchangeSocket {
  /** Does nothing while disconnected. */
  send(message: object): void;
  close(): void;
}

const RECONNECT_MS = 1_000;
const PING_MS = 10_000;

export function openSocket(options: SocketOptions): ExchangeSocket {
  const { url, clock, logger, onOpen, onMessage, onRefused } = options;
  let socket: WebSocket;
  let cancelReconnect = () => {};
  const pinging = createRepeat({
    clock,
    firstPauseMs: PING_MS,
    pauseMs: PING_MS,
    run: () => sendText('PING'),
  });

  function connect(): void {
    socket = new WebSocket(typeof url === 'string' ? url : url());
    socket.on('open', onOpen);
    socket.on('message', (data) => receive(String(data)));
    socket.on('error', (error) => {
      if (isRefused(error)) onRefused?.();
    });
    socket.on('close', () => {
      logger.debug({}, 'exchange stream closed');
      cancelReconnect = clock.after(RECONNECT_MS, connect);
    });
  }

  function sendText(text: string): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  }

  function receive(text: string): void {
    if (text === 'PONG') return;
    const message = parse(text);
    for (const one of Array.isArray(message) ? message : [message]) if (one !== null) onMessage(one);
  }

  connect();
  void pinging.start();
  return {
    send: (message) => sendText(JSON.stringify(message)),
    close() {
      cancelReconnect();
      void pinging.stop();
      socket.removeAllListeners('close');
      socket.terminate();
    },
  };
}

const CLOSED_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

/** Nothing listens at the address, or no longer; `fetch` reports that as the cause of its error. */
export function isRefused(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((one) => CLOSED_CODES.has(String(one)));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
