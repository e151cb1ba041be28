// What settled events of all accounts show about model and market. Only events that were scored since are read
// again.

import type { AccountId } from '../../domain/account.ts';
import { FIRST_VENUE, type VenueId } from '../../domain/contract.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { isRecomputed } from '../../domain/scored-horizons.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { ForecastPoint, ForecastScore, Store } from '../../store/ports.ts';
import { findPastBets } from '../../trade/backtest/past-bets.ts';
import type { LadderSample } from '../../trade/edges/learn-evidence.ts';
import { RULES } from '../../trade/rules/all-rules.ts';
import type { SettledBet } from '../../trade/rules/judge.ts';

/** Events with prices, earliest end first. */
export interface ScoredEvents {
  /** Unchanged results are the same object. */
  read(): Promise<ScoredPast>;
}

export interface ScoredPast {
  events: readonly SettledEvent[];
  samples: readonly LadderSample[];
  /** What the rules would have bet. */
  bets: readonly PastBet[];
}

export interface PastBet extends SettledBet {
  rule: string;
  accountId: AccountId;
  venue: VenueId;
  isRecomputed: boolean;
}

interface SettledEvent {
  eventId: number;
  accountId: AccountId;
  endTs: number;
  winner: number;
  /** Whether any priced forecast was computed later; such an event is no forward evidence. */
  isRecomputed: boolean;
  /** Samples at the scored horizons, used if nothing else is stored. */
  scored: LadderSample[];
}

type EventVersion = Awaited<ReturnType<Store['scores']['listVersions']>>[number];

interface KnownEvent {
  version: string;
  /** null without prices, because then it says nothing about the market. */
  event: SettledEvent | null;
  samples: readonly LadderSample[];
  bets: readonly PastBet[];
}

/** Evenly spaced moments to sample per event; closer ones would be redundant. */
const MOMENTS = 8;
const LONGEST_WINDOW_DAYS = 31;
const EVENTS_AT_ONCE = 50;

export type ScoredStore = Pick<Store, 'scores' | 'forecasts' | 'events'>;

export function createScoredEvents(store: ScoredStore): ScoredEvents {
  let known = new Map<number, KnownEvent>();
  let past: ScoredPast = { events: [], samples: [], bets: [] };

  async function read(): Promise<ScoredPast> {
    const versions = await store.scores.listVersions();
    const changed = versions.filter(({ eventId, version }) => known.get(eventId)?.version !== version);
    if (changed.length === 0 && versions.length === known.size) return past;
    const fresh = await readEvents(changed);
    const before = known;
    known = new Map(versions.map(({ eventId }) => [eventId, fresh.get(eventId) ?? before.get(eventId)!]));
    // Events without prices teach nothing, so that nothing is learned again because of them.
    const isTaught = [...known].some(([id, { event }]) => event !== (before.get(id)?.event ?? null));
    const isForgotten = [...before].some(([id, { event }]) => event && !known.has(id));
    if (isTaught || isForgotten) past = combine(known);
    return past;
  }

  async function readEvents(changed: readonly EventVersion[]): Promise<Map<number, KnownEvent>> {
    const fresh = new Map<number, KnownEvent>();
    for (let from = 0; from < changed.length; from += EVENTS_AT_ONCE) {
      const part = changed.slice(from, from + EVENTS_AT_ONCE);
      const scores = await store.scores.list({ eventIds: part.map(({ eventId }) => eventId) });
      const byEvent = Map.groupBy(scores, ({ eventId }) => eventId);
      for (const { eventId, version } of part) {
        const event = findPriced(byEvent.get(eventId) ?? []);
        const taught = event ? await readMoments(store, event) : { samples: [], bets: [] };
        fresh.set(eventId, { version, event, ...taught });
        await takeBackgroundTurn();
      }
    }
    return fresh;
  }

  return { read: shareRuns(read) };
}

function combine(known: ReadonlyMap<number, KnownEvent>): ScoredPast {
  const priced = [...known.values()].flatMap(({ event, samples, bets }) =>
    event ? [{ event, samples, bets }] : [],
  );
  priced.sort(
    ({ event: left }, { event: right }) => left.endTs - right.endTs || left.eventId - right.eventId,
  );
  return {
    events: priced.map(({ event }) => event),
    samples: priced.flatMap(({ samples }) => samples),
    bets: priced.flatMap(({ bets }) => bets),
  };
}

/** Skips scores without prices. */
function findPriced(own: readonly ForecastScore[]): SettledEvent | null {
  const winner = own[0]?.buckets.findIndex((bucket) => bucket.won) ?? -1;
  const priced = own.filter((score) => score.buckets.some(({ marketPrice }) => marketPrice !== null));
  if (winner < 0 || priced.length === 0) return null;
  const { eventId, accountId, endTs } = own[0]!;
  const scored = priced.map((score): LadderSample => {
    const model = score.buckets.map(({ probability }) => probability);
    const prices = score.buckets.map(({ marketPrice }) => marketPrice);
    return { eventId, leadHours: score.horizonH, model, prices, winner };
  });
  return { eventId, accountId, endTs, winner, isRecomputed: priced.some(isRecomputed), scored };
}

async function readMoments(
  { forecasts, events }: ScoredStore,
  settled: SettledEvent,
): Promise<Pick<KnownEvent, 'samples' | 'bets'>> {
  const { eventId, accountId, endTs, winner, scored } = settled;
  const event = await events.find(eventId);
  const origin = {
    group: accountId,
    isRecomputed: settled.isRecomputed,
    ...(event && { window: event.window }),
  };
  const points = await forecasts.listPoints(eventId, {
    fromTs: endTs - LONGEST_WINDOW_DAYS * DAY_MS,
    untilTs: endTs,
    limit: LONGEST_WINDOW_DAYS * 24 + 1,
    isHourly: true,
  });
  const width = scored[0]!.model.length;
  // A ladder that has changed since then cannot be compared by bucket.
  const priced = points.filter(
    ({ bucketProbabilities, marketPrices }) =>
      bucketProbabilities.length === width && marketPrices.some((price) => price !== null),
  );
  const bets = event?.buckets.length === width ? findBets(settled, event, priced) : [];
  if (priced.length <= scored.length)
    return { samples: scored.map((sample) => ({ ...sample, ...origin })), bets };
  const samples = thin(priced, endTs).map(({ asofTs, bucketProbabilities, marketPrices }) => ({
    eventId,
    leadHours: (endTs - asofTs) / HOUR_MS,
    model: bucketProbabilities,
    prices: marketPrices,
    winner,
    ...origin,
  }));
  return { samples, bets };
}

function findBets(
  { accountId, winner, isRecomputed }: SettledEvent,
  event: MarketEvent,
  points: readonly ForecastPoint[],
): PastBet[] {
  const venue = event.terms?.venue ?? FIRST_VENUE;
  return RULES.flatMap((rule) =>
    findPastBets(rule, { ...event, venue, winner }, points).map((bet) => ({
      ...bet,
      ...{ rule: rule.name, accountId, venue, isRecomputed },
    })),
  );
}

/** Splits the event into equal time slots and keeps the last point in each. */
function thin(points: readonly ForecastPoint[], endTs: number): ForecastPoint[] {
  const partMs = (endTs - points[0]!.asofTs) / MOMENTS;
  const lastOfParts = new Map(
    points.map((point) => [Math.floor((point.asofTs - points[0]!.asofTs) / partMs), point]),
  );
  return [...lastOfParts.values()];
}

/** Calls during a run share one further run, because the current one may have missed what they want to have seen. */
export function shareRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function begin(): Promise<T> {
    running = run().finally(() => {
      running = null;
    });
    return running;
  }

  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
