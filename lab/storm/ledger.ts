// What a storm records to judge the service: captures, writers, displayed counts, and every violation.

import type { Simulator } from '../../simulator/simulator.ts';
import type { PostTruth } from '../../simulator/truth.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import type { StoreWatcher } from './faulty-store.ts';

export interface Trouble {
  fromTs: number;
  untilTs: number;
  /** Margin around a fault in which a response may have been lost. */
  reachMs: number;
}

export interface Ledger {
  readonly watcher: StoreWatcher;
  readonly broken: string[];
  /** By account and root id. */
  readonly captured: Map<string, CapturedPost>;
  /** Periods in which an external response may have been lost on our side. */
  readonly troubles: Trouble[];
  fail(ts: number, what: string): void;
  /** Counts shown by the newest leader may only grow, except for posts it reports as doubtful. */
  watchSnapshot(snapshot: AccountSnapshot, nowTs: number): void;
  /** Delivered posts that are missing without a fault to explain it. */
  findLost(simulator: Simulator, sinceTs: number): string[];
}

/** Longest time from a post's delivery to its stored row, including a feed's retries. */
export const TROUBLE_REACH_MS = 90_000;

export function createLedger(now: () => number, log: (line: string) => void): Ledger {
  const broken: string[] = [];
  const captured = new Map<string, CapturedPost>();
  const troubles: Trouble[] = [];
  const shown = new Map<number, number>();
  let newestEpoch = 0;

  const fail = (ts: number, what: string) => {
    log(`broken: ${what}`);
    broken.push(`${new Date(ts).toISOString()} ${what}`);
  };

  function noteCaptured(posts: readonly CapturedPost[]): void {
    for (const post of posts) {
      const name = `${post.accountId}:${post.rootPostId}`;
      if (captured.has(name)) fail(now(), `post ${name} was captured twice`);
      captured.set(name, post);
    }
  }

  /**
   * A response in flight when a fault started may be lost; a post deleted before the next poll is then gone.
   */
  function isExcused(servedTs: number, deletedTs: number | null): boolean {
    if (deletedTs === null) return false;
    return troubles.some(
      ({ fromTs, untilTs, reachMs }) => servedTs >= fromTs - reachMs && servedTs <= untilTs + reachMs,
    );
  }

  return {
    broken,
    captured,
    troubles,
    fail,
    watcher: {
      newestEpoch: () => newestEpoch,
      onEpoch(epoch) {
        if (epoch <= newestEpoch) fail(now(), `epoch ${epoch} was used after ${newestEpoch}`);
        newestEpoch = Math.max(newestEpoch, epoch);
      },
      onFencedWrite(epoch, issuedAtEpoch) {
        if (epoch < issuedAtEpoch)
          fail(now(), `leader ${epoch} wrote after leader ${issuedAtEpoch} took over`);
      },
      onCaptured: noteCaptured,
      onSettled(posts) {
        for (const post of posts) captured.set(`${post.accountId}:${post.rootPostId}`, post);
      },
    },
    watchSnapshot(snapshot, nowTs) {
      for (const { event, counters, doubt, forecast } of snapshot.events) {
        const before = shown.get(event.eventId) ?? 0;
        const certain = counters.real === null ? null : counters.real - (doubt?.counted ?? 0);
        if (certain !== null && certain < before)
          fail(nowTs, `event ${event.eventId}: count fell from ${before} to ${certain}`);
        shown.set(event.eventId, Math.max(before, certain ?? 0));
        if (forecast)
          for (const problem of judgeForecast(forecast)) fail(nowTs, `${event.eventId}: ${problem}`);
      }
    },
    findLost(simulator, sinceTs) {
      return simulator
        .truePosts(sinceTs, simulator.now())
        .filter(({ firstServedTs }) => firstServedTs !== null)
        .filter((post) => !listVersions(post).some((name) => captured.has(name)))
        .filter(({ firstServedTs, deletedTs }) => !isExcused(firstServedTs!, deletedTs))
        .map(({ accountId, id }) => `${accountId}:${id}`);
    },
  };
}

/** Names of all versions of a post, because mirrors show an edited post under its newest id. */
export function listVersions({ accountId, id, editIds }: PostTruth): string[] {
  return [id, ...editIds].map((one) => `${accountId}:${one}`);
}

const judged = new WeakSet<object>();

function judgeForecast(forecast: NonNullable<AccountSnapshot['events'][number]['forecast']>): string[] {
  if (judged.has(forecast)) return [];
  judged.add(forecast);
  const problems: string[] = [];
  const total = sum(forecast.bucketProbabilities);
  if (Math.abs(total - 1) > 1e-6) problems.push(`bucket probabilities sum to ${total}`);
  const { p5, p50, p95 } = forecast;
  if (!(p5 <= p50 && p50 <= p95)) problems.push(`percentiles ${p5}, ${p50}, ${p95} are out of order`);
  return problems;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
