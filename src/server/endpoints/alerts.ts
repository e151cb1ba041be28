// A key's alerts, newest first, whether sent or only listed; and test alerts.

import type { Static } from 'typebox';
import { composeTest } from '../../alerts/rules/compose.ts';
import { ALERT_KIND_NAMES, ALERT_KINDS, type AlertKindName } from '../../alerts/rules/kinds.ts';
import { envelope, MaybeTs, named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Alert } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';

const AlertsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor from the previous page' })),
});

export const MaybeText = Type.Union([Type.String(), Type.Null()]);
export const MaybeInteger = Type.Union([Type.Integer(), Type.Null()]);
const WHATS = ALERT_KIND_NAMES.flatMap((name) => Object.keys(ALERT_KINDS[name].alerts));

const AlertRecord = named(
  'Notice',
  Type.Object({
    notice_id: Type.String({ description: 'The same change always has the same id' }),
    kind: Type.Enum([...ALERT_KIND_NAMES, 'test' as const]),
    what: Type.String({ description: [...new Set(WHATS), 'test'].join(', ') }),
    account: MaybeText,
    event_id: MaybeInteger,
    title: Type.String(),
    text: Type.String(),
    link: Type.String({ description: 'Link to this moment in the dashboard' }),
    data: Type.Object({}, { additionalProperties: true }),
    rule_ids: Type.Array(Type.String()),
    happened_ts: { ...Ts, description: 'Service time, UTC milliseconds' },
    created_ts: Ts,
    due_ts: { ...MaybeTs, description: 'Earliest send time; null if the alert is listed but not sent' },
  }),
);

const AlertList = envelope('NoticeList', AlertRecord, {
  next_cursor: { ...MaybeText, description: 'null on the last page' },
});

export function alertsRoutes({ store, accounts, withDeadline }: RouteContext): Route[] {
  return [
    defineRoute({
      path: `${API_PREFIX}/notices`,
      access: 'PRO',
      query: AlertsQuery,
      document: {
        operationId: 'listNotices',
        tag: 'Alerts',
        summary: "List the calling key's alerts, newest first",
        description: 'Alerts from the last 30 days, whether sent or only listed.',
        ok: AlertList,
      },
      async handle({ query, identity, nowTs }) {
        const after = query.cursor === undefined ? null : readAlertCursor(query.cursor);
        const limit = query.limit!;
        const found = await withDeadline(store.alerts.listPage(identity!.keyId, { after, limit: limit + 1 }));
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1)! : null;
        const next = last && Buffer.from(`${last.createdTs}.${last.alertId}`).toString('base64url');
        const data = page.map((alert) => presentAlert(alert, accounts));
        return okUncached({ timestamp: nowTs, data, next_cursor: next });
      },
    }),
  ];
}

function readAlertCursor(text: string): { createdTs: number; alertId: string } {
  const decoded = Buffer.from(text, 'base64url').toString('latin1');
  const match = /^(\d{1,15})\.(ntc_[0-9a-f]{32})$/.exec(decoded);
  if (match) return { createdTs: Number(match[1]), alertId: match[2]! };
  throw new FaultError([
    valueFault(['query', 'cursor'], 'cursor must be the next_cursor from an earlier response'),
  ]);
}

function presentAlert(alert: Alert, accounts: readonly Account[]): Static<typeof AlertRecord> {
  return {
    notice_id: alert.alertId,
    kind: alert.kind as AlertKindName | 'test',
    what: alert.what,
    account: findSegment(accounts, alert.accountId),
    event_id: alert.eventId,
    title: alert.title,
    text: alert.text,
    link: alert.link,
    data: alert.data,
    rule_ids: [...alert.ruleIds],
    happened_ts: alert.happenedTs,
    created_ts: alert.createdTs,
    due_ts: alert.dueTs,
  };
}

export function findSegment(accounts: readonly Account[], accountId: string | null): string | null {
  return accounts.find((account) => account.accountId === accountId)?.segment ?? null;
}

/** Maximum per key; receivers may belong to third parties. */
const MAX_TESTS_PER_HOUR = 60;

export const TestSent = objectEnvelope('NoticeTested', Type.Object({ notice_id: Type.String() }));

type Test = Omit<Parameters<typeof composeTest>[0], 'publicUrl' | 'wallTs'>;

/** Sends a test alert for a rule or channel. */
export async function sendTest({ store, reach, wallClock, withDeadline }: RouteContext, test: Test) {
  const wallTs = wallClock.now();
  const { alert, deliveries } = composeTest({ ...test, publicUrl: reach.publicUrl, wallTs });
  const most = { count: MAX_TESTS_PER_HOUR, sinceTs: wallTs - HOUR_MS };
  if (!(await withDeadline(store.alerts.add(alert, deliveries, most))))
    throw new ApiError(429, `A key may send at most ${MAX_TESTS_PER_HOUR} test alerts per hour`, {
      'Retry-After': '60',
    });
  return okUncached({ timestamp: test.nowTs, data: { notice_id: alert.alertId } });
}
