// Reads server-sent events over fetch, so that a key can travel in a header; resumes with Last-Event-ID and
// backs off politely. Knows nothing of what the messages mean.

export interface StreamMessage {
  id: string | null;
  event: string;
  data: string;
}

export type StreamState =
  | { kind: 'connecting' }
  | { kind: 'open'; resumed: boolean }
  | { kind: 'waiting'; reason: string; retryTs: number; attempt: number }
  | { kind: 'limited'; retryTs: number }
  | { kind: 'refused' }
  | { kind: 'absent' };

export interface StreamOptions {
  url: string;
  headers: () => Record<string, string>;
  onMessage: (message: StreamMessage) => void;
  onState: (state: StreamState) => void;
  onResponse?: (response: Response) => void;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** The server's heartbeat comes well inside this; silence means that the line is dead. */
const SILENCE_MS = 45_000;

export interface EventStream {
  close(): void;
  /** Skips the rest of a wait, e.g. when the machine is back on line. */
  retryNow(): void;
  /** Lets go of the connection, of which a browser has few, until told to go on where it stopped. */
  pause(): void;
  resume(): void;
}

export function openEventStream(options: StreamOptions): EventStream {
  const closing = new AbortController();
  let lastId: string | null = null;
  let attempt = 0;
  let endWait: (() => void) | null = null;
  let connection = new AbortController();
  let paused: PromiseWithResolvers<void> | null = null;

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await paused?.promise;
      if (closing.signal.aborted) return;
      options.onState({ kind: 'connecting' });
      const waitMs = await connectOnce();
      if (waitMs === null || closing.signal.aborted) return;
      await wait(waitMs);
    }
  }

  /** One connection from open to end; gives the wait before the next, or null when there must be none. */
  async function connectOnce(): Promise<number | null> {
    connection = new AbortController();
    const signal = AbortSignal.any([closing.signal, connection.signal]);
    try {
      const response = await request(options, lastId, signal);
      options.onResponse?.(response);
      const verdict = judge(response);
      if (verdict) return stopOrWait(verdict);
      options.onState({ kind: 'open', resumed: lastId !== null });
      attempt = 0;
      await readMessages(response, signal, (message) => {
        if (message.id !== null) lastId = message.id;
        options.onMessage(message);
      });
      return stopOrWait({ kind: 'retry', reason: 'The stream ended' });
    } catch {
      return stopOrWait({ kind: 'retry', reason: 'The service cannot be reached' });
    }
  }

  function stopOrWait(verdict: Verdict): number | null {
    if (closing.signal.aborted) return null;
    if (connection.signal.aborted) return 0;
    if (verdict.kind === 'refused' || verdict.kind === 'absent') {
      options.onState(verdict);
      return null;
    }
    const waitMs = verdict.kind === 'limited' ? verdict.waitMs : nextDelayMs(attempt++);
    const retryTs = Date.now() + waitMs;
    options.onState(
      verdict.kind === 'limited'
        ? { kind: 'limited', retryTs }
        : { kind: 'waiting', reason: verdict.reason, retryTs, attempt },
    );
    return waitMs;
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
      closing.signal.addEventListener('abort', endWait, { once: true });
    });
  }

  void run();
  return {
    close() {
      closing.abort();
      paused?.resolve();
    },
    retryNow: () => endWait?.(),
    pause() {
      paused ??= Promise.withResolvers<void>();
      connection.abort();
    },
    resume() {
      paused?.resolve();
      paused = null;
      endWait?.();
    },
  };
}

type Verdict =
  | { kind: 'retry'; reason: string }
  | { kind: 'limited'; waitMs: number }
  | { kind: 'refused' }
  | { kind: 'absent' };

function judge(response: Response): Verdict | null {
  if (response.ok && response.body) return null;
  void response.body?.cancel();
  if (response.status === 401 || response.status === 403) return { kind: 'refused' };
  if (response.status === 404 || response.status === 405) return { kind: 'absent' };
  if (response.status === 429) return { kind: 'limited', waitMs: readRetryAfterMs(response) };
  return { kind: 'retry', reason: `The service answered ${response.status}` };
}

export function readRetryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 60_000;
}

function request(options: StreamOptions, lastId: string | null, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: 'text/event-stream', ...options.headers() };
  if (lastId !== null) headers['last-event-id'] = lastId;
  return fetch(options.url, { headers, signal, cache: 'no-store' });
}

/** Doubling, with a jitter that keeps a thousand open pages from coming back in the same instant. */
export function nextDelayMs(attempt: number, chance = Math.random()): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return ceiling / 2 + (ceiling / 2) * chance;
}

async function readMessages(
  response: Response,
  signal: AbortSignal,
  onMessage: (message: StreamMessage) => void,
): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const parser = createMessageParser(onMessage);
  const watchdog = createWatchdog(() => void reader.cancel('silence'));
  const stop = () => void reader.cancel('closed');
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      watchdog.touch();
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(value);
    }
  } finally {
    watchdog.stop();
    signal.removeEventListener('abort', stop);
  }
}

function createWatchdog(onSilence: () => void): { touch: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    touch: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** The event-stream grammar: fields per line, a blank line ends a message, a colon begins a comment. */
export function createMessageParser(onMessage: (message: StreamMessage) => void): {
  feed(text: string): void;
} {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id: string | null = null;

  function endMessage(): void {
    if (data.length > 0) onMessage({ id, event: event || 'message', data: data.join('\n') });
    event = '';
    data = [];
  }

  function readLine(line: string): void {
    if (line === '') endMessage();
    else readField(line);
  }

  function readField(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
  }

  return {
    feed(text) {
      rest += text;
      // A carriage return at the very end may be half of CRLF: leave it for the next chunk.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) readLine(line);
    },
  };
}
