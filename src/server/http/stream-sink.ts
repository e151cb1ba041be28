// An endless response in chunks. A frame is built once and written to any number of them.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface StreamFrame {
  /** The content without chunk framing. */
  byteLength: number;
  /** The content with HTTP/1.1 chunk framing. */
  chunk: Buffer;
}

const LINE_END = '\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** One buffer, because each write would iterate over a list of chunks. */
export function frameBytes(parts: readonly Buffer[]): StreamFrame {
  const byteLength = parts.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.from(byteLength.toString(16) + LINE_END, 'latin1');
  return { byteLength, chunk: Buffer.concat([head, ...parts, Buffer.from(LINE_END, 'latin1')]) };
}

/** The content without chunk framing. */
export function bodyOf({ chunk, byteLength }: StreamFrame): Buffer {
  const end = chunk.length - LINE_END.length;
  return chunk.subarray(end - byteLength, end);
}

export interface StreamSink {
  /** False if the reader is behind; the next frame then waits for `onDrain`. */
  write(frame: StreamFrame): boolean;
  readonly isOpen: boolean;
  /** Content sent so far. */
  readonly bytes: number;
  onDrain(action: () => void): void;
  /** Called once, when the caller disconnects or the response has ended. */
  onClose(action: () => void): void;
  end(): void;
  destroy(): void;
}

/** On a connection of our own, without Node's request objects, which take most of a reader's memory. */
export class PlainSink implements StreamSink {
  bytes = 0;
  readonly #socket: Socket;
  readonly #exchange: { onClose(action: () => void): void; finish(): void };

  constructor(socket: Socket, exchange: { onClose(action: () => void): void; finish(): void }) {
    this.#socket = socket;
    this.#exchange = exchange;
  }

  write({ chunk, byteLength }: StreamFrame): boolean {
    this.bytes += byteLength;
    return this.#socket.write(chunk);
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  onDrain(action: () => void): void {
    this.#socket.on('drain', action);
    this.#exchange.onClose(() => void this.#socket.off('drain', action));
  }

  onClose(action: () => void): void {
    this.#exchange.onClose(action);
  }

  end(): void {
    this.#socket.write(LAST_CHUNK);
    this.#exchange.finish();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** On Node's response, for requests that Node has parsed. */
export class PlatformSink implements StreamSink {
  bytes = 0;
  readonly #res: ServerResponse;
  /**
   * Node's response object makes three writes per chunk, so we write to its socket; but not to that of a
   * pipelined response, which has none yet, nor of an HTTP/1.0 response, which has no chunks.
   */
  readonly #socket: Socket | null;

  constructor(res: ServerResponse) {
    this.#res = res;
    this.#socket = res.chunkedEncoding ? res.socket : null;
  }

  write(frame: StreamFrame): boolean {
    this.bytes += frame.byteLength;
    return this.#socket === null ? this.#res.write(bodyOf(frame)) : this.#socket.write(frame.chunk);
  }

  get isOpen(): boolean {
    return this.#socket === null ? !this.#res.destroyed : this.#socket.writable;
  }

  onDrain(action: () => void): void {
    const emitter = this.#socket ?? this.#res;
    emitter.on('drain', action);
    this.#res.once('close', () => emitter.off('drain', action));
  }

  onClose(action: () => void): void {
    this.#res.once('close', action);
  }

  end(): void {
    this.#res.end();
  }

  destroy(): void {
    this.#res.destroy();
  }
}
