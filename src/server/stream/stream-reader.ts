// One reader of a stream. A slow reader gets the latest message per key and every post, up to a limit; a
// reader that stops reading is dropped before it affects others.

import { frameBytes, frameMessages, type StreamFrame } from './stream-frame.ts';
import type { StreamMessage } from './stream-log.ts';
import type { StreamSink } from './stream-sink.ts';

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
