// The paper ledger: results of recorded BUY signals at their executable cost.

import { MaybeNumber, MaybeTs, named, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import { createRandom } from '../../runtime/random.ts';
import type { SignalRecord } from '../../store/ports.ts';
import { ledgerName, type RecomputedLedger } from '../../trade/backtest/past-advice.ts';
import { findRepeats, keepLedger, type PaperLedger } from '../../trade/record/paper-ledger.ts';
import { comparePredictions, type PredictedObserved } from '../../trade/record/predicted-observed.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { API_PREFIX, defineRoute } from '../http/route.ts';
import { type Place, type PlaceOf, placeRows, readPlaces } from '../records/places.ts';
import { cents, maybeSix, recordOf, round2, six } from '../records/record.ts';
import type { RecentScores } from './recent-scores.ts';

/** Fixed seed, so that the same trades always have the same resampled intervals. */
const SEED = 1;
const ENTRIES_SHOWN = 200;

const EdgeKindName = Type.Enum(['fact', 'structure', 'model']);

/** `isRepeat`: a strategy that repeats a bucket's trade. */
type LedgerSignal = { isRepeat?: boolean } & Omit<SignalRecord, 'tokenId' | 'feePerShare' | 'accountId'>;

export const LedgerEntry = recordOf<{ signal: LedgerSignal; place: Place }>('LedgerEntry')({
  timestamp: [Ts, ({ signal }) => signal.asofTs],
  ...placeRows,
  event_id: [Type.Integer(), ({ signal }) => signal.eventId],
  horizon: [Type.Integer(), ({ signal }) => signal.horizonH],
  bucket: [Type.String(), ({ signal }) => signal.bucketLabel],
  strategy: [Type.Union([Type.String(), Type.Null()]), ({ signal }) => signal.strategy],
  is_repeat: [
    Type.Optional(
      Type.Boolean({ description: 'A strategy that repeats its bucket’s trade; not part of the summary' }),
    ),
    ({ signal }) => signal.isRepeat,
  ],
  confidence: [Type.Enum(['HIGH', 'MEDIUM', 'LOW']), ({ signal }) => signal.confidence],
  model_prob: six(({ signal }) => signal.modelProbability),
  market_price: six(({ signal }) => signal.marketPrice),
  cost_per_share: six(({ signal }) => signal.costPerShare, { description: 'USD, including the fee' }),
  shares: six(({ signal }) => signal.shares),
  stake: cents(({ signal }) => signal.stakeUsd, { description: 'USD' }),
  won: [
    Type.Union([Type.Boolean(), Type.Null()], { description: 'null until the event settles' }),
    ({ signal }) => signal.won,
  ],
  pnl: [MaybeNumber, ({ signal }) => (signal.pnlUsd === null ? null : round2(signal.pnlUsd))],
  settled_ts: [MaybeTs, ({ signal }) => signal.settledTs],
  edge_kind: [
    Type.Union([EdgeKindName, Type.Null()], { description: 'null for older records' }),
    ({ signal }) => signal.edgeKind,
  ],
  win_probability: maybeSix(({ signal }) => signal.winProbability, {
    description: 'Blended probability of winning, as stated when the bet was made',
  }),
  closing_line_value: maybeSix(({ signal }) => signal.closingLineValue, {
    description: 'Later midpoint minus cost, per share',
  }),
});

const LedgerSummary = recordOf<PaperLedger>()({
  bets: [Type.Integer({ description: 'Settled bets' }), ({ bets }) => bets],
  events: [Type.Integer(), ({ events }) => events],
  staked: cents(({ stakedUsd }) => stakedUsd),
  pnl: cents(({ pnlUsd }) => pnlUsd),
  return_on_stake: maybeSix(({ returnOnStake }) => returnOnStake),
  return_low: maybeSix(({ returnInterval }) => returnInterval?.lo),
  return_high: maybeSix(({ returnInterval }) => returnInterval?.hi),
  max_drawdown: cents(({ maxDrawdownUsd }) => maxDrawdownUsd),
  closing_line_value: maybeSix(({ closingLineValue }) => closingLineValue),
  closing_line_sample: [Type.Integer(), ({ closingLineSample }) => closingLineSample],
});

const Comparison = recordOf<PredictedObserved>('PredictedObserved')({
  edge_kind: [EdgeKindName, ({ edgeKind }) => edgeKind],
  probability_from: [
    {
      ...MaybeNumber,
      description: 'Lower end of the probability range; null in the row for all bets of this kind',
    },
    ({ probabilityClass }) => probabilityClass?.from ?? null,
  ],
  probability_to: [MaybeNumber, ({ probabilityClass }) => probabilityClass?.to ?? null],
  bets: [Type.Integer({ description: 'Settled bets' }), ({ bets }) => bets],
  events: [Type.Integer(), ({ events }) => events],
  predicted: maybeSix(({ predicted }) => predicted, { description: 'Mean stated probability' }),
  observed: maybeSix(({ observed }) => observed, { description: 'Share of bets that won' }),
  expected_low: maybeSix(({ expectedInterval }) => expectedInterval?.lo, {
    description: '90 % interval for the observed share if the stated probabilities are right',
  }),
  expected_high: maybeSix(({ expectedInterval }) => expectedInterval?.hi),
  market_implied: maybeSix(({ marketImplied }) => marketImplied, {
    description: 'Mean market price of the sides bought',
  }),
  return_on_stake: maybeSix(({ ledger }) => ledger.returnOnStake),
  return_low: maybeSix(({ ledger }) => ledger.returnInterval?.lo, {
    description: '90 % interval, resampled by event',
  }),
  return_high: maybeSix(({ ledger }) => ledger.returnInterval?.hi),
  closing_line_value: maybeSix(({ ledger }) => ledger.closingLineValue),
  closing_line_sample: [Type.Integer(), ({ ledger }) => ledger.closingLineSample],
});

const RecomputedLedgerRecord = named(
  'RecomputedLedger',
  Type.Object(
    {
      events: Type.Integer({ description: 'Settled events with market prices that were looked at' }),
      summary: LedgerSummary.schema,
      predicted_observed: Type.Array(Comparison.schema),
      data: Type.Array(LedgerEntry.schema, { description: `Newest first, at most ${ENTRIES_SHOWN}` }),
    },
    {
      description:
        'What would have been advised 72, 48, 24 and 6 hours before the end of past events, with evidence from events that had ended by then, at the market midpoint plus 1 cent and the fee. Never published, and not part of the figures above',
    },
  ),
);

const LedgerAnswer = named(
  'PerformanceLedger',
  Type.Object({
    timestamp: Ts,
    summary: LedgerSummary.schema,
    predicted_observed: Type.Array(Comparison.schema, {
      description: 'Predicted vs. observed, by edge kind and probability range',
    }),
    halts: Type.Array(Type.Object({ account: Type.String(), reason: Type.String() }), {
      description: 'Accounts with halted model advice, and why',
    }),
    data: Type.Array(LedgerEntry.schema, { description: `Newest first, at most ${ENTRIES_SHOWN}` }),
    recomputed: RecomputedLedgerRecord,
  }),
);

/** A strategy's label names all its buckets. */
export function labelsOfSignal({ bucketLabel }: Pick<SignalRecord, 'bucketLabel'>): string[] {
  return bucketLabel.split(' + ');
}

function presentLedger(signals: readonly SignalRecord[], placeOf: PlaceOf) {
  const newestFirst = [...signals].sort((left, right) => right.asofTs - left.asofTs);
  const repeats = findRepeats(signals, labelsOfSignal);
  const once = signals.filter((signal) => !repeats.has(signal));
  return {
    summary: LedgerSummary.present(keepLedger(once, createRandom(SEED))),
    predicted_observed: comparePredictions(signals, createRandom(SEED)).map(Comparison.present),
    data: newestFirst.slice(0, ENTRIES_SHOWN).map((signal) =>
      LedgerEntry.present({
        signal: { ...signal, isRepeat: repeats.has(signal) },
        place: placeOf(signal),
      }),
    ),
  };
}

async function presentRecomputed({ store, accounts }: RouteContext, only: string | undefined) {
  const asked = accounts.filter(({ accountId }) => only === undefined || only === accountId);
  const ledgers = await Promise.all(
    asked.map(async ({ accountId, segment }) => {
      const text = await store.cursors.find(ledgerName(accountId));
      const ledger: RecomputedLedger = text === undefined ? { events: 0, bets: [] } : JSON.parse(text);
      return { ...ledger, segment };
    }),
  );
  const bets = ledgers.flatMap((ledger) => ledger.bets);
  const repeats = findRepeats(bets, ({ labels }) => labels);
  const once = bets.filter((bet) => !repeats.has(bet));
  const rows = ledgers.flatMap((ledger) => ledger.bets.map((bet) => ({ bet, account: ledger.segment })));
  rows.sort((left, right) => right.bet.asofTs - left.bet.asofTs);
  return {
    events: ledgers.reduce((sum, { events }) => sum + events, 0),
    summary: LedgerSummary.present(keepLedger(once, createRandom(SEED))),
    predicted_observed: comparePredictions(bets, createRandom(SEED)).map(Comparison.present),
    data: rows.slice(0, ENTRIES_SHOWN).map(({ bet, account }) => {
      const isRepeat = repeats.has(bet);
      const signal = { ...bet, bucketLabel: bet.labels.join(' + '), settledTs: null, isRepeat };
      return LedgerEntry.present({ signal, place: { account } });
    }),
  };
}

function listHalts({ accounts, board }: RouteContext, only: string | undefined) {
  return accounts.flatMap(({ accountId, segment }) => {
    const reason = board.find(accountId)?.evidence?.halt ?? null;
    const isAsked = only === undefined || only === accountId;
    return reason !== null && isAsked ? [{ account: segment, reason }] : [];
  });
}

export function ledgerRoute({ context, accountParameter, findAccountId, remembered }: RecentScores) {
  return defineRoute({
    path: `${API_PREFIX}/performance/ledger`,
    access: 'optional',
    query: Type.Object({ account: accountParameter }),
    document: {
      operationId: 'getPerformanceLedger',
      tag: 'Performance',
      summary: 'Paper trades on BUY signals and their results',
      description: 'Trades on settled events; PRO also sees trades on open events.',
      ok: LedgerAnswer,
    },
    async handle({ query, view, nowTs }) {
      const accountId = findAccountId(query.account);
      // An open trade is a signal, and signals need PRO.
      const settledOnly = view !== 'pro';
      const body = await remembered(`ledger ${view} ${accountId}`, async () => ({
        ...presentLedger(
          await context.store.signals.list({ accountId, settledOnly }),
          await readPlaces(context),
        ),
        recomputed: await presentRecomputed(context, accountId),
      }));
      return ok({ timestamp: nowTs, halts: listHalts(context, accountId), ...body });
    },
  });
}
