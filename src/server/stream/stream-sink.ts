// Where a reader's frames go. The platform's response wraps every piece anew, in three writes and a turn of their own; once
// its head is out a frame that is wrapped already goes straight into the socket, which is half of the work for each reader.

import type { ServerResponse } from 'node:http';
import { bodyOf, type StreamFrame } from './stream-frame.ts';

export interface StreamSink {
  /** False when the reader is behind: the next frame waits for `onDrain`. */
  write(frame: StreamFrame): boolean;
  readonly isOpen: boolean;
  onDrain(action: () => void): void;
  end(): void;
  destroy(): void;
}

/** The head must have been sent. */
export function openSink(res: ServerResponse): StreamSink {
  const { socket } = res;
  // Behind another answer there is no socket yet, and before HTTP/1.1 there are no pieces: both are the platform's to write.
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
