// The simulator without a network: fetch and websockets as functions, for runs on a manual clock.

import type { Simulator } from './simulator.ts';
import type { SocketSession } from './sockets/simulator-socket.ts';
import { makeUrls, type SimulatorUrls } from './urls.ts';

type SocketEvent = 'open' | 'message' | 'close' | 'error';

export interface InProcessSocket {
  send(text: string): void;
  close(): void;
  addEventListener(type: SocketEvent, listener: (event: unknown) => void): void;
}

export interface InProcessSimulator {
  urls: SimulatorUrls;
  fetch(url: string, init?: RequestInit): Promise<Response>;
  createSocket(url: string, headers?: Readonly<Record<string, string>>): InProcessSocket;
}

export function openInProcess(simulator: Simulator): InProcessSimulator {
  return {
    urls: makeUrls('simulator.invalid'),
    fetch(url, init) {
      const request = new Request(url, init);
      // A Request's signal follows the caller's signal only while the Request object is alive.
      init?.signal?.addEventListener('abort', () => request.signal.aborted, { once: true });
      return simulator.fetch(request);
    },
    createSocket: (url, headers) => createSocket(simulator, new URL(url).pathname, new Headers(headers)),
  };
}

function createSocket(simulator: Simulator, path: string, headers: Headers): InProcessSocket {
  const listeners: Record<SocketEvent, ((event: unknown) => void)[]> = {
    open: [],
    message: [],
    close: [],
    error: [],
  };
  let session: SocketSession | null = null;
  let isOver = false;
  const report = (type: SocketEvent, event: unknown) => {
    for (const listener of listeners[type]) listener(event);
  };
  const end = (code?: number) => {
    if (isOver) return;
    isOver = true;
    session?.closed();
    report('close', { code: code ?? 1006 });
  };
  // Listeners are added after construction, as with any WebSocket.
  queueMicrotask(() => {
    if (isOver) return;
    const send = (text: string) => !isOver && report('message', { data: text });
    session = simulator.connect(path, { send, close: end }, headers);
    if (session) report('open', {});
    else end();
  });
  return {
    send: (text) => session?.receive(text),
    close: () => end(1000),
    addEventListener: (type, listener) => void listeners[type].push(listener),
  };
}
