// Ports for alerts: receivers and their deliveries, rules, the alerts they triggered, and the state at the last
// evaluation.

import type { AccountId } from '../domain/account.ts';
import type { QuietHours } from '../domain/quiet-hours.ts';

export interface AlertRule {
  ruleId: string;
  keyId: string;
  kind: string;
  /** null for all accounts. */
  accountId: AccountId | null;
  /** null for all events. */
  eventId: number | null;
  /** Its meaning depends on the kind; null for kinds without a threshold. */
  threshold: number | null;
  /** Receivers of the rule's alerts; if empty, alerts are only listed. */
  channelIds: readonly string[];
  quiet: QuietHours | null;
  mostPerHour: number;
  createdTs: number;
  /** Former webhook topic under which the rule sends; null for other rules. Ends with the next release. */
  topic: string | null;
}

/** A rule with the expiry of its key; null if the key does not expire. */
export interface KeyedRule extends AlertRule {
  keyExpiresTs: number | null;
}

export interface Alert {
  /** Derived from the event and the key, so the same event never creates a second alert. */
  alertId: string;
  keyId: string;
  kind: string;
  what: string;
  accountId: AccountId | null;
  eventId: number | null;
  title: string;
  text: string;
  /** Link to that moment on the dashboard. */
  link: string;
  data: Readonly<Record<string, unknown>>;
  /** The rules that triggered it. */
  ruleIds: readonly string[];
  happenedTs: number;
  createdTs: number;
  /** Earliest delivery time; null if it is only listed. */
  dueTs: number | null;
}

export interface RuleStore {
  /** Returns false and changes nothing if the key already has `mostOfKey` rules, not counting topics. */
  insert(rule: AlertRule, mostOfKey?: number): Promise<boolean>;
  /** Returns false if the key has no rule with this id. */
  replace(rule: AlertRule): Promise<boolean>;
  remove(keyId: string, ruleId: string): Promise<boolean>;
  listForKey(keyId: string): Promise<AlertRule[]>;
  /** Rules of active keys, without disabled channels. */
  listStanding(nowTs: number): Promise<KeyedRule[]>;
  /** Increases whenever the result of listStanding() changes, except by expiry. */
  readRevision(): Promise<number>;
}

export interface AlertPage {
  after: { createdTs: number; alertId: string } | null;
  limit: number;
}

export interface AlertStore {
  /**
   * Inserts an alert with its deliveries in one transaction. Returns false and changes nothing if the key
   * already has `most.count` alerts of this kind since `most.sinceTs`.
   */
  add(
    alert: Alert,
    deliveries: readonly WebhookDelivery[],
    most?: { count: number; sinceTs: number },
  ): Promise<boolean>;
  /** Newest first. */
  listPage(keyId: string, page: AlertPage): Promise<Alert[]>;
  /** Rules with alerts due after `afterTs`, for their hourly limit. */
  listDue(afterTs: number): Promise<{ ruleIds: readonly string[]; dueTs: number }[]>;
  prune(beforeTs: number): Promise<number>;
}

/** Only the leader writes here. */
export interface WatchStore {
  findMark(accountId: AccountId): Promise<string | undefined>;
  /**
   * In one transaction: stores the alerts since the last mark with their deliveries, and moves the mark. A
   * crash before the commit is retried; after it, delivery is guaranteed. Existing rows stay unchanged.
   */
  advance(
    accountId: AccountId,
    mark: string,
    alerts: readonly Alert[],
    deliveries: readonly WebhookDelivery[],
  ): Promise<void>;
}

/** Kinds of alert receivers; all share one delivery queue. */
export type ReceiverKind = 'webhook' | 'telegram' | 'discord' | 'push';

/** An alert receiver: a webhook, or a channel of another kind. */
export interface WebhookEndpoint {
  webhookId: string;
  keyId: string;
  kind: ReceiverKind;
  /** Label given by its owner. */
  label: string;
  /** Destination: a URL or a chat id. */
  url: string;
  /** Stored because it is needed to sign or encrypt; shown at most once. */
  secret: string;
  createdTs: number;
  disabledTs: number | null;
  /** Code that links the receiver to its owner; null once linked. */
  link: { code: string; expiresTs: number } | null;
}

export interface WebhookDelivery {
  deliveryId: string;
  webhookId: string;
  topic: string;
  body: string;
  attempts: number;
  nextAttemptTs: number | null;
  status: 'pending' | 'delivered' | 'failed';
  lastResponse: string | null;
  createdTs: number;
  updatedTs: number;
}

export interface WebhookStore {
  /** Returns false and changes nothing if the key already has `mostOfKey` receivers; safe when concurrent. */
  insert(endpoint: WebhookEndpoint, mostOfKey?: number, rules?: readonly AlertRule[]): Promise<boolean>;
  remove(keyId: string, webhookId: string): Promise<boolean>;
  listForKey(keyId: string): Promise<WebhookEndpoint[]>;
  /** Enabled webhooks of active keys: the given ones, or all. */
  listStanding(nowTs: number, webhookIds?: readonly string[]): Promise<WebhookEndpoint[]>;
  /** Links the receiver waiting for this code to this URL; undefined if no receiver has the code. */
  completeLink(code: string, url: string, nowTs: number): Promise<WebhookEndpoint | undefined>;
  enqueue(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** Atomically records the results of attempts, or schedules the next attempts. */
  note(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** Oldest first; deliveries of the given webhooks can be excluded. */
  listDue(nowTs: number, limit: number, exceptWebhookIds?: readonly string[]): Promise<WebhookDelivery[]>;
  /** Stops all deliveries to the webhook; pending ones fail with this reason. */
  disable(webhookId: string, disabledTs: number, reason: string): Promise<void>;
  listDeliveries(webhookId: string, limit: number): Promise<WebhookDelivery[]>;
  findDelivery(deliveryId: string): Promise<WebhookDelivery | undefined>;
  prune(beforeTs: number): Promise<number>;
}
