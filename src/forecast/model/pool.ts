// The pool: a linear mixture of the members' laws. From a day on the bank speaks, by the evidence its experts have; in
// the coming hours the session does; between, a straight line in the lead. Beside either stands the plain rate carried
// on unchanged: a bank that has learned to expect a return is wrong for months when the account just goes on.

import { mixLaws } from '../law/law.ts';
import type { CountLaw } from '../types.ts';

export const MEMBERS = ['core', 'states', 'rates', 'session', 'steady'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type MemberLaws = Record<MemberName, CountLaw>;

/** The bank is made of whole days: it enters between these two leads, and takes the session's place at the second. */
const BANK_ENTERS_HOURS = 12;
export const SESSION_LEAVES_HOURS = 36;
/** Share of the plain rate beside the session, and beside the bank. */
const STEADY_SHARE = { short: 0.5, long: 0.15 };
/** Share of the core beside the bank. */
const CORE_SHARE = 0.35;

export function poolWeights(leadHours: number, stateShare: number): Record<MemberName, number> {
  const lead = (leadHours - BANK_ENTERS_HOURS) / (SESSION_LEAVES_HOURS - BANK_ENTERS_HOURS);
  const bank = Math.max(0, Math.min(1, lead));
  const core = bank * CORE_SHARE;
  const steady = (1 - bank) * STEADY_SHARE.short + bank * STEADY_SHARE.long;
  const rest = 1 - core - steady;
  return {
    core,
    states: rest * bank * stateShare,
    rates: rest * bank * (1 - stateShare),
    session: (1 - steady - core) * (1 - bank),
    steady,
  };
}

export function poolLaws(laws: MemberLaws, weights: Record<MemberName, number>): CountLaw {
  const used = MEMBERS.filter((name) => weights[name] > 0);
  return mixLaws(
    used.map((name) => laws[name]),
    used.map((name) => weights[name]),
  );
}
