// Indexes rules by condition, so that a lookup visits only matching rules. A condition (`family`) is a kind
// with its threshold; rules with the same condition share the reading, so the cost depends on the number of
// conditions, not of rules.

import type { AccountId } from '../../domain/account.ts';
import { HOUR_MS } from '../../domain/units.ts';
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

// Limits a rule's alerts in any rolling hour.

export interface AllowanceDraft {
  /** Reserves an alert at `dueTs`, now or later; false if the hour before `dueTs` is full. */
  take(ruleId: string, dueTs: number, mostPerHour: number): boolean;
  /** Commits the reservations; without this call, the draft has no effect. */
  keep(): void;
}

export interface HourlyAllowance {
  draft(nowTs: number): AllowanceDraft;
}

export function createHourlyAllowance(
  taken: readonly { ruleIds: readonly string[]; dueTs: number }[],
): HourlyAllowance {
  const dueOf = new Map<string, readonly number[]>();
  for (const { ruleIds, dueTs } of taken) {
    for (const ruleId of ruleIds) dueOf.set(ruleId, [...(dueOf.get(ruleId) ?? []), dueTs]);
  }
  let lookTs = 0;

  /** Drops rules without recent alerts, because they may no longer exist. */
  function forgetOld(nowTs: number): void {
    if (nowTs - lookTs < HOUR_MS) return;
    lookTs = nowTs;
    for (const [ruleId, dueTimes] of dueOf) {
      if (dueTimes.every((ts) => ts <= nowTs - HOUR_MS)) dueOf.delete(ruleId);
    }
  }

  return {
    draft(nowTs) {
      const changed = new Map<string, readonly number[]>();
      return {
        take(ruleId, dueTs, mostPerHour) {
          const known = changed.get(ruleId) ?? dueOf.get(ruleId) ?? [];
          const recent = known.filter((ts) => ts > nowTs - HOUR_MS);
          // Alerts delayed by quiet hours are due later, so they do not count in the current hour.
          const inHour = recent.filter((ts) => ts > dueTs - HOUR_MS && ts <= dueTs);
          if (inHour.length >= mostPerHour) return false;
          changed.set(ruleId, [...recent, dueTs]);
          return true;
        },
        keep() {
          for (const [ruleId, dueTimes] of changed) dueOf.set(ruleId, dueTimes);
          forgetOld(nowTs);
        },
      };
    },
  };
}
