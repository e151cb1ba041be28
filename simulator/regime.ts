// Changes in an account's habits at a known time: rate, burstiness and sleep.

export interface RegimeChange {
  accountId: string;
  /** Takes effect at the next full hour. */
  atTs: number;
  rateFactor: number;
  dispersionFactor: number;
  sleepShiftHours: number;
}

export interface Regime {
  rateFactor: number;
  dispersionFactor: number;
  sleepShiftHours: number;
}

const NO_CHANGE: Regime = { rateFactor: 1, dispersionFactor: 1, sleepShiftHours: 0 };

/** The account's latest change applies; factors are relative to its normal habits, not to earlier changes. */
export function regimeAt(changes: readonly RegimeChange[], accountId: string, ts: number): Regime {
  let current: RegimeChange | null = null;
  for (const change of changes) {
    if (change.accountId !== accountId || change.atTs > ts) continue;
    if (!current || change.atTs >= current.atTs) current = change;
  }
  return current ?? NO_CHANGE;
}
