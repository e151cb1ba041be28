// A network that replays a recording: responses per request in order, a socket's frames all at once.

import type { SocketLike } from '../socket-session.ts';
import type { Network } from './record-network.ts';
import type { Redact } from './redact.ts';
import { type AnswerEntry, digestSent, type SocketEntry, type TapeEntry } from './tape.ts';

export interface ReplayNetwork extends Network {
  /** Number of entries that were never requested. */
  countLeft(): number;
}

/** The request was never recorded, or its response has already been replayed. */
export const NOT_ON_TAPE = 'not on the tape';

export function createReplayNetwork(entries: readonly TapeEntry[], redact: Redact): ReplayNetwork {
  const answers = entries.filter((entry) => entry.kind === 'answer');
  const sockets = entries.filter((entry) => entry.kind === 'socket');
  return {
    countLeft: () => answers.length + sockets.length,
    async fetch(url, init) {
      const found = takeAnswer(answers, init.method ?? 'GET', redact(url), digestSent(init.body));
      if (!found) throw new TypeError(`${NOT_ON_TAPE}: ${new URL(url).pathname}`);
      if (found.status === null) throw new TypeError(found.problem ?? 'fetch failed');
      const { status, headers } = found;
      return new Response(isBodiless(status) ? null : playBody(found), { status, headers });
    },
    createSocket(url) {
      const index = sockets.findIndex((entry) => entry.url === redact(url));
      if (index < 0) throw new Error(`${NOT_ON_TAPE}: ${new URL(url).pathname}`);
      return playSocket(sockets.splice(index, 1)[0]!);
    },
  };
}

/** Prefers the exact request with the same body, then the same address, then one that differs only in its times, then any with the same path. */
function takeAnswer(
  answers: AnswerEntry[],
  method: string,
  url: string,
  sent: string | undefined,
): AnswerEntry | null {
  const path = pathOf(url);
  const sameness: ((entry: AnswerEntry) => boolean)[] = [
    (entry) => entry.url === url && entry.sent === sent,
    (entry) => entry.url === url,
    (entry) => timeless(entry.url) === timeless(url),
    (entry) => pathOf(entry.url) === path && !hasCursor(entry.url) && !hasCursor(url),
  ];
  for (const isSame of sameness) {
    const index = answers.findIndex((entry) => entry.method === method && isSame(entry));
    if (index >= 0) return answers.splice(index, 1)[0]!;
  }
  return null;
}

function pathOf(url: string): string {
  return url.split('?', 1)[0]!;
}

function hasCursor(url: string): boolean {
  return /[?&](?:after_cursor|cursor|pagination_token|next_token|max_id)=/.test(url);
}

/** Removes times and cursors: they move with the clock and do not identify a request. */
function timeless(url: string): string {
  const parsed = new URL(url);
  for (const [name, value] of [...parsed.searchParams]) {
    const isTime = /^\d{10}(?:\d{3})?$|^\d{4}-\d\d-\d\d/.test(value) || name === 'since_id' || name === '_';
    if (isTime) parsed.searchParams.delete(name);
  }
  return parsed.toString();
}

/** Replays a truncated body as truncated, so that it is not mistaken for an unreadable response. */
function playBody({ body, problem }: AnswerEntry): string | ReadableStream<Uint8Array> {
  if (problem === null) return body;
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new TypeError(`${NOT_ON_TAPE}: the rest of the response`));
      isSent = true;
      controller.enqueue(new TextEncoder().encode(body));
    },
  });
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

function playSocket({ frames, closeCode }: SocketEntry): SocketLike {
  const listeners = new Map<string, ((event: unknown) => void)[]>();
  let isClosed = false;
  const report = (type: string, event: unknown) => {
    for (const listener of listeners.get(type) ?? []) listener(event);
  };
  queueMicrotask(() => {
    report('open', {});
    for (const data of frames) if (!isClosed) report('message', { data });
    if (!isClosed) report('close', { code: closeCode ?? 1000 });
  });
  return {
    send() {},
    close() {
      isClosed = true;
    },
    addEventListener: (type, listener) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
  };
}
