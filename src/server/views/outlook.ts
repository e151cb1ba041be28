// An account's posting habits, its likely next post, and past windows similar to an active one.

import type { Habit, PostingProfile } from '../../domain/hourly-counts.ts';
import type { NextPost } from '../../forecast/outlook/next-post.ts';
import type { SimilarWindow, Standing } from '../../forecast/outlook/similar-windows.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import { presentFeeds, presentTerms } from '../records/events.ts';
import { round6 } from '../records/record.ts';

export function presentProfile(chosen: PostingProfile, lookBacks: readonly PostingProfile[], tz: string) {
  return {
    tz,
    days: chosen.days,
    by_hour: chosen.byHour.map((habit) => ({ hour: habit.place, ...presentRates(habit) })),
    by_weekday: chosen.byWeekday.map((habit) => ({ weekday: habit.place, ...presentRates(habit) })),
    look_backs: lookBacks.map(({ days, counted, all }) => ({
      days,
      counted,
      all,
      counted_per_day: round6(counted / days),
    })),
  };
}

function presentRates({ countedPerHour, allPerHour, hours }: Habit) {
  return { counted_per_hour: round6(countedPerHour), all_per_hour: round6(allPerHour), hours };
}

export function presentOutlook(
  snapshot: AccountSnapshot,
  state: EventState,
  next: NextPost | null,
  { now, windows }: { now: Standing; windows: readonly SimilarWindow[] },
  nowTs: number,
) {
  const feeds = presentFeeds(snapshot, state, nowTs);
  return {
    event_id: state.event.eventId,
    event_title: state.event.title,
    ...presentTerms(snapshot, state.event),
    // While the post feed is stale, a silence cannot be confirmed.
    next_post: next && !feeds.own.stale ? presentNext(next) : null,
    count_now: now.count,
    last_day_now: now.lastDay,
    similar: windows.map((window) => ({
      start_ts: window.startTs,
      end_ts: window.endTs,
      count_then: window.countThen,
      last_day_then: window.lastDayThen,
      final_count: window.finalCount,
    })),
    feeds,
  };
}

function presentNext({ p5Ts, p50Ts, p95Ts, sampleSize }: NextPost) {
  return {
    p5_ts: Math.round(p5Ts),
    p50_ts: Math.round(p50Ts),
    p95_ts: Math.round(p95Ts),
    sample_size: sampleSize,
  };
}
