// A signal recorded at a horizon: the advice and the price at which it could be executed.

import type { AccountId } from '../../domain/account.ts';
import type { SignalRecord } from '../../store/ports.ts';
import type { BucketSignal, EventSignals, StrategyEntry } from '../../trade/types.ts';

const JOINT = ' + ';
/** Label of a No purchase in the track record; it wins if the bucket loses. */
export const BUY_NO = 'BUY_NO';

/** A strategy over several buckets is one bet on their union. */
function joinBuckets(labels: readonly string[]): string {
  return labels.join(JOINT);
}

export function splitBuckets(label: string): string[] {
  return label.split(JOINT);
}

export function toSignalRecords(
  accountId: AccountId,
  signals: EventSignals,
  horizonH: number,
  asofTs: number,
): SignalRecord[] {
  const base = { eventId: signals.eventId, accountId, horizonH, asofTs };
  const open = { won: null, pnlUsd: null, closingLineValue: null, settledTs: null };
  const byLabel = new Map(signals.signals.map((signal) => [signal.bucketLabel, signal]));
  const plain = signals.signals
    .filter((signal) => signal.action === 'BUY')
    .map((signal) => ({
      ...base,
      ...describeBet([signal], signal.suggestedBetUsd),
      strategy: null,
      ...open,
    }));
  const entries = [...signals.buy, ...signals.sell].flatMap((entry) => {
    const parts = entry.buckets.flatMap((label) => byLabel.get(label) ?? []);
    if (parts.length !== entry.buckets.length) return [];
    return [{ ...base, ...describeEntry(entry, parts), strategy: entry.strategy, ...open }];
  });
  return [...plain, ...listNoBets(signals, { ...base, ...open }), ...entries];
}

type Frame = Pick<
  SignalRecord,
  'eventId' | 'accountId' | 'horizonH' | 'asofTs' | 'won' | 'pnlUsd' | 'closingLineValue' | 'settledTs'
>;

function listNoBets({ signals }: EventSignals, frame: Frame): SignalRecord[] {
  return signals
    .filter(({ verdict }) => verdict.kind === 'buy-no')
    .map(({ bucketLabel, noTokenId, confidence, modelProbability, marketPrice, verdict }) => ({
      ...frame,
      edgeKind: verdict.edgeKind,
      winProbability: verdict.winProbability,
      bucketLabel,
      tokenId: noTokenId,
      confidence,
      modelProbability: 1 - modelProbability,
      marketPrice: 1 - marketPrice,
      costPerShare: verdict.costPerShare!,
      feePerShare: verdict.costPerShare! - verdict.limitPrice!,
      shares: verdict.shares,
      stakeUsd: Math.round(verdict.shares * verdict.costPerShare! * 1e6) / 1e6,
      strategy: BUY_NO,
    }));
}

type Bet = Omit<
  SignalRecord,
  | 'eventId'
  | 'accountId'
  | 'horizonH'
  | 'asofTs'
  | 'strategy'
  | 'won'
  | 'pnlUsd'
  | 'closingLineValue'
  | 'settledTs'
>;

function describeEntry(entry: StrategyEntry, parts: readonly BucketSignal[]): Bet {
  const bet = describeBet(parts, entry.suggestedBetUsd);
  return { ...bet, modelProbability: entry.winProbability, winProbability: entry.winProbability };
}

/** A set is one share of each bucket; a bet is a whole number of sets. */
function describeBet(parts: readonly BucketSignal[], betUsd: number): Bet {
  const costPerShare = parts.reduce((sum, part) => sum + (part.costPerShare ?? 0), 0);
  const shares = costPerShare > 0 ? Math.floor(betUsd / costPerShare + 1e-9) : 0;
  return {
    bucketLabel: joinBuckets(parts.map((part) => part.bucketLabel)),
    tokenId: parts[0]!.tokenId,
    confidence: parts[0]!.confidence,
    edgeKind: parts[0]!.verdict.edgeKind,
    winProbability: parts.reduce((sum, part) => sum + part.blendedProbability, 0),
    modelProbability: parts.reduce((sum, part) => sum + part.modelProbability, 0),
    marketPrice: parts.reduce((sum, part) => sum + part.marketPrice, 0),
    costPerShare,
    feePerShare: parts.reduce((sum, part) => sum + (part.feePerShare ?? 0), 0),
    shares,
    stakeUsd: Math.round(shares * costPerShare * 1e6) / 1e6,
  };
}
