// A stream client that records messages. Uses a plain socket, so that it can stop reading.

import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface Heard {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
  data: any;
}

export interface StreamListener {
  response: IncomingMessage;
  messages: Heard[];
  comments: string[];
  /** Resolves once this many messages have arrived. */
  hear(count: number): Promise<Heard[]>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  isEnded(): boolean;
  cut(): void;
}

export interface ListenOptions {
  key?: string;
  lastEventId?: string;
  from?: string;
}

export async function listen(url: string, options: ListenOptions = {}): Promise<StreamListener> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (options.key) headers['X-API-Key'] = options.key;
  if (options.lastEventId) headers['Last-Event-ID'] = options.lastEventId;
  const { response, sent } = await open(url, headers, options.from);
  return follow(response, sent);
}

function open(
  url: string,
  headers: Record<string, string>,
  localAddress?: string,
): Promise<{ response: IncomingMessage; sent: ClientRequest }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false, localAddress }, (response) =>
      resolve({ response, sent }),
    );
    sent.on('error', reject);
    sent.end();
  });
}

function follow(response: IncomingMessage, sent: ClientRequest): StreamListener {
  const messages: Heard[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let isEnded = false;
  response.on('data', (chunk: Buffer) => {
    const blocks = (rest + chunk.toString()).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      if (block.startsWith(':')) comments.push(block);
      else messages.push(parse(block));
    }
    for (const check of waiting) check();
  });
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      isEnded = true;
      resolve();
    });
    response.on('error', () => {});
  });
  return {
    response,
    messages,
    comments,
    ended,
    isEnded: () => isEnded,
    hear: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (messages.length < count) return;
          waiting.delete(check);
          resolve(messages);
        };
        waiting.add(check);
        check();
      }),
    cut: () => sent.destroy(),
  };
}

function parse(block: string): Heard {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  return { id: fields.id!, event: fields.event!, data: JSON.parse(fields.data!) };
}
