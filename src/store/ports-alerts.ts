// Ports for alerts: rules, the alerts they made, and the state at their last evaluation.

import type { AccountId } from '../domain/account.ts';
import type { QuietHours } from '../domain/quiet-hours.ts';
import type { WebhookDelivery } from './ports-callers.ts';

export interface AlertRule {
  ruleId: string;
  keyId: string;
  kind: string;
  /** null for every account. */
  accountId: AccountId | null;
  /** null for every event. */
  eventId: number | null;
  /** Meaning depends on the kind; null for kinds without one. */
  threshold: number | null;
  /** Receivers of its alerts; without any, alerts are only listed. */
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
  /** Derived from the event and the key: the same event never makes a second alert. */
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
  /** False without a change if the key already has that many. */
  insert(rule: AlertRule, mostOfKey?: number): Promise<boolean>;
  /** False where its key has no rule of that id. */
  replace(rule: AlertRule): Promise<boolean>;
  remove(keyId: string, ruleId: string): Promise<boolean>;
  listForKey(keyId: string): Promise<AlertRule[]>;
  /** Rules of active keys. */
  listStanding(nowTs: number): Promise<KeyedRule[]>;
  /** Increments with every change of the result of listStanding(), except expiry. */
  readRevision(): Promise<number>;
}

export interface AlertPage {
  after: { createdTs: number; alertId: string } | null;
  limit: number;
}

export interface AlertStore {
  /**
   * Inserts it with its deliveries in one step; returns false without a change if the key has `most.count` of its
   * kind since then.
   */
  add(
    alert: Alert,
    deliveries: readonly WebhookDelivery[],
    most?: { count: number; sinceTs: number },
  ): Promise<boolean>;
  /** Newest first. */
  listPage(keyId: string, page: AlertPage): Promise<Alert[]>;
  /** Rules with alerts due after ts, for their hourly limit. */
  listDue(afterTs: number): Promise<{ ruleIds: readonly string[]; dueTs: number }[]>;
  prune(beforeTs: number): Promise<number>;
}

/** Written by the leader only. */
export interface WatchStore {
  findMark(accountId: AccountId): Promise<string | undefined>;
  /**
   * In one step: stores the alerts since the last mark with their deliveries, and moves the mark. A crash before the
   * commit is retried; after it, delivery is guaranteed. Known alerts and deliveries stay unchanged.
   */
  advance(
    accountId: AccountId,
    mark: string,
    alerts: readonly Alert[],
    deliveries: readonly WebhookDelivery[],
  ): Promise<void>;
}
