// Ports for alerts: rules, the alerts they triggered, and the state at the last evaluation.

import type { AccountId } from '../domain/account.ts';
import type { QuietHours } from '../domain/quiet-hours.ts';
import type { WebhookDelivery } from './ports-callers.ts';

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
  /** Returns false and changes nothing if the key already has `mostOfKey` rules. */
  insert(rule: AlertRule, mostOfKey?: number): Promise<boolean>;
  /** Returns false if the key has no rule with this id. */
  replace(rule: AlertRule): Promise<boolean>;
  remove(keyId: string, ruleId: string): Promise<boolean>;
  listForKey(keyId: string): Promise<AlertRule[]>;
  /** Rules of active keys. */
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
