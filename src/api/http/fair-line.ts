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

  /** Those who are not to stay leave, `ahead` being how many stay ahead of each; in the order of the line. */
  dismiss(mayStay: (item: T, ahead: number) => boolean): T[] {
    const dismissed: T[] = [];
    const kept: T[] = [];
    for (let item = this.shift(); item; item = this.shift())
      (mayStay(item, kept.length) ? kept : dismissed).push(item);
    for (const item of kept) this.push(item);
    return dismissed;
  }

  #forget(): void {
    this.#rounds.clear();
    this.#nextRoundOf.clear();
    this.#round = 0;
    this.#served = 0;
  }
}
