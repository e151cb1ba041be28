// The pool: a linear mixture of the members' laws. From a day on the core, the bank and the session speak; in the coming
// hours the session and the plain rate, with a little of the core; between, a straight line in the lead.

import { mixLaws } from '../law/law.ts';
import type { CountLaw } from '../types.ts';

export const MEMBERS = ['core', 'states', 'rates', 'session', 'steady'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type MemberLaws = Record<MemberName, CountLaw>;

/** Whole days have their full say from the second of these leads on, and the plain rate none. */
const DAYS_ENTER_HOURS = 10;
export const STEADY_LEAVES_HOURS = 30;
const WEEK_HOURS = 168;
/** The session's share as long as the plain rate speaks, and a week ahead, where the last hours say less. */
const SESSION_SHARE = { soon: 0.4, late: 0.2 };
/** What the others have of the rest, up to the first lead and from the second on; the bank's is split by its evidence. */
const SHORT_REST = { core: 0.25, bank: 0, steady: 0.75 };
export const LONG_REST = { core: 2 / 3, bank: 1 / 3, steady: 0 };

/** How far a lead is from one to another, 0 to 1. */
function progress(leadHours: number, fromHours: number, toHours: number): number {
  return Math.max(0, Math.min(1, (leadHours - fromHours) / (toHours - fromHours)));
}

/** How far whole days have their say at this lead, 0 to 1. */
export function shareOfDays(leadHours: number): number {
  return progress(leadHours, DAYS_ENTER_HOURS, STEADY_LEAVES_HOURS);
}

export function poolWeights(leadHours: number, stateShare: number): Record<MemberName, number> {
  const days = shareOfDays(leadHours);
  const { soon, late } = SESSION_SHARE;
  const session = soon + (late - soon) * progress(leadHours, STEADY_LEAVES_HOURS, WEEK_HOURS);
  const shareOf = (name: keyof typeof LONG_REST) =>
    (1 - session) * ((1 - days) * SHORT_REST[name] + days * LONG_REST[name]);
  return {
    core: shareOf('core'),
    states: shareOf('bank') * stateShare,
    rates: shareOf('bank') * (1 - stateShare),
    session,
    steady: shareOf('steady'),
  };
}

export function poolLaws(laws: MemberLaws, weights: Record<MemberName, number>): CountLaw {
  const used = MEMBERS.filter((name) => weights[name] > 0);
  return mixLaws(
    used.map((name) => laws[name]),
    used.map((name) => weights[name]),
  );
}
