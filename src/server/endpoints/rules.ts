// The calling key's alert rules.

import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  type AlertKindName,
  describeRange,
  findThresholdFault,
} from '../../alerts/rules/kinds.ts';
import { envelope, MaybeNumber, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { CLOSED, Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { parseMinuteOfDay, type QuietHours, writeMinuteOfDay } from '../../domain/quiet-hours.ts';
import { isTimeZone } from '../../domain/zoned-time.ts';
import type { AlertRule } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { isKnownEvent } from '../find-event.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { findSegment, MaybeInteger, MaybeText, sendTest, TestSent } from './alerts.ts';

const RuleKind = named('RuleKind', Type.Enum(ALERT_KIND_NAMES));
const THRESHOLDS = ALERT_KIND_NAMES.flatMap((name) => {
  const { threshold } = ALERT_KINDS[name];
  return threshold ? [`${name}: ${describeRange(threshold)}, default ${threshold.default}`] : [];
});
const MINUTE_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

export const RuleBody = named(
  'RuleBody',
  Type.Object(
    {
      kind: RuleKind,
      account: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all accounts' })),
      event_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 })),
      threshold: Type.Optional(Type.Number({ description: THRESHOLDS.join('; ') })),
      channels: Type.Optional(
        Type.String({
          maxLength: 1_000,
          default: '',
          description: 'Comma-separated channel ids; if empty, alerts are listed but not sent',
        }),
      ),
      quiet_from: Type.Optional(
        Type.String({ pattern: MINUTE_PATTERN, description: 'Start of quiet hours, such as 22:00' }),
      ),
      quiet_to: Type.Optional(
        Type.String({ pattern: MINUTE_PATTERN, description: 'End of quiet hours, such as 07:30' }),
      ),
      quiet_zone: Type.Optional(
        Type.String({
          maxLength: 60,
          default: 'UTC',
          description: 'Time zone for quiet hours, such as Europe/Zurich',
        }),
      ),
      most_per_hour: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 60,
          default: 20,
          description: 'Maximum alerts per hour for this rule; the rest are listed but not sent',
        }),
      ),
    },
    CLOSED,
  ),
);

const Rule = named(
  'Rule',
  Type.Object({
    rule_id: Type.String(),
    kind: RuleKind,
    account: { ...MaybeText, description: 'null for all accounts' },
    event_id: { ...MaybeInteger, description: 'null for all events' },
    threshold: MaybeNumber,
    channels: Type.Array(Type.String()),
    quiet_from: MaybeText,
    quiet_to: MaybeText,
    quiet_zone: MaybeText,
    most_per_hour: Type.Integer(),
    created_ts: Ts,
  }),
);
const RuleList = envelope('RuleList', Rule);
const RuleCreated = objectEnvelope('RuleCreated', Rule);
const RuleRemoved = objectEnvelope('RuleRemoved', Type.Object({ rule_id: Type.String() }));

function presentRule(rule: AlertRule, accounts: readonly Account[]): Static<typeof Rule> {
  const { quiet } = rule;
  return {
    rule_id: rule.ruleId,
    kind: rule.kind as AlertKindName,
    account: findSegment(accounts, rule.accountId),
    event_id: rule.eventId,
    threshold: rule.threshold,
    channels: [...rule.channelIds],
    quiet_from: quiet && writeMinuteOfDay(quiet.fromMinute),
    quiet_to: quiet && writeMinuteOfDay(quiet.toMinute),
    quiet_zone: quiet?.zone ?? null,
    most_per_hour: rule.mostPerHour,
    created_ts: rule.createdTs,
  };
}

const PATH = `${API_PREFIX}/rules`;
/** Maximum per key. */
const MAX_RULES = 100;

export function rulesRoutes(context: RouteContext): Route[] {
  return [
    listRoute(context),
    createRoute(context),
    replaceRoute(context),
    removeRoute(context),
    testRoute(context),
  ];
}

function listRoute({ store, accounts, withDeadline }: RouteContext): Route {
  return defineRoute({
    path: PATH,
    access: 'PRO',
    document: {
      operationId: 'listRules',
      tag: 'Alerts',
      summary: "List the calling key's rules",
      ok: RuleList,
    },
    async handle({ identity, nowTs }) {
      const rules = await withDeadline(store.rules.listForKey(identity!.keyId));
      return okUncached({ timestamp: nowTs, data: rules.map((rule) => presentRule(rule, accounts)) });
    },
  });
}

function createRoute(context: RouteContext): Route {
  const { store, accounts, withDeadline } = context;
  return defineRoute({
    method: 'POST',
    path: PATH,
    access: 'PRO',
    body: RuleBody,
    document: {
      operationId: 'createRule',
      tag: 'Alerts',
      summary: 'Create an alert rule',
      description:
        'Takes effect within two seconds and ignores earlier events. Alerts wait during quiet hours.',
      ok: RuleCreated,
      also: [400, 413, 415],
    },
    async handle({ body, identity, nowTs }) {
      const rule = await readRule(context, identity!.keyId, randomUUID(), body);
      if (!(await withDeadline(store.rules.insert(rule, MAX_RULES))))
        throw new ApiError(400, `A key may have at most ${MAX_RULES} rules`);
      return okUncached({ timestamp: nowTs, data: presentRule(rule, accounts) });
    },
  });
}

function replaceRoute(context: RouteContext): Route {
  const { store, accounts, withDeadline } = context;
  return defineRoute({
    method: 'POST',
    path: `${PATH}/{rule_id}`,
    access: 'PRO',
    body: RuleBody,
    document: {
      operationId: 'replaceRule',
      tag: 'Alerts',
      summary: 'Replace an alert rule',
      description: 'The rule keeps its id. Takes effect within two seconds and ignores earlier events.',
      ok: RuleCreated,
      also: [400, 404, 413, 415],
    },
    async handle({ body, params, identity, nowTs }) {
      const rule = await readRule(context, identity!.keyId, params.rule_id!, body);
      if (!(await withDeadline(store.rules.replace(rule)))) throw new ApiError(404, 'Not Found');
      return okUncached({ timestamp: nowTs, data: presentRule(rule, accounts) });
    },
  });
}

async function readRule(
  context: RouteContext,
  keyId: string,
  ruleId: string,
  body: Static<typeof RuleBody>,
): Promise<AlertRule> {
  const { kind } = body;
  const fault = findThresholdFault(kind, body.threshold);
  if (fault) throw new FaultError([valueFault(['body', 'threshold'], `threshold ${fault}`)]);
  const accountId = readAccount(context, body.account);
  return {
    ruleId,
    keyId,
    kind,
    accountId,
    eventId: await readEvent(context, accountId, body),
    threshold: body.threshold ?? ALERT_KINDS[kind].threshold?.default ?? null,
    channelIds: await readChannels(context, keyId, body.channels!),
    quiet: readQuiet(body),
    mostPerHour: body.most_per_hour!,
    createdTs: context.wallClock.now(),
  };
}

function readAccount({ accounts }: RouteContext, segment: string | undefined): string | null {
  if (segment === undefined) return null;
  const account = accounts.find((candidate) => candidate.segment === segment);
  if (account) return account.accountId;
  const known = accounts.map((candidate) => candidate.segment).join(', ');
  throw new FaultError([valueFault(['body', 'account'], `account must be one of ${known}`)]);
}

async function readEvent(
  context: RouteContext,
  accountId: string | null,
  { event_id: eventId, account }: { event_id?: number; account?: string },
): Promise<number | null> {
  if (eventId === undefined || (await isKnownEvent(context, accountId, eventId))) return eventId ?? null;
  const owner = account === undefined ? 'a tracked account' : account;
  throw new FaultError([valueFault(['body', 'event_id'], `event_id must be an event of ${owner}`)]);
}

/** A caller cannot see another key's channels. */
async function readChannels(context: RouteContext, keyId: string, text: string): Promise<string[]> {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length === 0) return [];
  const own = await context.withDeadline(context.store.webhooks.listForKey(keyId));
  const known = new Set(own.map(({ webhookId }) => webhookId));
  if (ids.every((id) => known.has(id))) return ids;
  throw new FaultError([valueFault(['body', 'channels'], 'channels must list ids of your own channels')]);
}

function readQuiet(body: { quiet_from?: string; quiet_to?: string; quiet_zone?: string }): QuietHours | null {
  const { quiet_from: from, quiet_to: to, quiet_zone: zone = 'UTC' } = body;
  if (!isTimeZone(zone))
    throw new FaultError([valueFault(['body', 'quiet_zone'], 'quiet_zone must be an IANA time zone')]);
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? 'quiet_from' : 'quiet_to';
    throw new FaultError([valueFault(['body', missing], 'quiet_from and quiet_to must be given together')]);
  }
  return { fromMinute: parseMinuteOfDay(from)!, toMinute: parseMinuteOfDay(to)!, zone };
}

function removeRoute({ store, withDeadline }: RouteContext): Route {
  return defineRoute({
    method: 'DELETE',
    path: `${PATH}/{rule_id}`,
    access: 'PRO',
    document: {
      operationId: 'removeRule',
      tag: 'Alerts',
      summary: 'Remove a rule',
      ok: RuleRemoved,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      const isRemoved = await withDeadline(store.rules.remove(identity!.keyId, params.rule_id!));
      if (!isRemoved) throw new ApiError(404, 'Not Found');
      return okUncached({ timestamp: nowTs, data: { rule_id: params.rule_id! } });
    },
  });
}

function testRoute(context: RouteContext): Route {
  const { store, withDeadline } = context;
  return defineRoute({
    method: 'POST',
    path: `${PATH}/{rule_id}/test`,
    access: 'PRO',
    document: {
      operationId: 'testRule',
      tag: 'Alerts',
      summary: "Send a test alert to the rule's channels",
      ok: TestSent,
      also: [404],
    },
    async handle({ params, identity, nowTs }) {
      const rules = await withDeadline(store.rules.listForKey(identity!.keyId));
      const rule = rules.find(({ ruleId }) => ruleId === params.rule_id);
      if (!rule) throw new ApiError(404, 'Not Found');
      const { keyId, ruleId, channelIds, kind } = rule;
      const subject = kind.replaceAll('_', ' ');
      return sendTest(context, { keyId, ruleIds: [ruleId], channelIds, subject, nowTs });
    },
  });
}
