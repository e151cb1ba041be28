// Network fakes for source tests: a scripted fetch, and sockets controlled by the test.

import { completeProfile } from '../../src/domain/account-profile.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import type { Fetch, HttpTransport } from '../../src/sources/http-transport.ts';
import { createHttpTransport } from '../../src/sources/http-transport.ts';
import type { SocketLike } from '../../src/sources/socket-session.ts';

export const NOW_TS = Date.UTC(2026, 7, 16, 12);

export const ACCOUNT = completeProfile({ accountId: 'a', handle: 'somebody', platformUserId: '1001' }, 0);

export interface Scripted {
  http: HttpTransport;
  clock: ReturnType<typeof createManualClock>;
  /** Requests in order. */
  asked: { url: URL; method: string; body: unknown; headers: Headers }[];
}

export type Reply = unknown | Response | ((url: URL) => unknown | Response);

/** Responses by path, longest match first; list entries are used in order, and the last one repeats. */
export function scriptHttp(
  replies: Record<string, Reply | Reply[]>,
  options: { timeoutMs?: number } = {},
): Scripted {
  const clock = createManualClock(NOW_TS);
  const asked: Scripted['asked'] = [];
  const used = new Map<string, number>();
  const fetch: Fetch = async (address, init) => {
    const url = new URL(address);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    asked.push({ url, method: init.method ?? 'GET', body, headers: new Headers(init.headers) });
    const path = Object.keys(replies)
      .filter((prefix) => url.pathname.startsWith(prefix))
      .sort((left, right) => right.length - left.length)[0];
    if (path === undefined) return json({ error: 'not scripted' }, 404);
    const scripted = replies[path];
    const list = scripted instanceof Script ? scripted.replies : [scripted];
    const at = Math.min(used.get(path) ?? 0, list.length - 1);
    used.set(path, at + 1);
    const reply = list[at];
    const value = typeof reply === 'function' ? await reply(url, init) : reply;
    return value instanceof Response ? value : json(value);
  };
  const http = createHttpTransport({ name: 'test', baseUrl: 'http://upstream', fetch, clock, ...options });
  return { http, clock, asked };
}

class Script {
  readonly replies: Reply[];
  constructor(replies: Reply[]) {
    this.replies = replies;
  }
}

export function inTurn(...replies: Reply[]): Script {
  return new Script(replies);
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

type Listener = (event: unknown) => void;

export class ScriptedSocket implements SocketLike {
  readonly url: string;
  readonly sent: string[] = [];
  isClosed = false;
  #listeners: Record<string, Listener[]> = {};

  constructor(url: string) {
    this.url = url;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.isClosed = true;
  }

  addEventListener(type: string, listener: Listener): void {
    const list = this.#listeners[type] ?? [];
    this.#listeners[type] = [...list, listener];
  }

  emit(type: 'open' | 'message' | 'close' | 'error', event: unknown = {}): void {
    for (const listener of this.#listeners[type] ?? []) listener(event);
  }

  push(message: unknown): void {
    this.emit('message', { data: typeof message === 'string' ? message : JSON.stringify(message) });
  }

  sentJson(): Record<string, unknown>[] {
    return this.sent.filter((text) => text !== 'PING').map((text) => JSON.parse(text));
  }
}

/** A factory of scripted sockets, and the sockets it created. */
export function scriptSockets(): { create: (url: string) => ScriptedSocket; made: ScriptedSocket[] } {
  const made: ScriptedSocket[] = [];
  return {
    made,
    create(url) {
      const socket = new ScriptedSocket(url);
      made.push(socket);
      return socket;
    },
  };
}
