// Insights from an account's history: habits for everyone; the likely next post and similar windows for PRO.

import { FaultError, valueFault } from '../../contract/faults.ts';
import { OutlookAnswer, OutlookQuery, ProfileAnswer, ProfileQuery } from '../../contract/outlook.ts';
import type { Account } from '../../domain/account.ts';
import { type PostTimes, profilePosting } from '../../domain/hourly-counts.ts';
import { listActive } from '../../domain/market-event.ts';
import { DAY_MS } from '../../domain/units.ts';
import { isTimeZone } from '../../domain/zoned-time.ts';
import { estimateNextPost } from '../../forecast/outlook/next-post.ts';
import { findSimilarWindows } from '../../forecast/outlook/similar-windows.ts';
import { createTimeline, type SortedTimes } from '../../forecast/time/timeline.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { EventState } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { inactiveEvent } from '../find-event.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';

import { presentOutlook, presentProfile } from '../views/outlook.ts';

const REUSE_MS = 60_000;
const LOOK_BACKS_DAYS = [7, 14, 30];
/** How far back past windows are searched. */
const PAST_MS = 220 * DAY_MS;

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
  return defineLooseRoute({
    path: `${API_PREFIX}/meta/${segment}/profile`,
    query: ProfileQuery,
    document: {
      operationId: `getProfile_${segment}`,
      tag: 'Meta',
      summary: `Posting habits of ${segment} by hour and weekday, and over the last 7, 14 and 30 days`,
      ok: ProfileAnswer,
    },
    async handle({ query, nowTs }) {
      const tz = query.tz!;
      if (!isTimeZone(tz))
        throw new FaultError([valueFault(['query', 'tz'], 'tz must be an IANA time zone')]);
      const { times } = await readPast(nowTs);
      const profiles = LOOK_BACKS_DAYS.map((days) => profilePosting(times, days, nowTs, tz));
      const chosen = profiles.find(({ days }) => days === query.days)!;
      return ok({ timestamp: nowTs, data: presentProfile(chosen, profiles, tz) });
    },
  });
}

function outlookRoute(context: RouteContext, account: Account, readPast: ReadPast): Route {
  return defineLooseRoute({
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
      ok: OutlookAnswer,
      also: [404],
    },
    async handle({ query, nowTs }) {
      const snapshot = context.board.find(account.accountId);
      const events = chooseEvents(account, listActive(snapshot, nowTs), query.event_id);
      const { counted } = await readPast(nowTs);
      const next = estimateNextPost(counted, nowTs);
      const data = events.map((state) =>
        presentOutlook(
          snapshot!,
          state,
          next,
          findSimilarWindows(counted, state.event.window, nowTs, query.limit!),
          nowTs,
        ),
      );
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
