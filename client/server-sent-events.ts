// Bytes of a text/event-stream to its messages, as the HTML standard reads them.

export interface ServerSentEvent {
  /** The last id that the stream has told, also by an earlier message. */
  id: string;
  event: string;
  data: string;
}

/** Yields null for every piece of the stream that held no whole message: a sign of life. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent | null, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop()!;
      const messages = blocks.map((block) => parseBlock(block, id)).filter((message) => message !== null);
      for (const message of messages) {
        id = message.id;
        yield message;
      }
      if (messages.length === 0) yield null;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** null for a comment. */
function parseBlock(block: string, lastId: string): ServerSentEvent | null {
  let id = lastId;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === 0 || line === '') continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
