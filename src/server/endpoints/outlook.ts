// Insights from an account's history: habits for everyone; the likely next post and similar windows for PRO.

import { envelope, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import {
  type Habit,
  type PostingProfile,
  type PostTimes,
  profilePosting,
} from '../../domain/hourly-counts.ts';
import { listActive } from '../../domain/market-event.ts';
import { DAY_MS } from '../../domain/units.ts';
import { isTimeZone } from '../../domain/zoned-time.ts';
import { estimateNextPost, type NextPost } from '../../forecast/outlook/next-post.ts';
import {
  findSimilarWindows,
  type SimilarWindow,
  type Standing,
} from '../../forecast/outlook/similar-windows.ts';
import { createTimeline, type SortedTimes } from '../../forecast/time/timeline.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { EventState } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { inactiveEvent } from '../find-event.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { type EventSource, eventRows, feedRows, presentFeeds } from '../records/events.ts';
import { recordOf, rowsOf, six } from '../records/record.ts';

const REUSE_MS = 60_000;
const LOOK_BACKS_DAYS = [7, 14, 30];
/** How far back past windows are searched. */
const PAST_MS = 220 * DAY_MS;

const ProfileQuery = Type.Object({
  days: Type.Optional(
    Type.Enum([7, 14, 30], {
      default: 30,
      description: 'Look-back in days for the profiles by hour and weekday',
    }),
  ),
  tz: Type.Optional(
    Type.String({ maxLength: 64, default: 'America/New_York', description: 'IANA time zone' }),
  ),
});

const rateRows = rowsOf<Habit>()({
  counted_per_hour: six(({ countedPerHour }: Habit) => countedPerHour),
  all_per_hour: six(({ allPerHour }: Habit) => allPerHour, { description: 'Including replies' }),
  hours: [
    Type.Integer({ description: 'Number of hours in the look-back that fall into this slot' }),
    ({ hours }) => hours,
  ],
});

const HourHabit = recordOf<Habit>()({
  hour: [Type.Integer({ minimum: 0, maximum: 23 }), ({ place }) => place],
  ...rateRows,
});

const WeekdayHabit = recordOf<Habit>()({
  weekday: [Type.Integer({ minimum: 0, maximum: 6, description: '0 is Sunday' }), ({ place }) => place],
  ...rateRows,
});

const LookBack = recordOf<PostingProfile>()({
  days: [Type.Integer(), ({ days }) => days],
  counted: [Type.Integer(), ({ counted }) => counted],
  all: [Type.Integer(), ({ all }) => all],
  counted_per_day: six(({ counted, days }: PostingProfile) => counted / days),
});

interface ProfileSource {
  chosen: PostingProfile;
  lookBacks: readonly PostingProfile[];
  tz: string;
}

const ProfileRecord = recordOf<ProfileSource>('PostingProfile')({
  tz: [Type.String(), ({ tz }) => tz],
  days: [Type.Integer(), ({ chosen }) => chosen.days],
  by_hour: [Type.Array(HourHabit.schema), ({ chosen }) => chosen.byHour.map(HourHabit.present)],
  by_weekday: [Type.Array(WeekdayHabit.schema), ({ chosen }) => chosen.byWeekday.map(WeekdayHabit.present)],
  look_backs: [
    Type.Array(LookBack.schema, { description: 'For the last 7, 14 and 30 days' }),
    ({ lookBacks }) => lookBacks.map(LookBack.present),
  ],
});

const OutlookQuery = Type.Object({
  event_id: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only this event; default: all active events' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Number of past windows' }),
  ),
});

const NextPostRecord = recordOf<NextPost>('NextPost')({
  p5_ts: [Ts, ({ p5Ts }) => Math.round(p5Ts)],
  p50_ts: [Ts, ({ p50Ts }) => Math.round(p50Ts)],
  p95_ts: [Ts, ({ p95Ts }) => Math.round(p95Ts)],
  sample_size: [
    Type.Integer({ description: 'Number of past gaps between posts used' }),
    ({ sampleSize }) => sampleSize,
  ],
});

const SimilarRecord = recordOf<SimilarWindow>('SimilarWindow')({
  start_ts: [Ts, ({ startTs }) => startTs],
  end_ts: [Ts, ({ endTs }) => endTs],
  count_then: [Type.Integer({ description: 'Count at the same elapsed time' }), ({ countThen }) => countThen],
  last_day_then: [Type.Integer(), ({ lastDayThen }) => lastDayThen],
  final_count: [Type.Integer(), ({ finalCount }) => finalCount],
});

interface OutlookSource extends EventSource {
  next: NextPost | null;
  now: Standing;
  windows: readonly SimilarWindow[];
}

const OutlookRecord = recordOf<OutlookSource>('OutlookRecord')({
  ...eventRows,
  next_post: [
    Type.Union([NextPostRecord.schema, Type.Null()], {
      description:
        'Forecast of the next counted post; null while the post feed is stale or history is too short',
    }),
    // While the post feed is stale, a silence cannot be confirmed.
    ({ snapshot, state, next, nowTs }) =>
      next && !presentFeeds(snapshot, state, nowTs).own.stale ? NextPostRecord.present(next) : null,
  ],
  count_now: [
    Type.Integer({ description: 'Computed from stored posts, like the counts of past windows' }),
    ({ now }) => now.count,
  ],
  last_day_now: [
    Type.Integer({ description: 'Posts in the window during the last 24 hours' }),
    ({ now }) => now.lastDay,
  ],
  similar: [
    Type.Array(SimilarRecord.schema, {
      description: 'Past windows of the same length, most similar count and pace first',
    }),
    ({ windows }) => windows.map(SimilarRecord.present),
  ],
  ...feedRows,
});

export function outlookRoutes(context: RouteContext): Route[] {
  return context.accounts.flatMap((account) => {
    const readPast = createPastReader(context, account);
    return [profileRoute(account, readPast), outlookRoute(context, account, readPast)];
  });
}

interface Past {
  times: PostTimes;
  counted: SortedTimes;
}

type ReadPast = (nowTs: number) => Promise<Past>;

/** Recomputed when posts change, and shared by all callers. */
function createPastReader(context: RouteContext, { accountId }: Account): ReadPast {
  const recent = createRecentResults<string, Promise<Past>>(1, REUSE_MS);
  return (nowTs) => {
    const basis = context.board.find(accountId)?.recentPosts;
    const past = recent.get(accountId, basis, nowTs, async () => {
      const times = await context.withDeadline(context.store.posts.listTimes(accountId, nowTs - PAST_MS));
      return { times, counted: createTimeline(times).counted };
    });
    past.catch(() => recent.drop(accountId));
    return past;
  };
}

function profileRoute({ segment }: Account, readPast: ReadPast): Route {
  return defineRoute({
    path: `${API_PREFIX}/meta/${segment}/profile`,
    query: ProfileQuery,
    document: {
      operationId: `getProfile_${segment}`,
      tag: 'Meta',
      summary: `Posting habits of ${segment} by hour and weekday, and over the last 7, 14 and 30 days`,
      ok: objectEnvelope('ProfileAnswer', ProfileRecord.schema),
    },
    async handle({ query, nowTs }) {
      const tz = query.tz!;
      if (!isTimeZone(tz))
        throw new FaultError([valueFault(['query', 'tz'], 'tz must be an IANA time zone')]);
      const { times } = await readPast(nowTs);
      const lookBacks = LOOK_BACKS_DAYS.map((days) => profilePosting(times, days, nowTs, tz));
      const chosen = lookBacks.find(({ days }) => days === query.days)!;
      return ok({ timestamp: nowTs, data: ProfileRecord.present({ chosen, lookBacks, tz }) });
    },
  });
}

function outlookRoute(context: RouteContext, account: Account, readPast: ReadPast): Route {
  return defineRoute({
    path: `${API_PREFIX}/outlook/${account.segment}`,
    access: 'PRO',
    isPayable: true,
    query: OutlookQuery,
    document: {
      operationId: `getOutlook_${account.segment}`,
      tag: 'Prediction',
      summary: `Next post of ${account.segment}, and similar past windows`,
      description:
        'Based only on posts: similar gaps at this time of day, and the results of past windows with the same length and a similar count.',
      ok: envelope('OutlookAnswer', OutlookRecord.schema),
      also: [404],
    },
    async handle({ query, nowTs }) {
      const snapshot = context.board.find(account.accountId);
      const events = chooseEvents(account, listActive(snapshot, nowTs), query.event_id);
      const { counted } = await readPast(nowTs);
      const next = estimateNextPost(counted, nowTs);
      const data = events.map((state) => {
        const similar = findSimilarWindows(counted, state.event.window, nowTs, query.limit!);
        return OutlookRecord.present({ snapshot: snapshot!, state, next, ...similar, nowTs });
      });
      return ok({ timestamp: nowTs, data });
    },
  });
}

function chooseEvents(
  account: Account,
  active: readonly EventState[],
  eventId: number | undefined,
): readonly EventState[] {
  if (eventId === undefined) return active;
  const chosen = active.filter(({ event }) => event.eventId === eventId);
  if (chosen.length === 0) throw inactiveEvent(account, eventId);
  return chosen;
}
