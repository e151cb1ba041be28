// A network that works normally and records every response.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Fetch } from '../http-transport.ts';
import type { SocketFactory, SocketLike } from '../socket-session.ts';
import type { Redact } from './redact.ts';
import { type AnswerEntry, digestSent, type TapeEntry } from './tape.ts';

export interface Network {
  fetch: Fetch;
  createSocket: SocketFactory;
}

export interface RecordingNetwork extends Network {
  /** Stores responses that are still open. */
  finish(): void;
}

export interface RecordOptions {
  network: Network;
  redact: Redact;
  clock: Clock;
  keep(entry: TapeEntry): void;
}

/** Headers to record; the others concern the connection or this client. */
const KEPT_HEADERS = /^(?:content-type|age|retry-after|link|x-rate-?limit-.*)$/i;
const MAX_BODY_LENGTH = 16 * 1024 * 1024;
const MAX_FRAMES = 20_000;

export function createRecordingNetwork(options: RecordOptions): RecordingNetwork {
  const { network, redact, clock, keep } = options;
  const startedTs = clock.now();
  const open = new Set<() => void>();
  const atMs = () => clock.now() - startedTs;

  /** Calls `onEnd` once with what was received, when the body or the recording ends. */
  function listen(response: Response, onEnd: (body: string, problem: string | null) => void): Response {
    if (!response.body) {
      onEnd('', null);
      return response;
    }
    const decoder = new TextDecoder();
    let text = '';
    const end = (problem: string | null) => {
      if (open.delete(flush)) onEnd(text, problem);
    };
    const flush = () => end('the recording ended');
    open.add(flush);
    const hear = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (text.length < MAX_BODY_LENGTH) text += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
      flush: () => end(null),
      cancel: () => end('cancelled'),
    } as Transformer<Uint8Array, Uint8Array>);
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(hear), { status, statusText, headers });
  }

  return {
    async fetch(url, init) {
      const about = {
        kind: 'answer' as const,
        method: init.method ?? 'GET',
        url: redact(url),
        sent: digestSent(init.body),
      };
      const none: Omit<AnswerEntry, 'atMs'> = {
        ...about,
        status: null,
        headers: {},
        body: '',
        problem: null,
      };
      try {
        const response = await network.fetch(url, init);
        const headers = keepHeaders(response, redact);
        return listen(response, (body, problem) =>
          keep({ ...about, atMs: atMs(), status: response.status, headers, body: redact(body), problem }),
        );
      } catch (error) {
        if (!init.signal?.aborted) keep({ ...none, atMs: atMs(), problem: redact(errorMessage(error)) });
        throw error;
      }
    },
    createSocket(url, headers) {
      const socket = network.createSocket(url, headers);
      hearSocket(socket, open, (frames, closeCode) =>
        keep({ kind: 'socket', atMs: atMs(), url: redact(url), frames: frames.map(redact), closeCode }),
      );
      return socket;
    },
    finish() {
      for (const end of [...open]) end();
    },
  };
}

function keepHeaders(response: Response, redact: Redact): Record<string, string> {
  const kept = [...response.headers].filter(([name]) => KEPT_HEADERS.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, redact(value)]));
}

function hearSocket(
  socket: SocketLike,
  open: Set<() => void>,
  onEnd: (frames: readonly string[], closeCode: number | null) => void,
): void {
  const frames: string[] = [];
  const end = (closeCode: number | null) => {
    if (open.delete(flush)) onEnd(frames, closeCode);
  };
  const flush = () => end(null);
  open.add(flush);
  socket.addEventListener('message', (event) => {
    const { data } = event as { data?: unknown };
    if (typeof data === 'string' && frames.length < MAX_FRAMES) frames.push(data);
  });
  socket.addEventListener('close', (event) => {
    const { code } = event as { code?: unknown };
    end(typeof code === 'number' ? code : null);
  });
}
