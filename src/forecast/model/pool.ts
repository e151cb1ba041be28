// The pool: a linear mixture of the members' laws. From a day on the bank speaks, by the evidence its experts have;
// in the coming hours the session does, with the plain rate beside it; between, a straight line in the lead.

import { mixLaws } from '../law/law.ts';
import type { CountLaw } from '../types.ts';

export const MEMBERS = ['states', 'rates', 'session', 'steady'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type MemberLaws = Record<MemberName, CountLaw>;

/** The bank is made of whole days: it enters between these two leads and is alone from the second on. */
export const BANK_ENTERS_HOURS = 12;
export const BANK_ALONE_HOURS = 36;
const SESSION_SHARE = 0.65;

export function poolWeights(leadHours: number, stateShare: number): Record<MemberName, number> {
  const lead = (leadHours - BANK_ENTERS_HOURS) / (BANK_ALONE_HOURS - BANK_ENTERS_HOURS);
  const bank = Math.max(0, Math.min(1, lead));
  return {
    states: bank * stateShare,
    rates: bank * (1 - stateShare),
    session: (1 - bank) * SESSION_SHARE,
    steady: (1 - bank) * (1 - SESSION_SHARE),
  };
}

export function poolLaws(laws: MemberLaws, weights: Record<MemberName, number>): CountLaw {
  const used = MEMBERS.filter((name) => weights[name] > 0);
  return mixLaws(
    used.map((name) => laws[name]),
    used.map((name) => weights[name]),
  );
}
