// Turns changes into deliveries: one alert per key, even if several of its rules match, and one delivery per
// receiver. Pure except for the hourly allowance, which is injected.

import { createHash } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import { findLoudTs } from '../../domain/quiet-hours.ts';
import type { RuleKind } from '../../domain/rule-kinds.ts';
import type { Alert, KeyedRule, WebhookDelivery } from '../../store/ports.ts';
import type { AllowanceDraft } from './hourly-allowance.ts';
import type { Change } from './mark.ts';
import type { RuleIndex } from './rule-index.ts';
import type { FactReading } from './watched.ts';
import { writeWords } from './words.ts';

export interface ComposeOptions {
  account: Pick<Account, 'accountId' | 'segment' | 'displayName'>;
  index: RuleIndex;
  allowance: AllowanceDraft;
  /** Prefix of dashboard links. */
  publicUrl: string;
  /** Service time. */
  nowTs: number;
  /** Receivers' wall-clock time, used for quiet hours, allowances and deliveries. */
  wallTs: number;
}

export interface Pending {
  alerts: Alert[];
  deliveries: WebhookDelivery[];
}

export function composeAlerts(changes: readonly Change<FactReading>[], options: ComposeOptions): Pending {
  const pending: Pending = { alerts: [], deliveries: [] };
  for (const change of changes) {
    if (change.reading.what === null) continue;
    const { family, event, kind } = change.reading;
    if (kind === 'topic') {
      pending.deliveries.push(...composeTopic(change, options));
      continue;
    }
    const rules = options.index.find(options.account.accountId, family, event?.eventId ?? null);
    const standing = rules.filter(({ keyExpiresTs }) => (keyExpiresTs ?? Infinity) > options.wallTs);
    if (standing.length === 0) continue;
    const fact = describeFact(change, options);
    const byKey = Map.groupBy(standing, (rule) => rule.keyId);
    for (const [keyId, own] of byKey) addAlert(pending, keyId, own, fact, options);
  }
  return pending;
}

/** A webhook message has only the topic's fields: no text, rules or quiet hours. */
function composeTopic(
  { factKey, reading }: Change<FactReading>,
  { account, index, nowTs, wallTs }: ComposeOptions,
): WebhookDelivery[] {
  const body = JSON.stringify({
    type: reading.what,
    timestamp: nowTs,
    account: account.segment,
    data: reading.data,
  });
  return index.findWebhooks(reading.family).map((webhookId) => ({
    ...{ webhookId, topic: reading.what!, body, createdTs: wallTs },
    deliveryId: `msg_${digest(`${account.accountId}/${factKey}|${webhookId}`)}`,
    ...pendingFrom(wallTs),
  }));
}

function pendingFrom(dueTs: number) {
  return {
    attempts: 0,
    nextAttemptTs: dueTs,
    status: 'pending' as const,
    lastResponse: null,
    updatedTs: dueTs,
  };
}

type Fact = Omit<Alert, 'alertId' | 'keyId' | 'ruleIds' | 'dueTs'> & { factKey: string; segment: string };

function describeFact({ factKey, reading }: Change<FactReading>, options: ComposeOptions): Fact {
  const { account, nowTs } = options;
  const eventId = reading.event?.eventId ?? null;
  const moment = eventId === null ? '' : `/${eventId}/${nowTs}`;
  return {
    factKey: `${account.accountId}/${factKey}`,
    segment: account.segment,
    kind: reading.kind as RuleKind,
    what: reading.what!,
    accountId: account.accountId,
    eventId,
    ...writeWords(reading, account.displayName, nowTs),
    link: `${options.publicUrl}/#/live/${account.segment}${moment}`,
    data: reading.data,
    happenedTs: nowTs,
    createdTs: options.wallTs,
  };
}

function addAlert(
  pending: Pending,
  keyId: string,
  rules: readonly KeyedRule[],
  { factKey, segment, ...fact }: Fact,
  { allowance, wallTs }: ComposeOptions,
): void {
  const dueByChannel = new Map<string, number>();
  for (const { ruleId, channelIds, quiet, mostPerHour } of rules) {
    const dueTs = findLoudTs(quiet, wallTs);
    if (channelIds.length === 0 || !allowance.take(ruleId, dueTs, mostPerHour)) continue;
    for (const id of channelIds) dueByChannel.set(id, Math.min(dueTs, dueByChannel.get(id) ?? Infinity));
  }
  const alert: Alert = {
    ...fact,
    alertId: `ntc_${digest(`${keyId}|${factKey}`)}`,
    keyId,
    ruleIds: rules.map(({ ruleId }) => ruleId),
    dueTs: dueByChannel.size === 0 ? null : Math.min(...dueByChannel.values()),
  };
  pending.alerts.push(alert);
  pending.deliveries.push(...deliver(alert, segment, dueByChannel));
}

/** One delivery per receiver, with an id derived from its alert. */
export function deliver(
  alert: Alert,
  segment: string | null,
  dueByChannel: ReadonlyMap<string, number>,
): WebhookDelivery[] {
  const body = JSON.stringify(presentPending(alert, segment));
  return [...dueByChannel].map(([channelId, dueTs]) => ({
    deliveryId: `msg_${digest(`${alert.alertId}|${channelId}`)}`,
    webhookId: channelId,
    topic: `notice.${alert.kind}`,
    body,
    attempts: 0,
    nextAttemptTs: dueTs,
    status: 'pending',
    lastResponse: null,
    createdTs: alert.createdTs,
    updatedTs: alert.createdTs,
  }));
}

/** The receiver's payload: sent unchanged to webhooks, reformatted for other channels. */
export interface PendingBody {
  type: string;
  timestamp: number;
  account: string | null;
  data: {
    notice_id: string;
    what: string;
    event_id: number | null;
    title: string;
    text: string;
    link: string;
    [name: string]: unknown;
  };
}

function presentPending(alert: Alert, segment: string | null): PendingBody {
  const { alertId, kind, what, eventId, title, text, link, data, happenedTs } = alert;
  return {
    type: `notice.${kind}`,
    timestamp: happenedTs,
    account: segment,
    data: { notice_id: alertId, what, event_id: eventId, title, text, link, ...data },
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
