// An exchange websocket that reconnects after a break and sends the required pings.

import WebSocket from 'ws';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';

export interface SocketOptions {
  url: string;
  clock: Clock;
  logger: Logger;
  /** Called after every new connection too. */
  onOpen(): void;
  /** Called for each message of a list; anything that is not JSON is skipped. */
  onMessage(message: unknown): void;
}

export interface ExchangeSocket {
  /** No effect while disconnected. */
  send(message: object): void;
  close(): void;
}

const RECONNECT_MS = 1_000;
const PING_MS = 10_000;

export function openSocket({ url, clock, logger, onOpen, onMessage }: SocketOptions): ExchangeSocket {
  let socket: WebSocket;
  let cancelTimer = () => {};

  function connect(): void {
    socket = new WebSocket(url);
    socket.on('open', onOpen);
    socket.on('message', (data) => receive(String(data)));
    socket.on('error', () => {});
    socket.on('close', () => {
      logger.debug({}, 'exchange stream closed');
      schedule(RECONNECT_MS, connect);
    });
    schedule(PING_MS, ping);
  }

  function schedule(delayMs: number, action: () => void): void {
    cancelTimer();
    cancelTimer = clock.after(delayMs, action);
  }

  function ping(): void {
    if (socket.readyState === WebSocket.OPEN) socket.send('PING');
    schedule(PING_MS, ping);
  }

  function receive(text: string): void {
    if (text === 'PONG') return;
    const message = parse(text);
    for (const one of Array.isArray(message) ? message : [message]) if (one !== null) onMessage(one);
  }

  connect();
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      cancelTimer();
      socket.removeAllListeners('close');
      socket.terminate();
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
