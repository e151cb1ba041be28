// Edge evidence per account: the account's own settled events count in full, other accounts' events count
// half. Both forward and recomputed forecasts teach it, if they have prices.

import type { AccountId } from '../../domain/account.ts';
import { isRecomputed } from '../../domain/scored-horizons.ts';
import type { EdgeEvidence, ReadingProgress } from '../../domain/standing-advice.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCourtesy } from '../../runtime/courtesy.ts';
import type { ForecastPoint, ForecastScore, Store } from '../../store/ports.ts';
import { type LadderSample, learnInSteps } from '../../trade/edges/learn-evidence.ts';
import { choosePrior, PRIOR_EVIDENCE } from '../../trade/edges/prior-evidence.ts';
import { findHalt } from '../../trade/record/predicted-observed.ts';

export interface EdgeEvidenceBook {
  /** undefined until evidence is first learned. */
  get(accountId: AccountId): EdgeEvidence | undefined;
  /** Rereads forecasts and results; call after a settlement. */
  learn(): Promise<void>;
}

const OTHER_ACCOUNT_WEIGHT = 0.5;
/** Older results no longer halt advice; otherwise a halt would never end, because it stops all betting. */
const HALT_WINDOW_MS = 90 * DAY_MS;
/** Evenly spaced moments to sample per event; closer ones would be redundant. */
const MOMENTS = 8;
const LONGEST_WINDOW_DAYS = 31;

type EvidenceStore = Pick<Store, 'scores' | 'signals' | 'forecasts' | 'events' | 'settlements'>;

export function createEdgeEvidence(
  accountIds: readonly AccountId[],
  store: EvidenceStore,
  clock: Clock,
  /** Accounts that past events are still read for: half of them may show what all of them do not. */
  reading: ReadonlySet<AccountId> = new Set(),
): EdgeEvidenceBook {
  const unread = { ...PRIOR_EVIDENCE, reading: { compared: 0, of: 0 } };
  const evidence = new Map<AccountId, EdgeEvidence>([...reading].map((accountId) => [accountId, unread]));
  /** Cached while the event has the same winner and as many scores, because settled events rarely change. */
  const read = new Map<number, { key: string; samples: LadderSample[] }>();
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function readEvent(event: SettledEvent): Promise<LadderSample[]> {
    const key = `${event.winner} ${event.scored.length} ${event.scoredTs}`;
    const known = read.get(event.eventId);
    if (known?.key === key) return known.samples;
    const samples = await readMoments(store, event);
    read.set(event.eventId, { key, samples });
    return samples;
  }

  async function measure(priced: readonly SettledEvent[]): Promise<ReadingProgress> {
    const settled = new Set<number>();
    for (const accountId of accountIds)
      for (const { eventId } of await store.settlements.list(accountId, 0)) settled.add(eventId);
    return { compared: priced.filter(({ eventId }) => settled.has(eventId)).length, of: settled.size };
  }

  async function learnNow(): Promise<void> {
    const giveWay = createCourtesy({});
    const events = listPriced(await store.scores.list({}));
    await giveWay();
    const samples: LadderSample[] = [];
    for (const event of events) {
      samples.push(...(await readEvent(event)));
      await giveWay();
    }
    const prior = choosePrior(events.map(({ endTs }) => endTs));
    const fromTs = clock.now() - HALT_WINDOW_MS;
    const progress = reading.size > 0 ? await measure(events) : null;
    for (const own of accountIds) {
      const settled = await store.signals.list({ accountId: own, settledOnly: true });
      const halt = findHalt(settled.filter(({ asofTs }) => asofTs >= fromTs));
      if (progress && reading.has(own)) {
        evidence.set(own, { ...PRIOR_EVIDENCE, halt, reading: progress });
        continue;
      }
      const weightOf = ({ group }: LadderSample) => (group === own ? 1 : OTHER_ACCOUNT_WEIGHT);
      const steps = learnInSteps(samples, prior, weightOf);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          evidence.set(own, { ...step.value, halt });
          break;
        }
        await giveWay();
      }
    }
  }

  return {
    get: (accountId) => evidence.get(accountId),
    /** Calls during a run share one further run: a backfill settles hundreds of events in a row. */
    learn() {
      if (!running) {
        running = learnNow().finally(() => {
          running = null;
        });
        return running;
      }
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = null;
          return this.learn();
        });
      return next;
    },
  };
}

interface SettledEvent {
  eventId: number;
  accountId: AccountId;
  endTs: number;
  winner: number;
  scoredTs: number;
  /** Whether any priced forecast was computed later; such an event is no forward evidence. */
  isRecomputed: boolean;
  /** Samples at the scored horizons, used if nothing else is stored. */
  scored: LadderSample[];
}

/** Skips scores without prices, because they say nothing about the market. */
function listPriced(scores: readonly ForecastScore[]): SettledEvent[] {
  return [...Map.groupBy(scores, ({ eventId }) => eventId).values()].flatMap((own) => {
    const { eventId, accountId, endTs, buckets } = own[0]!;
    const winner = buckets.findIndex((bucket) => bucket.won);
    const priced = own.filter((score) => score.buckets.some(({ marketPrice }) => marketPrice !== null));
    const scored = priced.map((score): LadderSample => {
      const model = score.buckets.map(({ probability }) => probability);
      const prices = score.buckets.map(({ marketPrice }) => marketPrice);
      return { eventId, leadHours: score.horizonH, model, prices, winner };
    });
    if (winner < 0 || scored.length === 0) return [];
    const scoredTs = Math.max(...priced.map((score) => score.scoredTs));
    return [{ eventId, accountId, endTs, winner, scoredTs, isRecomputed: priced.some(isRecomputed), scored }];
  });
}

async function readMoments(
  { forecasts, events }: Pick<EvidenceStore, 'forecasts' | 'events'>,
  { eventId, accountId, endTs, winner, scored, isRecomputed: isLater }: SettledEvent,
): Promise<LadderSample[]> {
  const window = (await events.find(eventId))?.window;
  const origin = { group: accountId, isRecomputed: isLater, ...(window && { window }) };
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
  if (priced.length <= scored.length) return scored.map((sample) => ({ ...sample, ...origin }));
  return thin(priced, endTs).map(({ asofTs, bucketProbabilities, marketPrices }) => ({
    eventId,
    leadHours: (endTs - asofTs) / HOUR_MS,
    model: bucketProbabilities,
    prices: marketPrices,
    winner,
    ...origin,
  }));
}

/** Splits the event into equal time slots and keeps the last point in each. */
function thin(points: readonly ForecastPoint[], endTs: number): ForecastPoint[] {
  const partMs = (endTs - points[0]!.asofTs) / MOMENTS;
  const lastOfParts = new Map(
    points.map((point) => [Math.floor((point.asofTs - points[0]!.asofTs) / partMs), point]),
  );
  return [...lastOfParts.values()];
}
