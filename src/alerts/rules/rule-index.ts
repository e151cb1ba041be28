// Indexes rules by condition, so that a lookup visits only matching rules. A condition (`family`) is a kind
// with its threshold; rules with the same condition share the reading, so the cost depends on the number of
// conditions, not of rules.

import type { AccountId } from '../../domain/account.ts';
import type { KeyedRule } from '../../store/ports.ts';
import { findKind } from './kinds.ts';
import type { ConditionReading, Watched } from './readings.ts';

export interface RuleIndex {
  /** Every condition on the account, in a fixed order. */
  familiesOf(accountId: AccountId): readonly string[];
  find(accountId: AccountId, family: string, eventId: number | null): readonly KeyedRule[];
}

export function createRuleIndex(rules: readonly KeyedRule[], accountIds: readonly AccountId[]): RuleIndex {
  const families = new Map<AccountId, Set<string>>(accountIds.map((accountId) => [accountId, new Set()]));
  const byQuestion = new Map<string, KeyedRule[]>();
  for (const rule of rules) {
    const family = familyOf(rule);
    if (family === null) continue;
    for (const accountId of rule.accountId === null ? accountIds : [rule.accountId]) {
      families.get(accountId)?.add(family);
      const key = keyOf(accountId, family, rule.eventId);
      const found = byQuestion.get(key);
      if (found) found.push(rule);
      else byQuestion.set(key, [rule]);
    }
  }
  const sorted = new Map([...families].map(([accountId, names]) => [accountId, [...names].sort()]));
  return {
    familiesOf: (accountId) => sorted.get(accountId) ?? [],
    find(accountId, family, eventId) {
      const ofAll = byQuestion.get(keyOf(accountId, family, null)) ?? [];
      const ofOne = eventId === null ? [] : (byQuestion.get(keyOf(accountId, family, eventId)) ?? []);
      return [...ofAll, ...ofOne];
    },
  };
}

function keyOf(accountId: AccountId, family: string, eventId: number | null): string {
  return `${accountId}|${family}|${eventId ?? '*'}`;
}

/**
 * The kind, plus the threshold in whole steps, so that 0.07 and 0.07000000000000001 are equal. null for a
 * kind that another release has stored; its rules wait until that release runs again.
 */
function familyOf({ kind: name, threshold }: KeyedRule): string | null {
  const kind = findKind(name);
  if (kind === null) return null;
  if (!kind.threshold) return name;
  const { step, default: usual } = kind.threshold;
  return `${name}/${Math.round((threshold ?? usual) / step)}`;
}

export function kindOf(family: string): string {
  return family.split('/', 1)[0]!;
}

export function readConditions(watched: Watched, families: readonly string[]): ConditionReading[] {
  return families.flatMap((family) => {
    const [name, steps] = family.split('/');
    return findKind(name!)?.read(watched, family, Number(steps ?? 0)) ?? [];
  });
}
