// Receivers of alerts and their deliveries, rules, and the alerts that they triggered.

import type { QuietHours } from '../domain/quiet-hours.ts';
import {
  createRecordTable,
  json,
  named,
  orNull,
  type RecordOf,
  real,
  text,
  whole,
  word,
} from './record-table.ts';

/** Kinds of alert receivers; all share one delivery queue. */
export type ReceiverKind = 'webhook' | 'telegram' | 'discord' | 'ntfy';

export const RECEIVERS = createRecordTable({
  webhookId: text,
  keyId: text,
  kind: word<ReceiverKind>(),
  /** Label given by its owner. */
  label: text,
  /** Destination: a URL or a chat id. */
  url: text,
  /** Stored because it is needed to sign; shown once. */
  secret: text,
  createdTs: whole,
  disabledTs: orNull(whole),
  linkCode: orNull(text),
  linkExpiresTs: orNull(whole),
});

export type ReceiverRecord = RecordOf<typeof RECEIVERS.columns>;

/** An alert receiver: a webhook, or a channel of another kind. */
export interface WebhookEndpoint extends Omit<ReceiverRecord, 'linkCode' | 'linkExpiresTs'> {
  /** Code that links the receiver to its owner; null once linked. */
  link: { code: string; expiresTs: number } | null;
}

export const DELIVERIES = createRecordTable({
  deliveryId: text,
  webhookId: text,
  topic: text,
  body: text,
  attempts: whole,
  nextAttemptTs: orNull(whole),
  status: word<'pending' | 'delivered' | 'failed'>(),
  lastResponse: orNull(text),
  createdTs: whole,
  updatedTs: whole,
});

export type WebhookDelivery = RecordOf<typeof DELIVERIES.columns>;

export const RULES = createRecordTable({
  ruleId: text,
  keyId: text,
  kind: text,
  /** null for all accounts. */
  accountId: orNull(text),
  /** null for all events. */
  eventId: orNull(whole),
  /** Its meaning depends on the kind; null for kinds without a threshold. */
  threshold: orNull(real),
  /** Receivers of the rule's alerts; if empty, alerts are only listed. */
  channelIds: json<readonly string[]>(),
  quiet: orNull(json<QuietHours>()),
  mostPerHour: whole,
  createdTs: whole,
});

export type AlertRule = RecordOf<typeof RULES.columns>;

/** A rule with the expiry of its key; null if the key does not expire. */
export interface KeyedRule extends AlertRule {
  keyExpiresTs: number | null;
}

export const ALERTS = createRecordTable({
  /** Derived from the event and the key, so the same event never creates a second alert. */
  alertId: named('notice_id', text),
  keyId: text,
  kind: text,
  what: text,
  accountId: orNull(text),
  eventId: orNull(whole),
  title: text,
  text: named('body', text),
  /** Link to that moment on the dashboard. */
  link: text,
  data: json<Readonly<Record<string, unknown>>>(),
  /** The rules that triggered it. */
  ruleIds: json<readonly string[]>(),
  happenedTs: whole,
  createdTs: whole,
  /** Earliest delivery time; null if it is only listed. */
  dueTs: orNull(whole),
});

export type Alert = RecordOf<typeof ALERTS.columns>;
