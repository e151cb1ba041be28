// Indexes rules by condition, so that a lookup visits only matching rules.

import type { AccountId } from '../../domain/account.ts';
import { type RuleKind, toSteps } from '../../domain/rule-kinds.ts';
import { WEBHOOK_TOPICS } from '../../domain/webhook-topic.ts';
import type { KeyedRule, WebhookEndpoint } from '../../store/ports.ts';
import { familyOf } from './readings.ts';
import { topicFamily } from './topic-readings.ts';

export interface RuleIndex {
  /** Every condition on the account, in a fixed order. */
  familiesOf(accountId: AccountId): readonly string[];
  find(accountId: AccountId, family: string, eventId: number | null): readonly KeyedRule[];
  /** Webhooks subscribed to the family's topic. */
  findWebhooks(family: string): readonly string[];
}

export function createRuleIndex(
  rules: readonly KeyedRule[],
  accountIds: readonly AccountId[],
  webhooks: readonly WebhookEndpoint[] = [],
): RuleIndex {
  const families = new Map<AccountId, Set<string>>(accountIds.map((accountId) => [accountId, new Set()]));
  const byQuestion = new Map<string, KeyedRule[]>();
  for (const rule of rules) {
    const kind = rule.kind as RuleKind;
    const family = familyOf(kind, toSteps(kind, rule.threshold));
    for (const accountId of rule.accountId === null ? accountIds : [rule.accountId]) {
      families.get(accountId)?.add(family);
      const key = keyOf(accountId, family, rule.eventId);
      const found = byQuestion.get(key);
      if (found) found.push(rule);
      else byQuestion.set(key, [rule]);
    }
  }
  const byTopic = new Map<string, string[]>();
  for (const { webhookId, topics } of webhooks) {
    // A newer release may have stored topics that this release does not know.
    for (const topic of WEBHOOK_TOPICS.filter((known) => topics.includes(known))) {
      const family = topicFamily(topic);
      const subscribed = byTopic.get(family);
      if (subscribed) subscribed.push(webhookId);
      else byTopic.set(family, [webhookId]);
    }
  }
  for (const names of families.values()) for (const family of byTopic.keys()) names.add(family);
  const sorted = new Map([...families].map(([accountId, names]) => [accountId, [...names].sort()]));
  return {
    familiesOf: (accountId) => sorted.get(accountId) ?? [],
    findWebhooks: (family) => byTopic.get(family) ?? [],
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
