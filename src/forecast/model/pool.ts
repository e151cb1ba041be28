// The pool: a linear mixture of the members' laws, with fixed weights by lead. Learned weights were no better.

import { mixLaws } from '../law/law.ts';
import type { CountLaw } from '../types.ts';

export const MEMBERS = ['state-space', 'state-nb', 'direct', 'own-rate'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type MemberLaws = Record<MemberName, CountLaw>;

/** The simulation is made of whole days: it enters between these two leads and is full from the second on. */
const ENTERS_HOURS = 8;
const FULL_HOURS = 24;

const SHORT: Record<MemberName, number> = {
  'state-space': 0,
  'state-nb': 0.25,
  direct: 0.5,
  'own-rate': 0.25,
};
const LONG: Record<MemberName, number> = {
  'state-space': 1 / 3,
  'state-nb': 0,
  direct: 1 / 3,
  'own-rate': 1 / 3,
};

export function poolWeights(leadHours: number): Record<MemberName, number> {
  const share = Math.max(0, Math.min(1, (leadHours - ENTERS_HOURS) / (FULL_HOURS - ENTERS_HOURS)));
  const weight = (name: MemberName) => (1 - share) * SHORT[name] + share * LONG[name];
  return Object.fromEntries(MEMBERS.map((name) => [name, weight(name)])) as Record<MemberName, number>;
}

export function poolLaws(laws: MemberLaws, leadHours: number): CountLaw {
  const weights = poolWeights(leadHours);
  const used = MEMBERS.filter((name) => weights[name] > 0);
  return mixLaws(
    used.map((name) => laws[name]),
    used.map((name) => weights[name]),
  );
}
