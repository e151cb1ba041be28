// Turns changes into deliveries: one alert per key, even if several of its rules match, and one delivery per
// receiver. Pure except for the hourly allowance, which is injected.

import { createHash, randomBytes } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import { findLoudTs } from '../../domain/quiet-hours.ts';
import type { Alert, KeyedRule, WebhookDelivery } from '../../store/ports.ts';
import { findKind, nameEvent } from './kinds.ts';
import type { Change } from './mark.ts';
import type { ConditionReading } from './readings.ts';
import type { AllowanceDraft } from './rule-index.ts';
import { kindOf, type RuleIndex } from './rule-index.ts';

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

export function composeAlerts(
  changes: readonly Change<ConditionReading>[],
  options: ComposeOptions,
): Pending {
  const pending: Pending = { alerts: [], deliveries: [] };
  const { account, index, wallTs } = options;
  for (const change of changes) {
    const { family, event, alert } = change.reading;
    if (alert === null) continue;
    const rules = index.find(account.accountId, family, event?.eventId ?? null);
    const standing = rules.filter(({ keyExpiresTs }) => (keyExpiresTs ?? Infinity) > wallTs);
    if (standing.length === 0) continue;
    const fact = describeFact(change.factKey, change.reading, alert, options);
    const byKey = Map.groupBy(standing, (rule) => rule.keyId);
    for (const [keyId, own] of byKey) addAlert(pending, keyId, own, fact, options);
  }
  return pending;
}

type Fact = Omit<Alert, 'alertId' | 'keyId' | 'ruleIds' | 'dueTs'> & { factKey: string; segment: string };

function describeFact(
  factKey: string,
  { family, event }: ConditionReading,
  { what, facts }: NonNullable<ConditionReading['alert']>,
  { account, publicUrl, nowTs, wallTs }: ComposeOptions,
): Fact {
  const kind = kindOf(family);
  const words = findKind(kind)!.alerts[what]!;
  const text = words.text(facts, nowTs);
  const moment = event === null ? '' : `/${event.eventId}/${nowTs}`;
  return {
    factKey: `${account.accountId}/${factKey}`,
    segment: account.segment,
    kind,
    what,
    accountId: account.accountId,
    eventId: event?.eventId ?? null,
    title: `${account.displayName}: ${words.title(facts)}`,
    text: event ? `${text} ${nameEvent(event)}` : text,
    link: `${publicUrl}/#/live/${account.segment}${moment}`,
    data: words.data(facts),
    happenedTs: nowTs,
    createdTs: wallTs,
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
  const { createdTs } = alert;
  return [...dueByChannel].map(([channelId, dueTs]) => ({
    deliveryId: `msg_${digest(`${alert.alertId}|${channelId}`)}`,
    webhookId: channelId,
    topic: `notice.${alert.kind}`,
    body,
    attempts: 0,
    nextAttemptTs: dueTs,
    status: 'pending',
    lastResponse: null,
    createdTs,
    updatedTs: createdTs,
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

/** An alert as chat text. */
export function writeLines({ data: { title, text, link } }: PendingBody): string {
  return [title, text, /^https?:/.test(link) ? link : ''].filter((line) => line !== '').join('\n');
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

export interface TestAlert {
  alert: Alert;
  deliveries: WebhookDelivery[];
}

export function composeTest(options: {
  keyId: string;
  ruleIds: readonly string[];
  channelIds: readonly string[];
  subject: string;
  publicUrl: string;
  nowTs: number;
  wallTs: number;
}): TestAlert {
  const { keyId, ruleIds, channelIds, subject, wallTs } = options;
  const alert: Alert = {
    alertId: `ntc_${randomBytes(16).toString('hex')}`,
    keyId,
    kind: 'test',
    what: 'test',
    accountId: null,
    eventId: null,
    title: `Test: ${subject}`,
    text: 'This is a test alert.',
    link: `${options.publicUrl}/#/live`,
    data: {},
    ruleIds,
    happenedTs: options.nowTs,
    createdTs: wallTs,
    dueTs: channelIds.length === 0 ? null : wallTs,
  };
  return { alert, deliveries: deliver(alert, null, new Map(channelIds.map((id) => [id, wallTs]))) };
}
