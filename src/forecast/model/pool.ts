// The pool: a linear mixture of the members' distributions. From a day on the core, the bank and the session speak; in the coming
// hours the session and the plain rate, with a little of the core; between, a straight line in the lead.

import { mixDistributions } from '../distribution/distribution.ts';
import type { CountDistribution } from '../types.ts';

export const MEMBERS = ['core', 'states', 'rates', 'session', 'steady'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type MemberDistributions = Record<MemberName, CountDistribution>;

/** Whole days have their full say from the second of these leads on, and the plain rate none. */
const DAYS_ENTER_HOURS = 10;
export const STEADY_LEAVES_HOURS = 30;
/** Shares up to the first lead and from the second on; the bank splits its own by its evidence. */
const SHORT_SHARES = { core: 0.15, bank: 0, session: 0.4, steady: 0.45 };
export const LONG_SHARES = { core: 0.6, bank: 0.2, session: 0.2, steady: 0 };

/** How far whole days have their say at this lead, 0 to 1. */
export function shareOfDays(leadHours: number): number {
  return Math.max(0, Math.min(1, (leadHours - DAYS_ENTER_HOURS) / (STEADY_LEAVES_HOURS - DAYS_ENTER_HOURS)));
}

export function poolWeights(leadHours: number, stateShare: number): Record<MemberName, number> {
  const days = shareOfDays(leadHours);
  const shareOf = (name: keyof typeof LONG_SHARES) =>
    (1 - days) * SHORT_SHARES[name] + days * LONG_SHARES[name];
  return {
    core: shareOf('core'),
    states: shareOf('bank') * stateShare,
    rates: shareOf('bank') * (1 - stateShare),
    session: shareOf('session'),
    steady: shareOf('steady'),
  };
}

export function poolDistributions(
  distributions: MemberDistributions,
  weights: Record<MemberName, number>,
): CountDistribution {
  const used = MEMBERS.filter((name) => weights[name] > 0);
  return mixDistributions(
    used.map((name) => distributions[name]),
    used.map((name) => weights[name]),
  );
}
