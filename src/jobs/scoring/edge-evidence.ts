// Edge evidence per account: the account's own settled events count in full, other accounts' events count
// half. Samples each event's priced forecasts; an event counts once, however many samples it has.

import type { AccountId } from '../../domain/account.ts';
import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ForecastPoint, ForecastScore, Store } from '../../store/ports.ts';
import { type LadderSample, learnEvidence, PRIOR_EVIDENCE } from '../../trade/edges/learn-evidence.ts';
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

type EvidenceStore = Pick<Store, 'scores' | 'signals' | 'forecasts'>;

export function createEdgeEvidence(
  accountIds: readonly AccountId[],
  store: EvidenceStore,
  clock: Clock,
): EdgeEvidenceBook {
  const evidence = new Map<AccountId, EdgeEvidence>();
  /** Cached by event and winner, because settled events do not change. */
  const read = new Map<string, LadderSample[]>();

  async function readEvent(event: SettledEvent): Promise<LadderSample[]> {
    const key = `${event.eventId} ${event.winner}`;
    const known = read.get(key);
    if (known) return known;
    const samples = await readMoments(store, event);
    read.set(key, samples);
    return samples;
  }

  return {
    get: (accountId) => evidence.get(accountId),
    async learn() {
      const events = listPriced(await store.scores.list({}));
      const moments: { accountId: AccountId; samples: LadderSample[] }[] = [];
      for (const event of events)
        moments.push({ accountId: event.accountId, samples: await readEvent(event) });
      const fromTs = clock.now() - HALT_WINDOW_MS;
      for (const own of accountIds) {
        const settled = await store.signals.list({ accountId: own, settledOnly: true });
        const halt = findHalt(settled.filter(({ asofTs }) => asofTs >= fromTs));
        const samples = moments.flatMap(({ accountId, samples: all }) =>
          accountId === own ? all : all.map((sample) => ({ ...sample, eventWeight: OTHER_ACCOUNT_WEIGHT })),
        );
        evidence.set(own, { ...learnEvidence(samples, PRIOR_EVIDENCE), halt });
      }
    },
  };
}

interface SettledEvent {
  eventId: number;
  accountId: AccountId;
  endTs: number;
  winner: number;
  /** Samples at the scored horizons, used if nothing else is stored. */
  scored: LadderSample[];
}

/** Skips scores without prices, such as recomputed ones, because they say nothing about the market. */
function listPriced(scores: readonly ForecastScore[]): SettledEvent[] {
  return [...Map.groupBy(scores, ({ eventId }) => eventId).values()].flatMap((own) => {
    const { eventId, accountId, endTs, buckets } = own[0]!;
    const winner = buckets.findIndex((bucket) => bucket.won);
    const scored = own.flatMap((score): LadderSample[] => {
      if (score.buckets.every(({ marketPrice }) => marketPrice === null)) return [];
      const model = score.buckets.map(({ probability }) => probability);
      const prices = score.buckets.map(({ marketPrice }) => marketPrice);
      return [{ eventId, leadHours: score.horizonH, model, prices, winner }];
    });
    return winner < 0 || scored.length === 0 ? [] : [{ eventId, accountId, endTs, winner, scored }];
  });
}

async function readMoments(
  { forecasts }: Pick<EvidenceStore, 'forecasts'>,
  { eventId, endTs, winner, scored }: SettledEvent,
): Promise<LadderSample[]> {
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
  if (priced.length <= scored.length) return scored;
  return thin(priced, endTs).map(({ asofTs, bucketProbabilities, marketPrices }) => ({
    eventId,
    leadHours: (endTs - asofTs) / HOUR_MS,
    model: bucketProbabilities,
    prices: marketPrices,
    winner,
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
