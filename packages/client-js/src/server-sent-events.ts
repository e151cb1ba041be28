// Parses a text/event-stream into messages.

import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface ServerSentEvent {
  /** The stream's last id, from this or an earlier message. */
  id: string;
  event: string;
  data: string;
}

export interface ReadOptions {
  /** Reading fails after this long without data. */
  silentAfterMs: number;
  /** Called for every chunk received, including keep-alive comments. */
  onHeard?: (() => void) | undefined;
}

export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  { silentAfterMs, onHeard }: ReadOptions,
): AsyncGenerator<ServerSentEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const heard: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => heard.push(message) });
  let id = '';
  try {
    for (;;) {
      // Only the wait for bytes is timed; a caller may take as long as it likes to process a message.
      const { done, value } = await within(silentAfterMs, reader.read());
      if (done) return;
      onHeard?.();
      parser.feed(decoder.decode(value, { stream: true }));
      for (const message of heard.splice(0)) {
        id = message.id ?? id;
        yield { id, event: message.event ?? 'message', data: message.data };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing received in ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}
