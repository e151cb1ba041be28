// An endless response.

import type { ServerResponse } from 'node:http';

export interface StreamSink {
  /** False if the reader is behind; the next frame then waits for `onDrain`. */
  write(frame: Buffer): boolean;
  readonly isOpen: boolean;
  /** Content sent so far. */
  readonly bytes: number;
  onDrain(action: () => void): void;
  /** Called once, when the caller disconnects or the response has ended. */
  onClose(action: () => void): void;
  end(): void;
  destroy(): void;
}

export function createStreamSink(res: ServerResponse): StreamSink {
  let bytes = 0;
  return {
    write(frame) {
      bytes += frame.length;
      return res.write(frame);
    },
    get isOpen() {
      return !res.destroyed;
    },
    get bytes() {
      return bytes;
    },
    onDrain: (action) => void res.on('drain', action),
    onClose: (action) => void res.once('close', action),
    end: () => void res.end(),
    destroy: () => void res.destroy(),
  };
}
