// Polls /health and checks that every total outage of a feed is reported stale in time and recovers without
// intervention.

import type { FeedName } from '../../../src/domain/feed.ts';
import { getStaleAfterMs } from '../../../src/sources/feeds.ts';
import type { OutageKind } from './schedule.ts';

export interface Health {
  timestamp: number;
  status: string;
  problems?: string[];
  feeds: Record<
    string,
    Record<string, { stale: boolean; updated_ts: number | null } | undefined> | undefined
  >;
}

export interface StaleWatch {
  begin(outage: OutageKind, fromTs: number, untilTs: number): void;
  see(health: Health): void;
  /** A restart postpones recovery, because a stopped process cannot recover. */
  noteRestart(): void;
  /** The machine stalled: outages in progress were not observed and are ignored. */
  noteStandstill(): void;
  summary(): StaleSummary;
}

export interface StaleSummary {
  outages: number;
  standstills: number;
  /** When staleness was reported, as a multiple of stale-after; slowest recovery in real seconds. */
  medianReported: number;
  slowestReported: number;
  /** Real seconds into an outage at which the feed last responded. */
  latestHeardS: number;
  slowestRecoveryS: number;
  broken: string[];
}

interface Watched {
  name: string;
  segment: string;
  feed: FeedName;
  fromTs: number;
  untilTs: number;
  staleAfterMs: number;
  reportedTs: number | null;
  recoveredTs: number | null;
  heardTs: number;
  asksWhenDue: number;
  restarts: number;
  mayStayStale: boolean;
  broken: string | null;
}

/**
 * Real milliseconds until a response from before the outage is stored. At two thousand times real time every
 * feed is polled without a pause: usually less than half a second, more than three on an overloaded machine.
 * The actual delay is printed.
 */
const IN_FLIGHT_MS = 4_000;
/** Real milliseconds allowed for recovery, including back-off, catching up and a busy machine. */
const RECOVERY_MS = 15_000;
const RESTART_MS = 10_000;

export function createStaleWatch(speed: number): StaleWatch {
  let watched: Watched[] = [];
  let standstills = 0;

  function judge(one: Watched, health: Health): void {
    const { timestamp } = health;
    // An account without data is also reported stale.
    const isStaleNow = health.feeds[one.segment]?.[one.feed]?.stale ?? true;
    if (timestamp < one.untilTs) {
      one.heardTs = Math.max(one.heardTs, health.feeds[one.segment]?.[one.feed]?.updated_ts ?? 0);
      if (isStaleNow && timestamp > one.fromTs) one.reportedTs ??= timestamp;
      if (timestamp < one.fromTs + one.staleAfterMs + IN_FLIGHT_MS * speed) return;
      one.asksWhenDue += 1;
      if (!isStaleNow)
        one.broken ??= `not reported stale ${seconds(timestamp - one.fromTs)} real s into the outage, last response ${seconds(one.heardTs - one.fromTs)} real s into it`;
      return;
    }
    if (!isStaleNow || one.mayStayStale) one.recoveredTs ??= timestamp;
    const allowedMs = (RECOVERY_MS + RESTART_MS * one.restarts) * speed;
    if (one.recoveredTs === null && timestamp > one.untilTs + allowedMs)
      one.broken ??= `still stale ${seconds(timestamp - one.untilTs)} real s after the outage`;
  }

  function seconds(simulatorMs: number): number {
    return Math.round(simulatorMs / speed / 100) / 10;
  }

  return {
    begin(outage, fromTs, untilTs) {
      for (const feedPath of outage.stale) {
        const [segment, feed] = feedPath.split('/') as [string, FeedName];
        watched.push({
          name: `${outage.name}: ${feedPath}`,
          segment,
          feed,
          fromTs,
          untilTs,
          staleAfterMs: getStaleAfterMs(feed, speed),
          reportedTs: null,
          recoveredTs: null,
          heardTs: fromTs,
          asksWhenDue: 0,
          restarts: 0,
          mayStayStale: outage.mayStayStale ?? false,
          broken: null,
        });
      }
    },
    see(health) {
      for (const one of watched) if (one.recoveredTs === null) judge(one, health);
    },
    noteRestart() {
      for (const one of watched) if (one.recoveredTs === null) one.restarts += 1;
    },
    noteStandstill() {
      standstills += 1;
      watched = watched.filter((one) => one.recoveredTs !== null || one.broken !== null);
    },
    summary() {
      const reported = watched.map((one) => ((one.reportedTs ?? Infinity) - one.fromTs) / one.staleAfterMs);
      const recovered = watched.map((one) => seconds((one.recoveredTs ?? Infinity) - one.untilTs));
      return {
        outages: watched.length,
        standstills,
        medianReported: roundRatio(reported.sort((left, right) => left - right)[reported.length >> 1] ?? 0),
        slowestReported: roundRatio(Math.max(0, ...reported)),
        latestHeardS: Math.max(0, ...watched.map((one) => seconds(one.heardTs - one.fromTs))),
        slowestRecoveryS: Math.max(0, ...recovered),
        broken: watched.flatMap((one) => {
          const what =
            one.broken ??
            (one.asksWhenDue === 0 ? 'health did not respond while the feed should have been stale' : null) ??
            (one.recoveredTs === null ? 'never recovered' : null);
          return what === null ? [] : [`${one.name} at ${new Date(one.fromTs).toISOString()}: ${what}`];
        }),
      };
    },
  };
}

function roundRatio(ratio: number): number {
  return Math.round(100 * ratio) / 100;
}
