// One account's post times: sorted times and hourly bins, for all posts and for counted posts.

import { HOUR_MS } from '../../domain/units.ts';
import type { PostHistory } from '../types.ts';

/** Sorted times that accept late arrivals anywhere; appending takes amortised O(1). */
export class SortedTimes {
  #times: Float64Array;
  #length: number;

  constructor(initial: Float64Array) {
    this.#times = new Float64Array(Math.max(1024, Math.ceil(initial.length * 1.25)));
    this.#times.set(initial);
    this.#length = initial.length;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#times[index]!;
  }

  insert(ts: number): void {
    if (this.#length === this.#times.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#times);
      this.#times = larger;
    }
    const index = this.#length > 0 && this.#times[this.#length - 1]! > ts ? this.countUpTo(ts) : this.#length;
    this.#times.copyWithin(index + 1, index, this.#length);
    this.#times[index] = ts;
    this.#length += 1;
  }

  /** Number of times < ts. */
  countBefore(ts: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times[middle]! < ts) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Number of times <= ts. */
  countUpTo(ts: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times[middle]! <= ts) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Number of times in (afterTs, upToTs]. */
  countSince(afterTs: number, upToTs: number): number {
    return this.countUpTo(upToTs) - this.countUpTo(afterTs);
  }
}

export interface Timeline {
  readonly counted: SortedTimes;
  readonly all: SortedTimes;
  /** Start of the account's history; 0 while it is empty. */
  readonly firstTs: number;
  /** Absolute index of the hour that contains firstTs. */
  readonly firstHour: number;
}

export function createTimeline(history: PostHistory): Timeline {
  const countedTs = history.createdTs.filter((_, i) => history.isCounted[i] === 1);
  const counted = new SortedTimes(countedTs);
  const all = new SortedTimes(history.createdTs);
  return {
    counted,
    all,
    get firstTs() {
      return all.length > 0 ? all.at(0) : 0;
    },
    get firstHour() {
      return Math.floor(this.firstTs / HOUR_MS);
    },
  };
}
