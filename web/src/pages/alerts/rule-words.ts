// Display texts for each kind of alert rule. Pure.

import type { RuleRecord } from '../../api/records.ts';
import { formatCents } from '../../words/format.ts';

export type RuleKind = RuleRecord['kind'];

interface Threshold {
  label: string;
  unit: string;
  min: number;
  max: number;
  usual: number;
  /** The service's value is the number entered divided by this. */
  per: number;
}

export const RULE_WORDS: Record<RuleKind, { words: string; threshold?: Threshold }> = {
  advice: { words: 'Advice starts or ends' },
  bucket_crossed: { words: 'The count enters another bucket' },
  activity: {
    words: 'The account wakes or goes quiet',
    threshold: { label: 'Quiet after', unit: 'minutes', min: 15, max: 1440, usual: 120, per: 1 },
  },
  counts_apart: {
    words: 'Our count and the oracle differ',
    threshold: { label: 'By', unit: 'posts', min: 1, max: 100, usual: 3, per: 1 },
  },
  feed: { words: 'A feed becomes stale or recovers' },
  price_moved: {
    words: 'A price moves',
    threshold: { label: 'By', unit: 'cents', min: 1, max: 50, usual: 5, per: 100 },
  },
  window: {
    words: 'A window opens or is about to close',
    threshold: { label: 'Before the end', unit: 'minutes', min: 5, max: 1440, usual: 60, per: 1 },
  },
  settled: { words: 'An event settles' },
};

export const RULE_KINDS = Object.keys(RULE_WORDS) as RuleKind[];

export interface RuleDraft {
  kind: RuleKind;
  /** Empty for every account. */
  account: string;
  threshold: number;
  channels: readonly string[];
  /** "22:00"; empty for none. */
  quietFrom: string;
  quietTo: string;
  mostPerHour: number;
}

/** Converts a stored rule to form values; toRuleBody() converts them back. */
export function toDraft(rule: RuleRecord): RuleDraft {
  const per = RULE_WORDS[rule.kind].threshold?.per ?? 1;
  return {
    kind: rule.kind,
    account: rule.account ?? '',
    threshold: Math.round((rule.threshold ?? 0) * per * 1000) / 1000,
    channels: rule.channels,
    quietFrom: rule.quiet_from ?? '',
    quietTo: rule.quiet_to ?? '',
    mostPerHour: rule.most_per_hour,
  };
}

export function toRuleBody(draft: RuleDraft, zone: string, eventId: number | null = null): object {
  const { threshold } = RULE_WORDS[draft.kind];
  const isQuiet = draft.quietFrom !== '' && draft.quietTo !== '';
  return {
    kind: draft.kind,
    channels: draft.channels.join(','),
    most_per_hour: draft.mostPerHour,
    ...(draft.account !== '' && { account: draft.account }),
    ...(eventId !== null && { event_id: eventId }),
    ...(threshold && { threshold: draft.threshold / threshold.per }),
    ...(isQuiet && { quiet_from: draft.quietFrom, quiet_to: draft.quietTo, quiet_zone: zone }),
  };
}

export function describeRule(rule: RuleRecord): string {
  const { words, threshold } = RULE_WORDS[rule.kind];
  if (!threshold || rule.threshold === null) return words;
  const size =
    rule.kind === 'price_moved' ? formatCents(rule.threshold) : `${rule.threshold} ${threshold.unit}`;
  return `${words}: ${threshold.label.toLowerCase()} ${size}`;
}

export function describeQuiet({ quiet_from: from, quiet_to: to, quiet_zone: zone }: RuleRecord): string {
  return from && to ? `quiet ${from} to ${to}, ${zone}` : 'no quiet hours';
}
