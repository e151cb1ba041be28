// Endpoints 6 and 7: forecasts and prices of every active event. Each row states who sees its field.

import type { Static, TOptional, TSchema } from 'typebox';
import type { View } from '../../access/authorise.ts';
import { envelope, Feeds, MaybeCount, MaybeNumber, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { PublicView } from '../../domain/account.ts';
import { computeSecondsRemaining, listActive } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import type { AccountSnapshot, EventState, PublishedForecast } from '../../state/snapshot.ts';
import { gradeSignal } from '../../trade/advice/signals.ts';
import type { BucketSignal, EventSignals } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import {
  boundRows,
  counterRows,
  deltaRows,
  type EventSource,
  nextBoundaryTs,
  presentFeeds,
  termRows,
} from '../records/events.ts';
import { type Row, recordOf, round6 } from '../records/record.ts';

/** The caller's view, and how much of the account is public. */
export interface Viewer {
  view: View;
  publicView: PublicView;
}

interface PredictionSource extends EventSource {
  viewer: Viewer;
  /** By Yes token. */
  signals: ReadonlyMap<string, BucketSignal>;
}

interface MarketSource {
  viewer: Viewer;
  label: string;
  price: number | null;
  modelProb: number | null;
  edge: number | null;
  signal: BucketSignal | undefined;
}

/** Fields for certain viewers; other viewers' records omit them. */
function fieldsFor<Source extends { viewer: Viewer }>(isShown: (viewer: Viewer) => boolean) {
  return <Schema extends TSchema>(
    schema: Schema,
    read: (source: Source) => Static<Schema> | undefined,
  ): Row<Source, TOptional<Schema>> => {
    const readShown = (source: Source) => (isShown(source.viewer) ? read(source) : undefined);
    return [Type.Optional(schema), readShown] as unknown as Row<Source, TOptional<Schema>>;
  };
}

const isPro = ({ view }: Viewer) => view === 'pro';
const pro = fieldsFor<PredictionSource>(isPro);
const marketPro = fieldsFor<MarketSource>(isPro);
const proOrWide = fieldsFor<PredictionSource>((viewer) => isPro(viewer) || viewer.publicView === 'wide');

const PERCENTILES = { p5: Type.Number(), p50: Type.Number(), p95: Type.Number() };

const ForecastRecord = recordOf<PublishedForecast>('Forecast')({
  p5: [PERCENTILES.p5, ({ p5 }) => p5],
  p50: [PERCENTILES.p50, ({ p50 }) => p50],
  p95: [PERCENTILES.p95, ({ p95 }) => p95],
  path: [
    Type.Optional(
      Type.Array(Type.Object({ ts: Ts, ...PERCENTILES }), {
        description:
          'Percentiles of the running count from the forecast time to the end of the window, at most 60 points; the last point equals p5, p50 and p95.',
      }),
    ),
    ({ path }) => path?.ts.map((ts, i) => ({ ts, p5: path.p5[i]!, p50: path.p50[i]!, p95: path.p95[i]! })),
  ],
});

const MarketRecord = recordOf<MarketSource>('PredictionMarket')({
  title: [Type.String(), ({ label }) => label],
  market_price: [MaybeNumber, ({ price }) => price],
  model_prob: marketPro(MaybeNumber, ({ modelProb }) => modelProb),
  edge: marketPro(MaybeNumber, ({ edge }) => edge),
  signal: marketPro(
    Type.Union([Type.Enum(['STRONG_BUY', 'BUY', 'SLIGHT_BUY', 'HOLD', 'SELL']), Type.Null()]),
    ({ edge, signal }) => (edge === null ? null : signal ? gradeSignal(signal) : 'HOLD'),
  ),
  belief_prob: marketPro(MaybeNumber, ({ signal }) => (signal ? round6(signal.blendedProbability) : null)),
});

const PredictionRecord = recordOf<PredictionSource>('PredictionRecord')({
  event_id: [Type.Integer(), ({ state }) => state.event.eventId],
  seconds_remaining: proOrWide(Type.Integer(), ({ state, nowTs }) =>
    computeSecondsRemaining(state.event.window.endTs, nowTs),
  ),
  market_oracle_counter: counterRows.market_oracle_counter,
  real_counter: counterRows.real_counter,
  ...boundRows,
  market_ui_counter: counterRows.market_ui_counter,
  settlement_delta: proOrWide(MaybeCount, deltaRows.settlement_delta[1]),
  display_delta: proOrWide(MaybeCount, deltaRows.display_delta[1]),
  internal_delta: proOrWide(MaybeCount, deltaRows.internal_delta[1]),
  feeds: proOrWide(Feeds, ({ snapshot, state, nowTs }) => presentFeeds(snapshot, state, nowTs)),
  sleep_probability: pro(
    MaybeNumber,
    ({ snapshot: { activity } }) => activity && round6(activity.sleepProbability),
  ),
  velocity_counted_1h: pro(
    MaybeNumber,
    ({ snapshot: { activity } }) => activity && round6(activity.velocityCounted1h),
  ),
  velocity_all_1h: pro(
    MaybeNumber,
    ({ snapshot: { activity } }) => activity && round6(activity.velocityAll1h),
  ),
  forecast: pro(
    Type.Union([ForecastRecord.schema, Type.Null()]),
    ({ state: { forecast } }) => forecast && ForecastRecord.present(forecast),
  ),
  settlement_risk: pro(
    Type.Number({
      description: 'Probability that the venue pays out a bucket other than the one with the final count',
    }),
    ({ state: { forecast } }) =>
      forecast?.settlementRisk === undefined ? undefined : round6(forecast.settlementRisk),
  ),
  ...termRows,
  markets: [
    Type.Array(MarketRecord.schema),
    (source) => source.state.event.buckets.map((_, i) => MarketRecord.present(findMarket(source, i))),
  ],
});

function findMarket({ snapshot, state, viewer, signals }: PredictionSource, index: number): MarketSource {
  const { label, yesTokenId, listedPrice } = state.event.buckets[index]!;
  const price = computeMarketPrice(snapshot.quotes[yesTokenId], listedPrice);
  const probability = state.forecast?.bucketProbabilities[index];
  const modelProb = probability === undefined ? null : round6(probability);
  const edge = modelProb === null || price === null ? null : round6(modelProb - price);
  return { viewer, label, price, modelProb, edge, signal: signals.get(yesTokenId) };
}

export function presentPrediction(
  snapshot: AccountSnapshot | undefined,
  viewer: Viewer,
  signals: readonly EventSignals[],
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    data: listActive(snapshot, nowTs).map((state) =>
      presentPredictionRecord(snapshot!, state, viewer, signals, nowTs),
    ),
  };
}

export function presentPredictionRecord(
  snapshot: AccountSnapshot,
  state: EventState,
  viewer: Viewer,
  signals: readonly EventSignals[],
  nowTs: number,
) {
  const own = signals.find(({ eventId }) => eventId === state.event.eventId)?.signals ?? [];
  const byToken = new Map(own.map((signal) => [signal.tokenId, signal]));
  return PredictionRecord.present({ snapshot, state, viewer, signals: byToken, nowTs });
}

export function predictionRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
    const { defaultBankrollUsd } = context.settings;
    const find = () => context.board.find(account.accountId);
    const prepareFor = (view: View) =>
      createPreparedView({
        version: find,
        present: (nowTs) => {
          const snapshot = find();
          // The public view shows no advice, so none is computed for it.
          const signals = view === 'pro' ? adviser.advise(snapshot, defaultBankrollUsd, nowTs) : [];
          return presentPrediction(snapshot, { view, publicView: account.publicView }, signals, nowTs);
        },
        boundaryTs: (nowTs) => nextBoundaryTs(find(), nowTs),
      });
    const preparePublic = prepareFor('public');
    const preparePro = prepareFor('pro');
    return defineRoute({
      path: `${API_PREFIX}/prediction/${account.segment}`,
      access: 'optional',
      isPrepared: true,
      isPayable: true,
      document: {
        operationId: `getPrediction_${account.segment}`,
        tag: 'Prediction',
        summary: `Forecast of final counts for ${account.segment}`,
        description:
          'Public callers get counters and market prices; PRO callers also get forecast percentiles and, per bucket, model probability, edge and signal.',
        ok: envelope('PredictionAnswer', PredictionRecord.schema),
      },
      handle: ({ view, nowTs }) => (view === 'pro' ? preparePro(nowTs) : preparePublic(nowTs)),
    });
  });
}
