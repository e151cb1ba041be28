// Encodes messages. A frame is built once and written to any number of readers.

import type { StreamMessage } from './stream-log.ts';

export interface StreamFrame {
  /** The messages without chunk framing. */
  byteLength: number;
  /** The messages with HTTP/1.1 chunk framing. */
  chunk: Buffer;
}

const LINE_END = '\r\n';

export function frameMessages(messages: readonly StreamMessage[]): StreamFrame {
  return frameBytes(messages.map(({ bytes }) => bytes));
}

/** One buffer, because each reader's write would iterate over a list of chunks. */
export function frameBytes(parts: readonly Buffer[]): StreamFrame {
  const byteLength = parts.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.from(byteLength.toString(16) + LINE_END, 'latin1');
  return { byteLength, chunk: Buffer.concat([head, ...parts, Buffer.from(LINE_END, 'latin1')]) };
}

/** The messages without chunk framing. */
export function bodyOf({ chunk, byteLength }: StreamFrame): Buffer {
  const end = chunk.length - LINE_END.length;
  return chunk.subarray(end - byteLength, end);
}
