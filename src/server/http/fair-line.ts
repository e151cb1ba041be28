// Who waits, in the order of being served: everybody's first request before anybody's second, and those of one round by
// arrival. Whoever sends hundreds at once waits for their own, and nobody else does.

export class FairLine<T extends { readonly caller: string }> {
  #rounds = new Map<number, T[]>();
  /** The round that is being served, and how far. */
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
    // Nobody waits, so nobody has had more of it than others.
    if (this.#length === 0) this.#forget();
    return item;
  }

  /**
   * Those who are not to stay leave, `ahead` being how many stay ahead of each; in the order of the line. The first `sure`
   * stay without a question: a full line is looked at all the time, and only its end is news.
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

  /** The next of a caller comes right behind the last that stays. */
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
