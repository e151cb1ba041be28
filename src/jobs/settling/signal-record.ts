// A signal recorded at a horizon: the advice and the price at which it could be executed.

import type { AccountId } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { SignalRecord, Store } from '../../store/ports.ts';
import { roundMicros } from '../../trade/decimal.ts';
import { computePnl } from '../../trade/record/paper-ledger.ts';
import type { BucketSignal, EventSignals, StrategyEntry } from '../../trade/types.ts';
import type { Outcome } from '../scoring/score-forecast.ts';

const JOINT = ' + ';
/** Label of a No purchase in the track record; it wins if the bucket loses. */
export const BUY_NO = 'BUY_NO';

/** A strategy over several buckets is one bet on their union. */
function joinBuckets(labels: readonly string[]): string {
  return labels.join(JOINT);
}

function splitBuckets(label: string): string[] {
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
    winProbability: parts.reduce((sum, part) => sum + part.basis.worth, 0),
    modelProbability: parts.reduce((sum, part) => sum + part.modelProbability, 0),
    marketPrice: parts.reduce((sum, part) => sum + part.marketPrice, 0),
    costPerShare,
    feePerShare: parts.reduce((sum, part) => sum + (part.feePerShare ?? 0), 0),
    shares,
    stakeUsd: Math.round(shares * costPerShare * 1e6) / 1e6,
  };
}

// Settles an event's recorded signals: won or lost, profit at the executable cost, and closing-line value.

/** Bets that win if the bucket loses. */
const WIN_ON_A_MISS: ReadonlySet<string | null> = new Set(['RISK_MANAGEMENT', BUY_NO]);

export async function settleSignals(
  store: Pick<Store, 'signals' | 'quotes'>,
  event: MarketEvent,
  { winningLabel: winner }: Pick<Outcome, 'winningLabel'>,
  settledTs: number,
): Promise<void> {
  const open = await store.signals.list({ eventId: event.eventId });
  const settled: SignalRecord[] = [];
  for (const signal of open) {
    settled.push({
      ...signal,
      ...settleBet(signal, winner),
      closingLineValue: signal.closingLineValue ?? (await findClosingLine(store, event, signal)),
      settledTs,
    });
  }
  if (settled.length > 0) await store.signals.settle(settled);
}

export function settleBet(
  { bucketLabel, strategy, shares, stakeUsd }: SignalRecord,
  winner: string | null,
): { won: boolean; pnlUsd: number } {
  const hasHit = winner !== null && splitBuckets(bucketLabel).includes(winner);
  const won = WIN_ON_A_MISS.has(strategy) ? !hasHit : hasHit;
  return { won, pnlUsd: stakeUsd > 0 ? computePnl(won, shares, stakeUsd) : 0 };
}

/** Midpoint a day after the fill (an hour after it if the event ends sooner), minus the fill price. */
async function findClosingLine(
  store: Pick<Store, 'quotes'>,
  event: MarketEvent,
  signal: SignalRecord,
): Promise<number | null> {
  if (signal.stakeUsd <= 0) return null;
  const isOverByThen = signal.asofTs + DAY_MS >= event.window.endTs;
  const ts = signal.asofTs + (isOverByThen ? HOUR_MS : DAY_MS);
  let value = 0;
  for (const label of splitBuckets(signal.bucketLabel)) {
    const bucket = event.buckets.find((candidate) => candidate.label === label);
    const quote =
      bucket &&
      (await store.quotes.standingAt(signal.strategy === BUY_NO ? bucket.noTokenId : bucket.yesTokenId, ts));
    const price = quote ? computeMarketPrice(quote, null) : null;
    if (price === null) return null;
    value += price;
  }
  return roundMicros(value - signal.costPerShare);
}
