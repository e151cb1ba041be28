// Messages as they go onto the wire. A frame is made once, however many readers it is written to.

import type { StreamMessage } from './stream-log.ts';

export interface StreamFrame {
  /** Of the messages alone. */
  byteLength: number;
  /** With the length before them and the line behind, as HTTP/1.1 has pieces of a body. */
  chunk: Buffer;
}

const LINE_END = '\r\n';

export function frameMessages(messages: readonly StreamMessage[]): StreamFrame {
  return frameBytes(messages.map(({ bytes }) => bytes));
}

/** One buffer: a list of pieces would be walked for each reader. */
export function frameBytes(parts: readonly Buffer[]): StreamFrame {
  const byteLength = parts.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.from(byteLength.toString(16) + LINE_END, 'latin1');
  return { byteLength, chunk: Buffer.concat([head, ...parts, Buffer.from(LINE_END, 'latin1')]) };
}

/** The messages without what HTTP puts around them. */
export function bodyOf({ chunk, byteLength }: StreamFrame): Buffer {
  const end = chunk.length - LINE_END.length;
  return chunk.subarray(end - byteLength, end);
}
