// Converts alert rules between the service's form and the page's, with the words that the service sends for each
// kind. Pure.

import type { PageConfig, RuleRecord } from '../../api/records.ts';

export type AlertKind = NonNullable<PageConfig['alert_kinds']>[number];

export interface RuleDraft {
  kind: AlertKind;
  /** Empty for every account. */
  account: string;
  /** In steps, such as cents or minutes; 0 for kinds without a threshold. */
  steps: number;
  channels: readonly string[];
  /** "22:00"; empty for none. */
  quietFrom: string;
  quietTo: string;
  mostPerHour: number;
}

/** A kind that this page's configuration does not list is shown by its name. */
export function findKind(kinds: readonly AlertKind[], name: RuleRecord['kind']): AlertKind {
  return kinds.find(({ kind }) => kind === name) ?? { kind: name, words: name.replaceAll('_', ' ') };
}

export function toSteps({ threshold }: AlertKind, value: number | null | undefined): number {
  return threshold ? Math.round((value ?? threshold.default) / threshold.step) : 0;
}

/** Converts a stored rule to form values; toRuleBody() converts them back. */
export function toDraft(rule: RuleRecord, kinds: readonly AlertKind[]): RuleDraft {
  const kind = findKind(kinds, rule.kind);
  return {
    kind,
    account: rule.account ?? '',
    steps: toSteps(kind, rule.threshold),
    channels: rule.channels,
    quietFrom: rule.quiet_from ?? '',
    quietTo: rule.quiet_to ?? '',
    mostPerHour: rule.most_per_hour,
  };
}

export function toRuleBody(draft: RuleDraft, zone: string, eventId: number | null = null): object {
  const { kind, threshold } = draft.kind;
  const isQuiet = draft.quietFrom !== '' && draft.quietTo !== '';
  return {
    kind,
    channels: draft.channels.join(','),
    most_per_hour: draft.mostPerHour,
    ...(draft.account !== '' && { account: draft.account }),
    ...(eventId !== null && { event_id: eventId }),
    ...(threshold && { threshold: Math.round(draft.steps * threshold.step * 1000) / 1000 }),
    ...(isQuiet && { quiet_from: draft.quietFrom, quiet_to: draft.quietTo, quiet_zone: zone }),
  };
}

export function describeRule(rule: RuleRecord, kinds: readonly AlertKind[]): string {
  const kind = findKind(kinds, rule.kind);
  const { words, threshold } = kind;
  if (!threshold) return words;
  return `${words}: ${threshold.label.toLowerCase()} ${toSteps(kind, rule.threshold)} ${threshold.unit}`;
}

export function describeQuiet({ quiet_from: from, quiet_to: to, quiet_zone: zone }: RuleRecord): string {
  return from && to ? `quiet ${from} to ${to}, ${zone}` : 'no quiet hours';
}
