// Limits a rule's alerts in any rolling hour.

import { HOUR_MS } from '../../domain/units.ts';

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
