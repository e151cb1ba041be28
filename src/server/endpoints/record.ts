// The complete performance record: forward and recomputed forecasts, with intervals and sample sizes.

import { setImmediate } from 'node:timers/promises';
import { MaybeNumber, MaybeTs, named, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { CountWindow } from '../../domain/market-event.ts';
import { isRecomputed } from '../../domain/scored-horizons.ts';
import type { EdgeEvidence } from '../../domain/standing-advice.ts';
import { HOUR_MS } from '../../domain/units.ts';
import { intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import { createRandom, type Random } from '../../runtime/random.ts';
import type { Seal } from '../../sealing/seal.ts';
import type { ForecastScore } from '../../store/ports.ts';
import { learnForward, type PastSample } from '../../trade/edges/learn-forward.ts';
import { choosePrior, PRIOR_EVIDENCE } from '../../trade/edges/prior-evidence.ts';
import {
  compareForecasters,
  type Estimate,
  type ForecasterRow,
} from '../../trade/record/compare-forecasters.ts';
import { findRepeats, keepLedger, type PaperLedger } from '../../trade/record/paper-ledger.ts';
import { computeReliability, type ReliabilityBin } from '../../trade/record/reliability.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute } from '../http/route.ts';
import { EvidenceRecord } from '../records/evidence.ts';
import { type Place, type PlaceOf, placeRows, readPlaces } from '../records/places.ts';
import { maybeSix, recordOf, six } from '../records/record.ts';
import { labelsOfSignal } from './ledger.ts';
import { HORIZONS_H, horizonParameter, interpolateQuantile, type RecentScores } from './recent-scores.ts';

/** Fixed seed, so that the same scores always have the same resampled intervals. */
const SEED = 1;
const RESAMPLES = 500;
const MIN_EVENTS = 3;

const EstimateRecord = recordOf<Estimate>('RecordEstimate')({
  mean: maybeSix(({ mean }) => mean),
  low: maybeSix(({ interval }) => interval?.lo, {
    description: 'Lower end of the 90 % interval, resampled by event; null below 3 events',
  }),
  high: maybeSix(({ interval }) => interval?.hi),
  events: [Type.Integer(), ({ events }) => events],
});

const estimateSchema = (description = 'Lower is better, except for returns') => ({
  ...EstimateRecord.schema,
  description,
});

const ForecasterRecord = recordOf<ForecasterRow>('RecordForecaster')({
  name: [Type.Enum(['model', 'market', 'blend']), ({ name }) => name],
  log_score: [estimateSchema(), ({ logScore }) => EstimateRecord.present(logScore)],
  ranked_score: [
    estimateSchema('CRPS over the ladder, in buckets'),
    ({ rankedScore }) => EstimateRecord.present(rankedScore),
  ],
  return_on_stake: [
    estimateSchema(
      'Return on a stake spread over the buckets in proportion to the forecast, at quoted prices and before fees; higher is better',
    ),
    ({ returnOnStake }) => EstimateRecord.present(returnOnStake),
  ],
});

interface Lead {
  horizonH: number;
  errorsPercent: readonly number[];
  interval: { lo: number; hi: number } | null;
}

const LeadRecord = recordOf<Lead>('RecordLead')({
  horizon: [Type.Integer(), ({ horizonH }) => horizonH],
  median_error_pct: [MaybeNumber, ({ errorsPercent }) => interpolateQuantile(errorsPercent, 0.5)],
  low: maybeSix(({ interval }) => interval?.lo, {
    description: '90 % interval of the median, resampled by event',
  }),
  high: maybeSix(({ interval }) => interval?.hi),
  events: [Type.Integer(), ({ errorsPercent }) => errorsPercent.length],
});

const ReliabilityRecord = recordOf<ReliabilityBin>('RecordReliability')({
  from: [Type.Number(), ({ from }) => from],
  to: [Type.Number(), ({ to }) => to],
  mean_probability: maybeSix(({ meanProbability }) => meanProbability),
  won_fraction: maybeSix(({ wonFraction }) => wonFraction),
  low: maybeSix(({ interval }) => interval?.lo, { description: '90 % interval, resampled by event' }),
  high: maybeSix(({ interval }) => interval?.hi),
  buckets: [Type.Integer(), ({ buckets }) => buckets],
  events: [Type.Integer(), ({ events }) => events],
});

const PointRecord = recordOf<{ score: ForecastScore; place: Place }>('RecordPoint')({
  event_id: [Type.Integer(), ({ score }) => score.eventId],
  ...placeRows,
  end_ts: [Ts, ({ score }) => score.endTs],
  p50: [Type.Number(), ({ score }) => score.p50],
  final_count: [Type.Integer(), ({ score }) => score.finalCount],
  error_pct: six(({ score }) => score.errorPercent),
  inside_90: [
    Type.Boolean({ description: 'Whether the outcome was inside the 90 % interval' }),
    ({ score }) => score.isInside90,
  ],
  log_score: six(({ score }) => score.bucketLogScore),
  market_log_score: maybeSix(({ score }) => score.baselines.market?.bucketLogScore),
});

const SectionAnswer = named(
  'RecordSection',
  Type.Object({
    events: Type.Integer({ description: 'Settled events with a forecast at this horizon' }),
    first_end_ts: MaybeTs,
    last_end_ts: MaybeTs,
    forecasters: Type.Array(ForecasterRecord.schema, {
      description:
        "Scored on events with market prices; the blend's weights are learned from the account's events that had ended by the time of the forecast",
    }),
    by_lead: Type.Array(LeadRecord.schema),
    reliability: Type.Array(ReliabilityRecord.schema),
    points: Type.Array(PointRecord.schema, { description: 'Ordered by end time' }),
  }),
);

const AdviceRecord = recordOf<PaperLedger>()({
  bets: [Type.Integer(), ({ bets }) => bets],
  events: [Type.Integer(), ({ events }) => events],
  return_on_stake: maybeSix(({ returnOnStake }) => returnOnStake),
  low: maybeSix(({ returnInterval }) => returnInterval?.lo),
  high: maybeSix(({ returnInterval }) => returnInterval?.hi),
});

const SealReference = recordOf<Seal>()({
  hour_ts: [Ts, ({ hourTs }) => hourTs],
  chain: [Type.String(), ({ chain }) => chain],
});

const PastPricesRecord = recordOf<{ read: number; events: number }>()({
  read: [Type.Integer(), ({ read }) => read],
  events: [Type.Integer({ description: 'Settled events' }), ({ events }) => events],
});

/** How many settled events have had their past prices read from the venue. */
async function countPastPrices({ store, accounts }: RouteContext, accountId: string | undefined) {
  const asked = accounts.filter((account) => accountId === undefined || account.accountId === accountId);
  const priced = new Set((await store.past.listPriced()).map(({ eventId }) => eventId));
  const settled = new Set<number>();
  for (const account of asked)
    for (const { eventId } of await store.settlements.list(account.accountId, 0)) settled.add(eventId);
  const read = [...settled].filter((eventId) => priced.has(eventId)).length;
  return { read, events: settled.size };
}

async function readWindows({ store, accounts }: RouteContext, accountId: string | undefined) {
  const windows = new Map<number, CountWindow>();
  for (const account of accounts) {
    if (accountId !== undefined && account.accountId !== accountId) continue;
    for (const { eventId, window } of await store.events.list(account.accountId, 0))
      windows.set(eventId, window);
  }
  return windows;
}

const RecordAnswer = named(
  'PerformanceRecord',
  Type.Object({
    timestamp: Ts,
    horizon: Type.Integer(),
    account: Type.Union([Type.String(), Type.Null()]),
    forward: { ...SectionAnswer, description: 'Forecasts published before the outcome' },
    recomputed: {
      ...SectionAnswer,
      description: 'Forecasts computed later from data available at the time; never published',
    },
    past_prices: Type.Optional({
      ...PastPricesRecord.schema,
      description: 'Progress of reading past prices from the venue, for the recomputed section',
    }),
    advice: {
      ...AdviceRecord.schema,
      description:
        'Paper trades on settled events, at cost including fees; 90 % interval, resampled by event',
    },
    evidence: Type.Array(EvidenceRecord.schema, {
      description:
        'What current advice rests on, by account; forward and recomputed events are counted apart',
    }),
    newest_seal: Type.Union([SealReference.schema, Type.Null()], {
      description: 'See /performance/seals',
    }),
  }),
);

/** Every score of the account, as the blend learns from them. */
interface Lessons {
  scores: readonly ForecastScore[];
  windowOf: ReadonlyMap<number, CountWindow>;
}

/** The evidence at the time of each score, from the account's events that had ended by then. */
async function learnEach(
  own: readonly ForecastScore[],
  { scores, windowOf }: Lessons,
): Promise<Map<ForecastScore, EdgeEvidence>> {
  const samples = scores.flatMap((score): PastSample[] => {
    const window = windowOf.get(score.eventId);
    const winner = score.buckets.findIndex(({ won }) => won);
    if (!window || winner < 0) return [];
    const model = score.buckets.map(({ probability }) => probability);
    const prices = score.buckets.map(({ marketPrice }) => marketPrice);
    const { eventId, accountId: group, horizonH: leadHours } = score;
    return [{ eventId, leadHours, model, prices, winner, window, group }];
  });
  const learners = new Map(
    [...Map.groupBy(samples, ({ group }) => group!)].map(([accountId, taught]) => [
      accountId,
      learnForward(taught, choosePrior(taught.map(({ window }) => window.endTs))),
    ]),
  );
  const evidence = new Map<ForecastScore, EdgeEvidence>();
  for (const score of own) {
    const learned = learners.get(score.accountId)?.(score.endTs - score.horizonH * HOUR_MS);
    evidence.set(score, learned ?? PRIOR_EVIDENCE);
    await setImmediate();
  }
  return evidence;
}

/** Learning and resampling take most of the time, so other requests are served in between. */
async function computeSection(scores: readonly ForecastScore[], horizonH: number, lessons: Lessons) {
  const random = createRandom(SEED);
  const own = scores
    .filter((score) => score.horizonH === horizonH)
    .sort((left, right) => left.endTs - right.endTs || left.eventId - right.eventId);
  const evidence = await learnEach(own, lessons);
  const forecasters = compareForecasters(own, random, (score) => evidence.get(score)!).map(
    ForecasterRecord.present,
  );
  await setImmediate();
  const by_lead = HORIZONS_H.map((lead) => LeadRecord.present(summariseLead(scores, lead, random)));
  await setImmediate();
  const reliability = computeReliability(own, random).map(ReliabilityRecord.present);
  return { own, tables: { forecasters, by_lead, reliability } };
}

type Section = Awaited<ReturnType<typeof computeSection>>;

/** Computes a section again only when its scores have changed. */
function createSections() {
  const known = new Map<string, { stamp: string; section: Promise<Section> }>();
  return (
    key: string,
    isOwn: (score: ForecastScore) => boolean,
    horizonH: number,
    lessons: Lessons,
  ): Promise<Section> => {
    const newestTs = lessons.scores.reduce((newest, { scoredTs }) => Math.max(newest, scoredTs), 0);
    const stamp = `${lessons.scores.length} ${newestTs}`;
    const found = known.get(key);
    if (found?.stamp === stamp) return found.section;
    const section = computeSection(lessons.scores.filter(isOwn), horizonH, lessons);
    known.set(key, { stamp, section });
    return section;
  };
}

function presentSection({ own, tables }: Section, placeOf: PlaceOf) {
  return {
    events: own.length,
    first_end_ts: own[0]?.endTs ?? null,
    last_end_ts: own.at(-1)?.endTs ?? null,
    ...tables,
    points: own.map((score) => PointRecord.present({ score, place: placeOf(score) })),
  };
}

function summariseLead(scores: readonly ForecastScore[], horizonH: number, random: Random): Lead {
  const errorsPercent = scores
    .filter((score) => score.horizonH === horizonH)
    .map((score) => score.errorPercent);
  if (errorsPercent.length < MIN_EVENTS) return { horizonH, errorsPercent, interval: null };
  const medians = resampleBlocks(
    errorsPercent.length,
    1,
    RESAMPLES,
    random,
    (indexes) =>
      interpolateQuantile(
        Array.from(indexes, (i) => errorsPercent[i]!),
        0.5,
      )!,
  );
  return { horizonH, errorsPercent, interval: intervalOf(medians) };
}

export function recordRoute({ context, accountParameter, findAccountId, remembered }: RecentScores) {
  const { store } = context;
  const sectionOf = createSections();
  return defineRoute({
    path: `${API_PREFIX}/performance/record.json`,
    query: Type.Object({ account: accountParameter, horizon: horizonParameter }),
    document: {
      operationId: 'getPerformanceRecord',
      tag: 'Performance',
      summary: 'The complete record: forward and recomputed forecasts, with intervals and sample sizes',
      ok: RecordAnswer,
    },
    async handle({ query, nowTs }) {
      const accountId = findAccountId(query.account);
      const horizonH = Number(query.horizon);
      const body = await remembered(`record ${accountId} ${horizonH}`, async () => {
        const [scores, windowOf, signals, placeOf, pastPrices] = await Promise.all([
          store.scores.list({ accountId }),
          readWindows(context, accountId),
          store.signals.list({ accountId, settledOnly: true }),
          readPlaces(context),
          countPastPrices(context, accountId),
        ]);
        const section = async (kind: string, isOwn: (score: ForecastScore) => boolean) => {
          const key = `${kind} ${accountId} ${horizonH}`;
          return presentSection(await sectionOf(key, isOwn, horizonH, { scores, windowOf }), placeOf);
        };
        const repeats = findRepeats(signals, labelsOfSignal);
        const once = signals.filter((signal) => !repeats.has(signal));
        return {
          horizon: horizonH,
          account: query.account ?? null,
          forward: await section('forward', (score) => !isRecomputed(score)),
          recomputed: await section('recomputed', isRecomputed),
          past_prices: PastPricesRecord.present(pastPrices),
          advice: AdviceRecord.present(keepLedger(once, createRandom(SEED))),
        };
      });
      const newestSeal = await context.withDeadline(store.seals.findNewest());
      const evidence = context.accounts
        .filter((account) => accountId === undefined || account.accountId === accountId)
        .map((account) =>
          EvidenceRecord.present({
            account: account.segment,
            evidence: context.board.find(account.accountId)?.evidence ?? PRIOR_EVIDENCE,
          }),
        );
      const newest_seal = newestSeal ? SealReference.present(newestSeal) : null;
      return ok({ timestamp: nowTs, ...body, evidence, newest_seal });
    },
  });
}
