// Wraps the client's stream for the page: adds manual retry, pausing in hidden tabs, and a visible connection
// state.

import {
  openStream,
  StreamEndedError,
  type StreamEvent,
  TallycastError,
} from '../../../packages/client-js/src/index.ts';

export type StreamState =
  | { kind: 'connecting' }
  | { kind: 'open' }
  | { kind: 'waiting'; reason: string; retryTs: number }
  | { kind: 'limited'; retryTs: number }
  | { kind: 'refused' }
  | { kind: 'absent' };

export interface EventStreamOptions {
  url: string;
  headers: () => Record<string, string>;
  onMessage: (message: StreamEvent) => void;
  onState: (state: StreamState) => void;
  onResponse?: (response: Response) => void;
  /** Called for every message and keep-alive comment. */
  onHeard?: () => void;
}

export interface EventStream {
  close(): void;
  /** Skips the remaining wait, e.g. when back online; `evenOpen` also replaces a silent connection. */
  retryNow(evenOpen?: boolean): void;
  /** Releases the connection until resumed, because browsers allow only a few. */
  pause(): void;
  resume(): void;
}

const FIRST_PAUSE_MS = 1_000;
/** Short, because a page shows old numbers until it reconnects. */
const LONGEST_PAUSE_MS = 5_000;

export function openEventStream(options: EventStreamOptions): EventStream {
  let reading = new AbortController();
  let lastEventId: string | undefined;
  let isOpen = false;
  let isOver = false;
  let isPaused = false;

  /** Reads until the client gives up or the read is aborted. */
  async function read({ signal }: AbortController): Promise<void> {
    try {
      for await (const message of openStream(target(), {
        signal,
        lastEventId,
        minPauseMs: FIRST_PAUSE_MS,
        onResponse: follow,
        onHeard: options.onHeard,
        maxPauseMs: LONGEST_PAUSE_MS,
        onReconnect: (pauseMs, error) => reportWait(pauseMs, error),
      })) {
        if (signal.aborted) return;
        if (message.id !== '') lastEventId = message.id;
        options.onMessage(message);
      }
    } catch (error) {
      if (!signal.aborted) giveUp(error);
    }
  }

  function target() {
    return {
      url: options.url,
      // Read for every connection, so that a rejected key is not sent again.
      get headers() {
        return options.headers();
      },
      fetch: (input: RequestInfo | URL, init?: RequestInit) => {
        options.onState({ kind: 'connecting' });
        return fetch(input, init);
      },
    };
  }

  function follow(response: Response): void {
    options.onResponse?.(response);
    if (!response.ok) return;
    isOpen = true;
    options.onState({ kind: 'open' });
  }

  function reportWait(pauseMs: number, error: unknown): void {
    isOpen = false;
    const retryTs = Date.now() + pauseMs;
    if (error instanceof TallycastError && error.status === 429) {
      options.onState({ kind: 'limited', retryTs });
    } else {
      options.onState({ kind: 'waiting', reason: describeProblem(error), retryTs });
    }
  }

  function giveUp(error: unknown): void {
    isOver = true;
    const status = error instanceof TallycastError ? error.status : 0;
    options.onState({ kind: status === 401 || status === 403 ? 'refused' : 'absent' });
  }

  function restart(): void {
    if (isOver) return;
    reading.abort();
    isOpen = false;
    reading = new AbortController();
    void read(reading);
  }

  void read(reading);
  return {
    close() {
      isOver = true;
      reading.abort();
    },
    retryNow(evenOpen = false) {
      if ((!isOpen || evenOpen) && !isPaused) restart();
    },
    pause() {
      isPaused = true;
      reading.abort();
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      restart();
    },
  };
}

function describeProblem(error: unknown): string {
  if (error instanceof StreamEndedError) return 'The stream ended';
  if (error instanceof TallycastError) return `The service returned status ${error.status}`;
  return 'The service cannot be reached';
}
