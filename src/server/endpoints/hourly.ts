// Posts per hour and day in an event's window.

import { envelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import type { CountingRule } from '../../domain/counting-rule.ts';
import {
  countByHour,
  type DayCount,
  type HourCount,
  type PostTimes,
  sumByDay,
} from '../../domain/hourly-counts.ts';
import { listActive } from '../../domain/market-event.ts';
import { isTimeZone } from '../../domain/zoned-time.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { unknownEvent } from '../find-event.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { termRows } from '../records/events.ts';
import { recordOf, rowsOf } from '../records/record.ts';

const REUSE_MS = 60_000;

const HourlyQuery = Type.Object({
  event_id: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only this event; default: all active events' }),
  ),
  tz: Type.Optional(
    Type.String({
      maxLength: 64,
      default: 'America/New_York',
      description: 'IANA time zone for day boundaries',
    }),
  ),
});

const countRows = rowsOf<Pick<HourCount, 'counted' | 'all'>>()({
  counted: [Type.Integer({ description: 'Posts that count toward settlement' }), ({ counted }) => counted],
  all: [Type.Integer({ description: 'All posts, including replies' }), ({ all }) => all],
});

const Hour = recordOf<HourCount>()({ start_ts: [Ts, ({ startTs }) => startTs], ...countRows });
const Day = recordOf<DayCount>()({ date: [Type.String(), ({ date }) => date], ...countRows });

interface HourlySource {
  snapshot: AccountSnapshot;
  state: EventState;
  tz: string;
  hours: readonly HourCount[];
}

const HourlyRecord = recordOf<HourlySource>('HourlyRecord')({
  event_id: [Type.Integer(), ({ state }) => state.event.eventId],
  tz: [Type.String(), ({ tz }) => tz],
  hours: [Type.Array(Hour.schema), ({ hours }) => hours.map(Hour.present)],
  days: [Type.Array(Day.schema), ({ hours, tz }) => sumByDay(hours, tz).map(Day.present)],
  ...termRows,
});

export function hourlyRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const readTimes = createTimesReader(context, account);
    return defineRoute({
      path: `${API_PREFIX}/meta/${account.segment}/hourly`,
      query: HourlyQuery,
      document: {
        operationId: `getHourly_${account.segment}`,
        tag: 'Meta',
        summary: `Posts per hour and day in ${account.segment}'s windows`,
        description: 'Hours are counted from the start of the window; days are calendar days in tz.',
        ok: envelope('HourlyAnswer', HourlyRecord.schema),
        also: [404],
      },
      async handle({ query, nowTs }) {
        const tz = query.tz!;
        if (!isTimeZone(tz))
          throw new FaultError([valueFault(['query', 'tz'], 'tz must be an IANA time zone')]);
        const events = listEvents(context, account, query.event_id, nowTs);
        const fromTs = Math.min(...events.map(({ event }) => event.window.startTs));
        const snapshot = context.board.find(account.accountId)!;
        const records = events.map(async (state) => {
          const { terms, window } = state.event;
          const times = await readTimes(fromTs, terms?.countingRule, nowTs);
          return HourlyRecord.present({ snapshot, state, tz, hours: countByHour(times, window, nowTs) });
        });
        return ok({ timestamp: nowTs, data: await Promise.all(records) });
      },
    });
  });
}

function listEvents(
  context: RouteContext,
  account: Account,
  eventId: number | undefined,
  nowTs: number,
): EventState[] {
  const snapshot = context.board.find(account.accountId);
  if (eventId === undefined) return listActive(snapshot, nowTs);
  const state = snapshot?.events.find(({ event }) => event.eventId === eventId);
  if (!state) throw unknownEvent(account, eventId);
  return [state];
}

/** Recomputed per counting rule when posts change, and shared by all callers. */
function createTimesReader(context: RouteContext, account: Account) {
  const recent = createRecentResults<string, Promise<PostTimes>>(8, REUSE_MS);
  return (fromTs: number, rule: CountingRule | undefined, nowTs: number) => {
    const key = `${fromTs} ${JSON.stringify(rule)}`;
    const basis = context.board.find(account.accountId)?.recentPosts;
    const times = recent.get(key, basis, nowTs, () =>
      context.withDeadline(context.store.posts.listTimes(account.accountId, fromTs, rule)),
    );
    times.catch(() => recent.drop(key));
    return times;
  };
}
