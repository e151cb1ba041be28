// Presents channels, rules and alerts to their owner; secrets are shown only on creation.

import type { Account } from '../../domain/account.ts';
import { writeMinuteOfDay } from '../../domain/quiet-hours.ts';
import type { Alert, AlertRule, WebhookEndpoint } from '../../store/ports.ts';

export function presentChannel(channel: WebhookEndpoint) {
  const { disabledTs, link } = channel;
  return {
    channel_id: channel.webhookId,
    kind: channel.kind,
    label: channel.label,
    target: describeTarget(channel),
    state: disabledTs !== null ? 'disabled' : link !== null ? 'linking' : 'ready',
    created_ts: channel.createdTs,
    disabled_ts: disabledTs,
  };
}

/** Discord and push URLs are secrets, because anyone who knows them can post there. */
function describeTarget({ kind, url, link }: WebhookEndpoint): string {
  if (kind === 'webhook') return url;
  if (kind === 'telegram') return link === null ? `chat …${url.slice(-3)}` : 'not linked yet';
  return `${URL.parse(url)?.host ?? ''}/…`;
}

export function presentRule(rule: AlertRule, accounts: readonly Account[]) {
  const { quiet } = rule;
  return {
    rule_id: rule.ruleId,
    kind: rule.kind,
    account: findSegment(accounts, rule.accountId),
    event_id: rule.eventId,
    threshold: rule.threshold,
    channels: rule.channelIds,
    quiet_from: quiet && writeMinuteOfDay(quiet.fromMinute),
    quiet_to: quiet && writeMinuteOfDay(quiet.toMinute),
    quiet_zone: quiet?.zone ?? null,
    most_per_hour: rule.mostPerHour,
    created_ts: rule.createdTs,
  };
}

export function presentAlert(alert: Alert, accounts: readonly Account[]) {
  return {
    notice_id: alert.alertId,
    kind: alert.kind,
    what: alert.what,
    account: findSegment(accounts, alert.accountId),
    event_id: alert.eventId,
    title: alert.title,
    text: alert.text,
    link: alert.link,
    data: alert.data,
    rule_ids: alert.ruleIds,
    happened_ts: alert.happenedTs,
    created_ts: alert.createdTs,
    due_ts: alert.dueTs,
  };
}

function findSegment(accounts: readonly Account[], accountId: string | null): string | null {
  return accounts.find((account) => account.accountId === accountId)?.segment ?? null;
}
