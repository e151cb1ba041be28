// One reader of a stream. A slow reader gets the latest message per key and every post, up to a limit; a
// reader that stops reading is dropped before it affects others.

import type { ServerResponse } from 'node:http';
import { bodyOf, frameBytes, frameMessages, type StreamFrame, type StreamMessage } from './stream-log.ts';

export interface StreamReader {
  /** Sends everything the reader missed as one chunk. */
  begin(messages: readonly StreamMessage[]): void;
  /** The frame contains all messages; slow readers get them one by one. */
  send(frame: StreamFrame, messages: readonly StreamMessage[]): void;
  /** Sends a comment so that proxies do not close a quiet stream; false if the reader had to be dropped. */
  beat(nowTs: number): boolean;
  end(): void;
}

const HEARTBEAT = frameBytes([Buffer.from(': keep-alive\n\n')]);
/** Maximum pending messages for a slow reader; beyond this it is dropped and can resume from its last id. */
const MAX_WAITING = 500;
/** A reader without progress for this long is disconnected. */
const STALLED_AFTER_MS = 30_000;

export function createStreamReader(
  sink: StreamSink,
  onBytes: (bytes: number) => void,
  nowTs: number,
): StreamReader {
  let isBlocked = false;
  let progressTs = nowTs;
  let hasMoved = false;
  const waiting = new Map<string, StreamMessage>();
  let unkeyed = 0;

  function write(frame: StreamFrame): void {
    onBytes(frame.byteLength);
    isBlocked = !sink.write(frame);
  }

  function flush(): void {
    isBlocked = false;
    hasMoved = true;
    for (const [key, message] of waiting) {
      if (isBlocked || !sink.isOpen) return;
      waiting.delete(key);
      write(frameMessages([message]));
    }
  }

  /** Re-inserts at the end, so that ids stay in order. */
  function wait(message: StreamMessage): void {
    const key = message.replaceKey ?? `#${unkeyed++}`;
    waiting.delete(key);
    waiting.set(key, message);
    if (waiting.size > MAX_WAITING) sink.destroy();
  }

  sink.onDrain(flush);

  return {
    begin(messages) {
      if (messages.length > 0) write(frameMessages(messages));
    },
    send(frame, messages) {
      if (!sink.isOpen) return;
      if (isBlocked) messages.forEach(wait);
      else write(frame);
    },
    beat(atTs) {
      if (!sink.isOpen) return false;
      if (hasMoved || !isBlocked) progressTs = atTs;
      hasMoved = false;
      if (!isBlocked) {
        write(HEARTBEAT);
        return true;
      }
      if (atTs - progressTs < STALLED_AFTER_MS) return true;
      sink.destroy();
      return false;
    },
    end() {
      // A stalled reader would never read the end, and its pending messages would stay in memory.
      if (isBlocked) sink.destroy();
      else sink.end();
    },
  };
}

// Writes frames directly to the socket after the head. Node's response object makes three writes per chunk,
// which doubles the work per reader.

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
