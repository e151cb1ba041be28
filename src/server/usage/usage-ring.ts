// Buffers usage rows in preallocated columns until they are written. When full, it drops and counts new rows.
// A key's identical requests in one second share a row, because writing a row costs more than responding;
// errors get separate rows, except for callers over their limit.

import { SECOND_MS } from '../../domain/units.ts';
import type { UsageColumns } from '../../store/ports.ts';
import { USAGE_WIDTH } from '../../store/queries/usage.ts';

const FIRST_ERROR_STATUS = 400;
/** The only status that callers can cause without limit; a row for each would let any key fill the disk. */
const BEYOND_LIMIT = 429;
const NONE = -1;

export class UsageRing {
  readonly capacity: number;
  /** Rows dropped because the ring was full. */
  dropped = 0;
  /** Total rows accepted; subtract `size` to get the rows written. */
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
  readonly #requests: Uint32Array;
  /** The previous open row of the same key; -1 if there is none. */
  readonly #before: Int32Array;
  /** Each key's latest open row. */
  readonly #latest = new Map<string, number>();

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
    this.#requests = new Uint32Array(capacity);
    this.#before = new Int32Array(capacity);
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
    const isListed = status >= FIRST_ERROR_STATUS && status !== BEYOND_LIMIT;
    const alike = isListed ? NONE : this.#findAlike(ts, keyId, endpoint, method, status);
    if (alike !== NONE) {
      this.#responseMs[alike]! += responseMs;
      this.#bytes[alike]! += bytes;
      this.#requests[alike]! += 1;
      return;
    }
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
    this.#requests[i] = 1;
    this.size += 1;
    this.accepted += 1;
    if (isListed) return;
    this.#before[i] = this.#latest.get(keyId) ?? NONE;
    this.#latest.set(keyId, i);
  }

  #findAlike(ts: number, keyId: string, endpoint: string, method: string, status: number): number {
    const second = Math.floor(ts / SECOND_MS);
    let i = this.#latest.get(keyId) ?? NONE;
    while (i !== NONE && Math.floor(this.#ts[i]! / SECOND_MS) === second) {
      if (this.#endpoints[i] === endpoint && this.#methods[i] === method && this.#status[i] === status)
        return i;
      i = this.#before[i]!;
    }
    return NONE;
  }

  /** The oldest rows. They stay in the ring until discarded, but no longer change. */
  peek(limit: number): UsageColumns {
    this.#latest.clear();
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
      numbers[at++] = this.#requests[i]!;
    }
    return { length, texts: [...places.keys()], numbers };
  }

  discard(count: number): void {
    this.#head = (this.#head + count) % this.capacity;
    this.size -= count;
  }
}
