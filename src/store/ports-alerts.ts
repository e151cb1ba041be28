// Ports for alerts: rules, the alerts they made, and the state at their last evaluation.

import type { AccountId } from '../domain/account.ts';
import type { QuietHours } from '../domain/quiet-hours.ts';
import type { WebhookDelivery } from './ports-callers.ts';

export interface NoticeRule {
  ruleId: string;
  keyId: string;
  kind: string;
  /** null for every account. */
  accountId: AccountId | null;
  /** null for every event. */
  eventId: number | null;
  /** What it means depends on the kind; null where the kind has none. */
  threshold: number | null;
  /** Receivers of its notices; with none they are only listed. */
  channelIds: readonly string[];
  quiet: QuietHours | null;
  mostPerHour: number;
  createdTs: number;
}

/** A rule with the time at which its key is over; null where it has no end. */
export interface KeyedRule extends NoticeRule {
  keyExpiresTs: number | null;
}

export interface Notice {
  /** Of what happened and of the key: the same happening never makes a second one. */
  noticeId: string;
  keyId: string;
  kind: string;
  what: string;
  accountId: AccountId | null;
  eventId: number | null;
  title: string;
  text: string;
  /** To the moment, on the page. */
  link: string;
  data: Readonly<Record<string, unknown>>;
  /** The rules that asked for it. */
  ruleIds: readonly string[];
  happenedTs: number;
  createdTs: number;
  /** When it may leave first; null where it is only listed. */
  dueTs: number | null;
}

export interface RuleStore {
  /** False, and nothing is written, when its key has that many already. */
  insert(rule: NoticeRule, mostOfKey?: number): Promise<boolean>;
  remove(keyId: string, ruleId: string): Promise<boolean>;
  listForKey(keyId: string): Promise<NoticeRule[]>;
  /** Rules of active keys. */
  listStanding(nowTs: number): Promise<KeyedRule[]>;
  /** Grows with every change of what listStanding() would say, expiry apart. */
  readRevision(): Promise<number>;
}

export interface NoticePage {
  after: { createdTs: number; noticeId: string } | null;
  limit: number;
}

export interface NoticeStore {
  /**
   * Inserts it with its deliveries in one step; returns false without a change if the key has `most.count` of its
   * kind since then.
   */
  add(
    notice: Notice,
    deliveries: readonly WebhookDelivery[],
    most?: { count: number; sinceTs: number },
  ): Promise<boolean>;
  /** Newest first. */
  listPage(keyId: string, page: NoticePage): Promise<Notice[]>;
  /** Which rules' notices were or are due after ts, for their allowance of an hour. */
  listDue(afterTs: number): Promise<{ ruleIds: readonly string[]; dueTs: number }[]>;
  prune(beforeTs: number): Promise<number>;
}

/** Written by the one leader only. */
export interface WatchStore {
  findMark(accountId: AccountId): Promise<string | undefined>;
  /**
   * In one step: stores the alerts since the last mark with their deliveries, and moves the mark. A crash before the
   * commit is retried; after it, delivery is guaranteed. Known alerts and deliveries stay unchanged.
   */
  advance(
    accountId: AccountId,
    mark: string,
    notices: readonly Notice[],
    deliveries: readonly WebhookDelivery[],
  ): Promise<void>;
}
