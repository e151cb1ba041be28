// The paper ledger: results of recorded BUY signals at their executable cost.

import { createRandom } from '../../runtime/random.ts';
import type { SignalRecord } from '../../store/ports.ts';
import { keepLedger } from '../../trade/record/paper-ledger.ts';
import { comparePredictions, type PredictedObserved } from '../../trade/record/predicted-observed.ts';
import type { PlaceOf } from '../records/events.ts';
import { round2, round6 } from '../records/record.ts';

/** Fixed seed, so that the same trades always have the same resampled intervals. */
const SEED = 1;
const ENTRIES_SHOWN = 200;

export function presentLedger(
  signals: readonly SignalRecord[],
  halts: readonly { account: string; reason: string }[],
  placeOf: PlaceOf,
  nowTs: number,
) {
  const ledger = keepLedger(signals, createRandom(SEED));
  const newestFirst = [...signals].sort((left, right) => right.asofTs - left.asofTs);
  return {
    timestamp: nowTs,
    summary: {
      bets: ledger.bets,
      events: ledger.events,
      staked: round2(ledger.stakedUsd),
      pnl: round2(ledger.pnlUsd),
      return_on_stake: maybeRound(ledger.returnOnStake),
      return_low: maybeRound(ledger.returnInterval?.lo ?? null),
      return_high: maybeRound(ledger.returnInterval?.hi ?? null),
      max_drawdown: round2(ledger.maxDrawdownUsd),
      closing_line_value: maybeRound(ledger.closingLineValue),
      closing_line_sample: ledger.closingLineSample,
    },
    predicted_observed: comparePredictions(signals, createRandom(SEED)).map(presentComparison),
    halts,
    data: newestFirst.slice(0, ENTRIES_SHOWN).map((signal) => presentEntry(signal, placeOf(signal))),
  };
}

export function presentEntry(signal: SignalRecord, place: { account: string }) {
  return {
    timestamp: signal.asofTs,
    ...place,
    event_id: signal.eventId,
    horizon: signal.horizonH,
    bucket: signal.bucketLabel,
    strategy: signal.strategy,
    confidence: signal.confidence,
    model_prob: round6(signal.modelProbability),
    market_price: round6(signal.marketPrice),
    cost_per_share: round6(signal.costPerShare),
    shares: round6(signal.shares),
    stake: round2(signal.stakeUsd),
    won: signal.won,
    pnl: signal.pnlUsd === null ? null : round2(signal.pnlUsd),
    settled_ts: signal.settledTs,
    edge_kind: signal.edgeKind,
    win_probability: maybeRound(signal.winProbability),
    closing_line_value: maybeRound(signal.closingLineValue),
  };
}

function presentComparison(row: PredictedObserved) {
  const { ledger, expectedInterval, probabilityClass } = row;
  return {
    edge_kind: row.edgeKind,
    probability_from: probabilityClass?.from ?? null,
    probability_to: probabilityClass?.to ?? null,
    bets: row.bets,
    events: row.events,
    predicted: maybeRound(row.predicted),
    observed: maybeRound(row.observed),
    expected_low: maybeRound(expectedInterval?.lo ?? null),
    expected_high: maybeRound(expectedInterval?.hi ?? null),
    market_implied: maybeRound(row.marketImplied),
    return_on_stake: maybeRound(ledger.returnOnStake),
    return_low: maybeRound(ledger.returnInterval?.lo ?? null),
    return_high: maybeRound(ledger.returnInterval?.hi ?? null),
    closing_line_value: maybeRound(ledger.closingLineValue),
    closing_line_sample: ledger.closingLineSample,
  };
}

function maybeRound(value: number | null): number | null {
  return value === null ? null : round6(value);
}
