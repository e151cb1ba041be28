// Usage rows waiting to be written: columns made once, overwritten in place. Full means dropped and counted.

import type { UsageColumns } from '../../store/ports.ts';
import { USAGE_WIDTH } from '../../store/ports-callers.ts';

export class UsageRing {
  readonly capacity: number;
  dropped = 0;
  /** Rows ever taken in; with `size` it says which of them are written. */
  accepted = 0;
  size = 0;
  #head = 0;
  readonly #ts: Float64Array;
  readonly #status: Uint16Array;
  readonly #responseMs: Float64Array;
  readonly #bytes: Float64Array;
  readonly #keyIds: string[];
  readonly #endpoints: string[];
  readonly #methods: string[];
  readonly #messages: (string | null)[];

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#ts = new Float64Array(capacity);
    this.#status = new Uint16Array(capacity);
    this.#responseMs = new Float64Array(capacity);
    this.#bytes = new Float64Array(capacity);
    this.#keyIds = new Array<string>(capacity).fill('');
    this.#endpoints = new Array<string>(capacity).fill('');
    this.#methods = new Array<string>(capacity).fill('');
    this.#messages = new Array<string | null>(capacity).fill(null);
  }

  push(
    ts: number,
    keyId: string,
    endpoint: string,
    method: string,
    status: number,
    responseMs: number,
    bytes: number,
    message: string | null,
  ): void {
    if (this.size === this.capacity) {
      this.dropped += 1;
      return;
    }
    let i = this.#head + this.size;
    if (i >= this.capacity) i -= this.capacity;
    this.#ts[i] = ts;
    this.#keyIds[i] = keyId;
    this.#endpoints[i] = endpoint;
    this.#methods[i] = method;
    this.#status[i] = status;
    this.#responseMs[i] = responseMs;
    this.#bytes[i] = bytes;
    this.#messages[i] = message;
    this.size += 1;
    this.accepted += 1;
  }

  /** The oldest rows, still in the ring until discarded. */
  peek(limit: number): UsageColumns {
    const length = Math.min(limit, this.size);
    const numbers = new Float64Array(length * USAGE_WIDTH);
    const places = new Map<string, number>();
    const placeOf = (text: string) => {
      let place = places.get(text);
      if (place === undefined) {
        place = places.size;
        places.set(text, place);
      }
      return place;
    };
    for (let offset = 0, at = 0; offset < length; offset++) {
      const i = (this.#head + offset) % this.capacity;
      const message = this.#messages[i]!;
      numbers[at++] = this.#ts[i]!;
      numbers[at++] = placeOf(this.#keyIds[i]!);
      numbers[at++] = placeOf(this.#endpoints[i]!);
      numbers[at++] = placeOf(this.#methods[i]!);
      numbers[at++] = this.#status[i]!;
      numbers[at++] = this.#responseMs[i]!;
      numbers[at++] = this.#bytes[i]!;
      numbers[at++] = message === null ? -1 : placeOf(message);
    }
    return { length, texts: [...places.keys()], numbers };
  }

  discard(count: number): void {
    this.#head = (this.#head + count) % this.capacity;
    this.size -= count;
  }
}
