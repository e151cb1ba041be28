// What happened, newest first: advice given and ended, price jumps, counts that disagreed, settlements.

import type { View } from '../../access/authorise.ts';
import { envelope, Terms, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import type { Happening } from '../../domain/happening.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { type ActivityItem, composeActivity } from '../../trade/activity/compose.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { createActivityReader, type PastOfAccount } from '../read-activity.ts';
import { recordOf } from '../records/record.ts';
import { type EventLabel, RememberedAdvice } from '../records/remembered-advice.ts';

const KINDS = [
  'advice',
  'advice_ended',
  'price_jump',
  'counts_differ',
  'counts_agree',
  'settlement',
] as const satisfies readonly ActivityItem['kind'][];

interface ItemSource {
  item: ActivityItem;
  segment: string;
  label: EventLabel | null;
}

const ActivityRecord = recordOf<ItemSource>('ActivityItem')({
  id: [Type.String({ description: 'The same for the same item in every response' }), ({ item }) => item.id],
  timestamp: [Ts, ({ item }) => item.ts],
  kind: [Type.Enum([...KINDS]), ({ item }) => item.kind],
  account: [Type.String(), ({ segment }) => segment],
  event_id: [Type.Union([Type.Integer(), Type.Null()]), ({ item }) => item.eventId],
  event_title: [Type.Union([Type.String(), Type.Null()]), ({ label }) => label?.title ?? null],
  venue: [Terms.venue, ({ label }) => label?.venue],
  counting_rule: [Terms.counting_rule, ({ label }) => label?.counting_rule],
  bucket: [Type.Union([Type.String(), Type.Null()]), ({ item }) => item.bucketLabel],
  text: [Type.String({ description: 'What happened, in words' }), ({ item }) => item.text],
});

const ActivityAnswer = envelope('ActivityAnswer', ActivityRecord.schema, {
  since: Ts,
  next_since: Type.Integer({ description: 'Pass as `since` to get only what happens from now on' }),
  total: Type.Integer({ description: 'Items since `since`, including those over the limit' }),
  last_advice: Type.Array(RememberedAdvice.schema, {
    description:
      'Latest advice to buy and its outcome, latest start first. Without PRO only for settled events',
  }),
});

const LAST_ADVICE = 5;

export function activityRoutes(context: RouteContext): Route[] {
  const { accounts } = context;
  const reader = createActivityReader(context);
  const segments = accounts.map(({ segment }) => segment);
  return [
    defineRoute({
      path: `${API_PREFIX}/activity`,
      access: 'optional',
      isPayable: true,
      query: Type.Object({
        since: Type.Optional(
          Type.String({
            maxLength: 40,
            default: '1d',
            description: 'UTC milliseconds, an ISO 8601 time, or how long ago: 90s, 30m, 2h, 7d',
          }),
        ),
        account: Type.Optional(Type.Enum(segments, { description: 'Only this account' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
      }),
      document: {
        operationId: 'listActivity',
        tag: 'Meta',
        summary: 'What happened since a given time, newest first',
        description:
          'Advice given and ended, price jumps of 5 cents within 5 minutes, counts that disagreed by 3 posts, and settlements of the last 7 days. Without PRO: advice only for settled events.',
        ok: ActivityAnswer,
      },
      async handle({ query, view, nowTs }) {
        const sinceTs = readSince(query.since!, nowTs);
        const asked = accounts.filter(
          ({ segment }) => query.account === undefined || query.account === segment,
        );
        const pasts = await Promise.all(
          asked.map(async (account) => ({ account, past: await reader.read(account, nowTs) })),
        );
        const all = pasts
          .flatMap(({ account, past }) => listItems(account, past, view, sinceTs))
          .sort((a, b) => b.item.ts - a.item.ts);
        return ok({
          timestamp: nowTs,
          data: all.slice(0, query.limit!).map(ActivityRecord.present),
          since: sinceTs,
          next_since: Math.max(sinceTs, all[0]?.item.ts ?? 0),
          total: all.length,
          last_advice: pasts
            .flatMap(({ account, past }) => listRemembered(account, past, view))
            .sort((a, b) => b.since_ts - a.since_ts)
            .slice(0, LAST_ADVICE),
        });
      },
    }),
  ];
}

function listItems(
  { accountId, segment }: Account,
  past: PastOfAccount,
  view: View,
  sinceTs: number,
): ItemSource[] {
  const items = composeActivity(
    {
      accountId,
      happenings: past.happenings.filter((one) => isListed(past, one, view)),
      settlements: past.settlements,
      outcomeOf: past.outcomeOf,
    },
    sinceTs,
  );
  return items.map((item) => {
    const label = item.eventId === null ? null : past.labelOf(item.eventId);
    return { item, segment, label };
  });
}

/** Counts that begin to differ after the settlement do not matter. */
function isListed(past: PastOfAccount, { kind, eventId, fromTs }: Happening, view: View): boolean {
  if (kind === 'counts') return fromTs < (past.settledTsOf(eventId) ?? Infinity);
  return kind !== 'advice' || isShown(past, eventId, view);
}

/** Advice on an open event is a signal, and signals need PRO. */
function isShown({ settledTsOf }: PastOfAccount, eventId: number, view: View): boolean {
  return view === 'pro' || settledTsOf(eventId) !== null;
}

function listRemembered({ segment }: Account, past: PastOfAccount, view: View) {
  return past.advice
    .filter(({ eventId, content }) => content.verdict !== 'exit' && isShown(past, eventId, view))
    .map((advice) =>
      RememberedAdvice.present({
        ...{ segment, advice, label: past.labelOf(advice.eventId), outcome: past.outcomeOf(advice) },
      }),
    );
}

const SPAN_MS: Record<string, number> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

export function readSince(text: string, nowTs: number): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ts = unit
    ? nowTs - Number(amount) * SPAN_MS[unit]!
    : /^\d{1,15}$/.test(text)
      ? Number(text)
      : Date.parse(text);
  if (Number.isSafeInteger(ts)) return Math.max(0, ts);
  const how =
    'since must be UTC milliseconds, an ISO 8601 time such as 2026-11-17T14:00Z, or a span such as 2h';
  throw new FaultError([valueFault(['query', 'since'], how)]);
}
