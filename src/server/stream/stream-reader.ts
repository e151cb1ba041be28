// One reader of a stream. A slow reader gets the latest message per key and every post, up to a limit; a
// reader that stops reading is dropped before it affects others.

import type { StreamSink } from '../http/stream-sink.ts';
import type { StreamMessage } from './stream-log.ts';

const HEARTBEAT = Buffer.from(': keep-alive\n\n');
/**
 * A reader that got nothing for this long gets a comment. Pages call the service silent after 4.5 s, which must
 * leave room for a slow network.
 */
const QUIET_MS = 2_000;
/** Maximum pending messages for a slow reader; beyond this it is dropped and can resume from its last id. */
const MAX_WAITING = 500;
/** A reader without progress for this long is disconnected. */
const STALLED_AFTER_MS = 30_000;

export class StreamReader {
  readonly #sink: StreamSink;
  #isBlocked = false;
  #hasMoved = false;
  #progressTs: number;
  #wroteTs: number;
  #waiting: Map<string, StreamMessage> | null = null;
  #unkeyed = 0;

  constructor(sink: StreamSink, nowTs: number) {
    this.#sink = sink;
    this.#progressTs = nowTs;
    this.#wroteTs = nowTs;
    sink.onDrain(() => this.#flush());
  }

  /** Sends the snapshot, or everything the reader missed, as one chunk. */
  begin(frame: Buffer): void {
    this.#write(frame);
  }

  /** The frame contains all messages; slow readers get them one by one. */
  send(frame: Buffer, messages: readonly StreamMessage[], nowTs: number): void {
    if (!this.#sink.isOpen) return;
    this.#wroteTs = nowTs;
    if (!this.#isBlocked) this.#write(frame);
    else for (const message of messages) this.#wait(message);
  }

  /** Sends a comment to a quiet reader; false if the reader had to be dropped. */
  beat(nowTs: number): boolean {
    if (!this.#sink.isOpen) return false;
    if (this.#hasMoved || !this.#isBlocked) this.#progressTs = nowTs;
    this.#hasMoved = false;
    if (!this.#isBlocked) {
      if (nowTs - this.#wroteTs < QUIET_MS) return true;
      this.#wroteTs = nowTs;
      this.#write(HEARTBEAT);
      return true;
    }
    if (nowTs - this.#progressTs < STALLED_AFTER_MS) return true;
    this.#sink.destroy();
    return false;
  }

  end(): void {
    // A stalled reader would never read the end, and its pending messages would stay in memory.
    if (this.#isBlocked) this.#sink.destroy();
    else this.#sink.end();
  }

  #write(frame: Buffer): void {
    this.#isBlocked = !this.#sink.write(frame);
  }

  #flush(): void {
    this.#isBlocked = false;
    this.#hasMoved = true;
    for (const [key, message] of this.#waiting ?? []) {
      if (this.#isBlocked || !this.#sink.isOpen) return;
      this.#waiting!.delete(key);
      this.#write(message.bytes);
    }
    this.#waiting = null;
  }

  /** Re-inserts at the end, so that ids stay in order. */
  #wait(message: StreamMessage): void {
    this.#waiting ??= new Map();
    const key = message.replaceKey ?? `#${this.#unkeyed++}`;
    this.#waiting.delete(key);
    this.#waiting.set(key, message);
    if (this.#waiting.size > MAX_WAITING) this.#sink.destroy();
  }
}
