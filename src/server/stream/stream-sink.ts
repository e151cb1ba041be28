// Writes frames directly to the socket after the head. Node's response object makes three writes per chunk,
// which doubles the work per reader.

import type { ServerResponse } from 'node:http';
import { bodyOf, type StreamFrame } from './stream-frame.ts';

export interface StreamSink {
  /** False if the reader is behind; the next frame then waits for `onDrain`. */
  write(frame: StreamFrame): boolean;
  readonly isOpen: boolean;
  onDrain(action: () => void): void;
  end(): void;
  destroy(): void;
}

/** The head must have been sent. */
export function openSink(res: ServerResponse): StreamSink {
  const { socket } = res;
  // Node writes pipelined responses, which have no socket yet, and HTTP/1.0 responses, which have no chunks.
  const isDirect = socket !== null && res.chunkedEncoding;
  return {
    write: isDirect ? ({ chunk }) => socket.write(chunk) : (frame) => res.write(bodyOf(frame)),
    get isOpen() {
      return isDirect ? socket.writable : !res.destroyed;
    },
    onDrain(action) {
      const emitter = isDirect ? socket : res;
      emitter.on('drain', action);
      res.once('close', () => emitter.off('drain', action));
    },
    end: () => void res.end(),
    destroy: () => void res.destroy(),
  };
}
