// Counts requests over a rolling window in bounded memory. Requests in the same slot share an entry, and an
// entry counts until all of its slot has left the window, so the limit is never exceeded. A slot of 0 ms
// keeps every time exactly; a longer one frees requests at most one slot late.

/** When requests leave the window, and how many. */
export type WindowEntry = [expiresTs: number, requests: number];

const FIRST_CAPACITY = 8;

export class RollingWindow {
  readonly #windowMs: number;
  readonly #slotMs: number;
  /** A ring of entries, oldest first: when each leaves the window, and its number of requests. */
  #expiresTs = new Float64Array(FIRST_CAPACITY);
  #counts = new Uint32Array(FIRST_CAPACITY);
  #head = 0;
  #length = 0;
  #used = 0;

  constructor(windowMs: number, slotMs: number) {
    this.#windowMs = windowMs;
    this.#slotMs = slotMs;
  }

  /** Requests in the window that ends now. */
  countAt(nowTs: number): number {
    while (this.#length > 0 && this.#expiresTs[this.#head]! <= nowTs) {
      this.#used -= this.#counts[this.#head]!;
      this.#head = (this.#head + 1) % this.#counts.length;
      this.#length -= 1;
    }
    return this.#used;
  }

  /** When the oldest counted request leaves the window; a window from now if there is none. */
  nextFreeTs(nowTs: number): number {
    return this.#length > 0 ? this.#expiresTs[this.#head]! : this.#expiryOf(nowTs);
  }

  /** Oldest first. */
  listAt(nowTs: number): WindowEntry[] {
    this.countAt(nowTs);
    return Array.from({ length: this.#length }, (_, i) => {
      const at = (this.#head + i) % this.#counts.length;
      return [this.#expiresTs[at]!, this.#counts[at]!];
    });
  }

  add(ts: number): void {
    this.put(this.#expiryOf(ts), 1);
  }

  /** Expires no earlier than what is already there. */
  put(expiresTs: number, requests: number): void {
    const last = (this.#head + this.#length - 1) % this.#counts.length;
    const lastTs = this.#length > 0 ? this.#expiresTs[last]! : Number.NEGATIVE_INFINITY;
    this.#used += requests;
    if (expiresTs <= lastTs) this.#counts[last]! += requests;
    else this.#append(expiresTs, requests);
  }

  #expiryOf(ts: number): number {
    const slotMs = this.#slotMs;
    return (slotMs === 0 ? ts : (Math.floor(ts / slotMs) + 1) * slotMs) + this.#windowMs;
  }

  #append(expiresTs: number, requests: number): void {
    if (this.#length === this.#counts.length) this.#grow();
    const next = (this.#head + this.#length) % this.#counts.length;
    this.#expiresTs[next] = expiresTs;
    this.#counts[next] = requests;
    this.#length += 1;
  }

  #grow(): void {
    const expiresTs = new Float64Array(this.#length * 2);
    const counts = new Uint32Array(this.#length * 2);
    for (let i = 0; i < this.#length; i++) {
      const from = (this.#head + i) % this.#length;
      expiresTs[i] = this.#expiresTs[from]!;
      counts[i] = this.#counts[from]!;
    }
    this.#expiresTs = expiresTs;
    this.#counts = counts;
    this.#head = 0;
  }
}
