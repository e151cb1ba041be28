// Posts per hour and day in an event's window.

import { FaultError, valueFault } from '../../contract/faults.ts';
import { HourlyAnswer, HourlyQuery } from '../../contract/hourly.ts';
import type { Account } from '../../domain/account.ts';
import type { CountingRule } from '../../domain/counting-rule.ts';
import { countByHour, type PostTimes, sumByDay } from '../../domain/hourly-counts.ts';
import { listActive, type MarketEvent } from '../../domain/market-event.ts';
import { isTimeZone } from '../../domain/zoned-time.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { EventState } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { unknownEvent } from '../find-event.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentTerms } from '../records/events.ts';

const REUSE_MS = 60_000;

export function hourlyRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const readTimes = createTimesReader(context, account);
    return defineLooseRoute({
      path: `${API_PREFIX}/meta/${account.segment}/hourly`,
      query: HourlyQuery,
      document: {
        operationId: `getHourly_${account.segment}`,
        tag: 'Meta',
        summary: `Posts per hour and day in ${account.segment}'s windows`,
        description: 'Hours are counted from the start of the window; days are calendar days in tz.',
        ok: HourlyAnswer,
        also: [404],
      },
      async handle({ query, nowTs }) {
        const tz = query.tz!;
        if (!isTimeZone(tz))
          throw new FaultError([valueFault(['query', 'tz'], 'tz must be an IANA time zone')]);
        const events = listEvents(context, account, query.event_id, nowTs);
        const fromTs = Math.min(...events.map(({ event }) => event.window.startTs));
        const snapshot = context.board.find(account.accountId);
        const records = events.map(async ({ event }) => {
          const times = await readTimes(fromTs, event.terms?.countingRule, nowTs);
          return { ...presentHourly(event, times, tz, nowTs), ...presentTerms(snapshot, event) };
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

function presentHourly(event: MarketEvent, times: PostTimes, tz: string, nowTs: number) {
  const hours = countByHour(times, event.window, nowTs);
  return {
    event_id: event.eventId,
    tz,
    hours: hours.map(({ startTs, counted, all }) => ({ start_ts: startTs, counted, all })),
    days: sumByDay(hours, tz),
  };
}
