// One reader of a stream. A reader who cannot keep up gets the latest of everything that has a latest, and
// every post up to a bound; one who stops reading is dropped before it costs the others anything.

import type { ServerResponse } from 'node:http';
import type { StreamMessage } from './stream-log.ts';

export interface StreamReader {
  /** All at once: what a reader catches up on counts as one piece, however much it is. */
  begin(messages: readonly StreamMessage[]): void;
  send(message: StreamMessage): void;
  /** A comment that keeps proxies from closing a quiet stream; false when the reader had to be dropped. */
  beat(nowTs: number): boolean;
  end(): void;
}

const HEARTBEAT = Buffer.from(': keep-alive\n\n');
/** Messages that a slow reader may have waiting; beyond it, it is dropped and may resume by its last id. */
const MAX_WAITING = 500;
/** Without any progress for this long the reader is gone, whatever its socket says. */
const STALLED_AFTER_MS = 30_000;

export function createStreamReader(
  res: ServerResponse,
  onBytes: (bytes: number) => void,
  nowTs: number,
): StreamReader {
  let isBlocked = false;
  let progressTs = nowTs;
  let hasMoved = false;
  const waiting = new Map<string, StreamMessage>();
  let unkeyed = 0;

  function write(bytes: Buffer): void {
    onBytes(bytes.length);
    isBlocked = !res.write(bytes);
  }

  function flush(): void {
    isBlocked = false;
    hasMoved = true;
    for (const [key, message] of waiting) {
      if (isBlocked) return;
      waiting.delete(key);
      write(message.bytes);
    }
  }

  /** Re-inserted at the end: the order of ids must not run backwards. */
  function wait(message: StreamMessage): void {
    const key = message.replaceKey ?? `#${unkeyed++}`;
    waiting.delete(key);
    waiting.set(key, message);
    if (waiting.size > MAX_WAITING) res.destroy();
  }

  res.on('drain', flush);

  return {
    begin(messages) {
      if (messages.length > 0) write(Buffer.concat(messages.map(({ bytes }) => bytes)));
    },
    send(message) {
      if (res.destroyed) return;
      if (isBlocked) wait(message);
      else write(message.bytes);
    },
    beat(atTs) {
      if (hasMoved || !isBlocked) progressTs = atTs;
      hasMoved = false;
      if (!isBlocked) {
        write(HEARTBEAT);
        return true;
      }
      if (atTs - progressTs < STALLED_AFTER_MS) return true;
      res.destroy();
      return false;
    },
    end() {
      // One who does not read would never see the end, and hold on to what waits for it.
      if (isBlocked) res.destroy();
      else res.end();
    },
  };
}
