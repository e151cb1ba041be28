// The pool: a linear mixture of the members' laws. From a day on the core and the bank speak; in the coming hours the
// session does; between, a straight line in the lead. Beside either stands the plain rate carried on unchanged: a bank
// that has learned to expect a return is wrong for months when the account just goes on.

import { mixLaws } from '../law/law.ts';
import type { CountLaw } from '../types.ts';

export const MEMBERS = ['core', 'states', 'rates', 'session', 'steady'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type MemberLaws = Record<MemberName, CountLaw>;

/** Whole days are the core's and the bank's: they enter between these two leads, and the session leaves at the second. */
const DAYS_ENTER_HOURS = 10;
export const SESSION_LEAVES_HOURS = 30;
/** Share of the plain rate beside the session. */
const STEADY_SHARE = 0.5;
/** Shares from the second lead on; the bank has the rest. */
export const LONG_SHARES = { core: 0.6, steady: 0.1 };

/** How far whole days have their say at this lead, 0 to 1. */
export function shareOfDays(leadHours: number): number {
  return Math.max(0, Math.min(1, (leadHours - DAYS_ENTER_HOURS) / (SESSION_LEAVES_HOURS - DAYS_ENTER_HOURS)));
}

export function poolWeights(leadHours: number, stateShare: number): Record<MemberName, number> {
  const days = shareOfDays(leadHours);
  const bank = days * (1 - LONG_SHARES.core - LONG_SHARES.steady);
  return {
    core: days * LONG_SHARES.core,
    states: bank * stateShare,
    rates: bank * (1 - stateShare),
    session: (1 - days) * (1 - STEADY_SHARE),
    steady: (1 - days) * STEADY_SHARE + days * LONG_SHARES.steady,
  };
}

export function poolLaws(laws: MemberLaws, weights: Record<MemberName, number>): CountLaw {
  const used = MEMBERS.filter((name) => weights[name] > 0);
  return mixLaws(
    used.map((name) => laws[name]),
    used.map((name) => weights[name]),
  );
}
