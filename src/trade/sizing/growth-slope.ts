// Expected log wealth of several bets over their joint outcomes, with its gradient and Hessian in shares.
// Each outcome has one winning bucket per event, so the Hessian costs outcomes × pairs of events, not × pairs
// of bets. Sizing a ladder takes about twenty evaluations, and twice as many of wealth alone, so both write
// into preallocated buffers.

/** Wealth is scaled to about 1. */
export interface GrowthProgramme {
  /** Probability of each outcome; all positive. */
  probabilities: Float64Array;
  /** Wealth in each outcome before any bet; all positive. */
  base: Float64Array;
  /** slots[event][outcome]: index of the winning bucket among those bet on; -1 if it is not one of them. */
  slots: readonly Int32Array[];
  slotCount: number;
  bets: readonly Bet[];
  budget: number;
}

export interface Bet {
  slot: number;
  /** 1: gains (1 - price) if its slot wins, and loses the price otherwise; -1: the reverse. */
  direction: 1 | -1;
  price: number;
  outlay: number;
}

export interface GrowthSlope {
  readonly gradient: Float64Array;
  /** Curvature of the negative objective, lower triangle by rows; positive definite with barriers added. */
  readonly curvature: Float64Array;
  /** Fills `gradient` and `curvature` for these shares. */
  measure(shares: Float64Array): void;
  isRuin(shares: Float64Array): boolean;
}

export function createGrowthSlope(programme: GrowthProgramme): GrowthSlope {
  const { probabilities, slots, slotCount, bets } = programme;
  const n = bets.length;
  const first = new Float64Array(slotCount);
  const second = new Float64Array(slotCount);
  const joint = new Float64Array(slotCount * slotCount);
  const gradient = new Float64Array(n);
  const curvature = new Float64Array(n * n);
  const slotOf = Int32Array.from(bets, ({ slot }) => slot);
  const directions = Float64Array.from(bets, ({ direction }) => direction);
  const prices = Float64Array.from(bets, ({ price }) => price);
  const room = createWealthRoom(programme);
  /** First and second derivatives summed over all outcomes; an array, as closure variables reallocate. */
  const all = new Float64Array(2);

  function sumOverOutcomes(wealth: Float64Array): void {
    let firstAll = 0;
    let secondAll = 0;
    first.fill(0);
    second.fill(0);
    joint.fill(0);
    for (let c = 0; c < wealth.length; c++) {
      const marginal = probabilities[c]! / wealth[c]!;
      const bend = marginal / wealth[c]!;
      firstAll += marginal;
      secondAll += bend;
      for (let e = 0; e < slots.length; e++) {
        const slot = slots[e]![c]!;
        if (slot < 0) continue;
        first[slot]! += marginal;
        second[slot]! += bend;
        // Adds each pair of events once: the rest of the table mirrors it, and its diagonal is `second`.
        const row = slot * slotCount;
        for (let other = 0; other < e; other++) {
          const beside = slots[other]![c]!;
          if (beside >= 0) joint[row + beside]! += bend;
        }
      }
    }
    all[0] = firstAll;
    all[1] = secondAll;
  }

  /** Second derivative over the outcomes in which both buckets win. */
  function bendOf(slot: number, beside: number): number {
    if (slot === beside) return second[slot]!;
    return joint[slot * slotCount + beside]! + joint[beside * slotCount + slot]!;
  }

  function measure(shares: Float64Array): void {
    sumOverOutcomes(writeWealth(programme, shares, room));
    const firstAll = all[0]!;
    const secondAll = all[1]!;
    for (let k = 0; k < n; k++) {
      const slot = slotOf[k]!;
      const direction = directions[k]!;
      const price = prices[k]!;
      gradient[k] = direction * (first[slot]! - price * firstAll);
      for (let l = 0; l <= k; l++) {
        const beside = slotOf[l]!;
        const bend =
          bendOf(slot, beside) -
          prices[l]! * second[slot]! -
          price * second[beside]! +
          price * prices[l]! * secondAll;
        curvature[k * n + l] = direction * directions[l]! * bend;
      }
    }
  }

  function isRuin(shares: Float64Array): boolean {
    const wealth = writeWealth(programme, shares, room);
    for (let c = 0; c < wealth.length; c++) if (wealth[c]! <= 0) return true;
    return false;
  }

  return { gradient, curvature, measure, isRuin };
}

interface WealthRoom {
  wealth: Float64Array;
  exposure: Float64Array;
}

function createWealthRoom({ base, slotCount }: GrowthProgramme): WealthRoom {
  return { wealth: new Float64Array(base.length), exposure: new Float64Array(slotCount) };
}

/** Wealth in each outcome; zero or negative where the shares would mean ruin. */
export function wealthOf(programme: GrowthProgramme, shares: Float64Array): Float64Array {
  return writeWealth(programme, shares, createWealthRoom(programme));
}

function writeWealth(
  { base, slots, bets }: GrowthProgramme,
  shares: Float64Array,
  { wealth, exposure }: WealthRoom,
): Float64Array {
  exposure.fill(0);
  let paid = 0;
  for (let k = 0; k < bets.length; k++) {
    const { slot, direction, price } = bets[k]!;
    exposure[slot]! += direction * shares[k]!;
    paid += direction * shares[k]! * price;
  }
  for (let c = 0; c < wealth.length; c++) wealth[c] = base[c]! - paid;
  for (const winners of slots) {
    for (let c = 0; c < wealth.length; c++) {
      const slot = winners[c]!;
      if (slot >= 0) wealth[c]! += exposure[slot]!;
    }
  }
  return wealth;
}
