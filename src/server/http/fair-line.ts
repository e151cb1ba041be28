// Fair queue: every caller's first request comes before any caller's second; requests within a round are in
// order of arrival. A caller with hundreds of requests delays only itself.

export class FairLine<T extends { readonly caller: string }> {
  #rounds = new Map<number, T[]>();
  /** The current round, and the position in it. */
  #round = 0;
  #served = 0;
  #nextRoundOf = new Map<string, number>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    const round = Math.max(this.#round, this.#nextRoundOf.get(item.caller) ?? 0);
    const others = this.#rounds.get(round);
    if (others) others.push(item);
    else this.#rounds.set(round, [item]);
    this.#nextRoundOf.set(item.caller, round + 1);
    this.#length += 1;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    let items = this.#rounds.get(this.#round);
    while (items === undefined || this.#served === items.length) {
      this.#rounds.delete(this.#round++);
      this.#served = 0;
      items = this.#rounds.get(this.#round);
    }
    this.#length -= 1;
    const item = items[this.#served++];
    // The queue is empty, so start over at the first round for all callers.
    if (this.#length === 0) this.#forget();
    return item;
  }

  /**
   * Removes and returns the requests that `mayStay` rejects, in queue order; `ahead` is the number of
   * requests left before each. The first `sure` requests always stay: a full queue is checked constantly,
   * and only its end changes.
   */
  dismiss(sure: number, mayStay: (item: T, ahead: number) => boolean): T[] {
    const dismissed: T[] = [];
    let ahead = 0;
    const stays = (item: T) => ahead < sure || mayStay(item, ahead);
    for (let round = this.#round; ahead + dismissed.length < this.#length; round++) {
      const items = this.#rounds.get(round) ?? [];
      const first = round === this.#round ? this.#served : 0;
      if (ahead + items.length - first <= sure) {
        ahead += items.length - first;
        continue;
      }
      const kept = items.slice(0, first);
      for (const item of items.slice(first)) {
        const isKept = stays(item);
        (isKept ? kept : dismissed).push(item);
        if (isKept) ahead += 1;
        this.#noteStay(item.caller, round, isKept);
      }
      this.#rounds.set(round, kept);
    }
    this.#length = ahead;
    if (ahead === 0) this.#forget();
    return dismissed;
  }

  /** The caller's next request goes into the round after its last remaining one. */
  #noteStay(caller: string, round: number, isKept: boolean): void {
    const next = this.#nextRoundOf.get(caller) ?? 0;
    if (isKept && next <= round) this.#nextRoundOf.set(caller, round + 1);
    if (!isKept && next > round) this.#nextRoundOf.set(caller, round);
  }

  #forget(): void {
    this.#rounds.clear();
    this.#nextRoundOf.clear();
    this.#round = 0;
    this.#served = 0;
  }
}

/** Runs one task at a time, round-robin over callers: a caller with 32 tasks delays other callers by only one. */
export interface FairTurns {
  /** Runs the task when it is the caller's turn. */
  enter<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

export function createFairTurns(): FairTurns {
  const waiting = new FairLine<{ caller: string; begin: () => void }>();
  let isBusy = false;

  function beginNext(): void {
    if (isBusy) return;
    const next = waiting.shift();
    if (next === undefined) return;
    isBusy = true;
    next.begin();
  }

  return {
    async enter(caller, work) {
      const turn = Promise.withResolvers<void>();
      waiting.push({ caller, begin: turn.resolve });
      beginNext();
      await turn.promise;
      try {
        return await work();
      } finally {
        isBusy = false;
        beginNext();
      }
    },
  };
}
