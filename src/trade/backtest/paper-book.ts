// Follows advice on paper: buys Yes and No as advised, sells holdings on an exit, and settles the rest.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import { findExit } from '../advice/decision.ts';
import { roundMicros } from '../decimal.ts';
import { computePnl } from '../record/paper-ledger.ts';
import type { RecordedSignal } from '../record/record.ts';
import { findBucket } from '../sizing/outcome-cells.ts';
import type { BucketSignal, EventSignals, PricedEvent } from '../types.ts';
import type { LadderSnapshot } from './price-file.ts';

/** A bet with its inputs. */
export interface PaperBet extends RecordedSignal {
  labels: readonly string[];
  side: 'Yes' | 'No';
  /** Proceeds of an early sale in USD; null until sold, and for a bet held to settlement. */
  soldFor: number | null;
}

interface Moment {
  horizonH: number;
  snapshot: LadderSnapshot;
  final: number;
}

export interface PaperBook {
  /** Returns the bets made at this moment. An exit updates the earlier bets it sells. */
  follow(advice: EventSignals, event: PricedEvent, moment: Moment): PaperBet[];
}

/** Label of a No purchase in the record. */
const BUY_NO = 'BUY_NO';

export function createPaperBook(snapshots: readonly LadderSnapshot[]): PaperBook {
  const held = new Map<number, PaperBet[]>();
  return {
    follow(advice, event, moment) {
      const mine = held.get(event.eventId) ?? [];
      for (const bet of mine) sellIfAdvised(bet, advice, event);
      const bets = listBets(advice, event, moment, snapshots);
      held.set(event.eventId, [...mine, ...bets]);
      return bets;
    },
  };
}

/** Multi-bucket strategies are held to settlement; single buckets follow their verdict. */
function sellIfAdvised(bet: PaperBet, { signals }: EventSignals, { buckets }: PricedEvent): void {
  if (bet.soldFor !== null || bet.labels.length > 1) return;
  const signal = signals.find(({ bucketLabel }) => bucketLabel === bet.labels[0]);
  const bucket = buckets.find(({ label }) => label === bet.labels[0]);
  const sale = signal && bucket && findExit(bucket, signal.basis, bet.side);
  if (!sale) return;
  bet.soldFor = roundMicros(bet.shares * sale.netPrice);
  bet.pnlUsd = roundMicros(bet.soldFor - bet.stakeUsd);
}

function listBets(
  advice: EventSignals,
  event: PricedEvent,
  moment: Moment,
  snapshots: readonly LadderSnapshot[],
): PaperBet[] {
  const winner = event.buckets[findBucket(event.buckets, moment.final)]?.label ?? null;
  const byLabel = new Map(advice.signals.map((signal) => [signal.bucketLabel, signal]));
  const drafts = [
    ...advice.signals.flatMap((signal) => draftPurchase(signal) ?? []),
    ...advice.buy.map(({ buckets, strategy, suggestedBetUsd }) =>
      draftStrategy(
        buckets.map((label) => byLabel.get(label)!),
        strategy,
        suggestedBetUsd,
      ),
    ),
  ];
  return drafts.map((draft): PaperBet => {
    const hasHit = winner !== null && draft.labels.includes(winner);
    const won = draft.side === 'No' ? !hasHit : hasHit;
    return {
      ...draft,
      eventId: event.eventId,
      horizonH: moment.horizonH,
      asofTs: moment.snapshot.ts,
      won,
      pnlUsd: computePnl(won, draft.shares, draft.stakeUsd),
      closingLineValue: findClosingLine(snapshots, moment.snapshot, draft),
      soldFor: null,
    };
  });
}

type Draft = Omit<
  PaperBet,
  'eventId' | 'horizonH' | 'asofTs' | 'won' | 'pnlUsd' | 'closingLineValue' | 'soldFor'
>;

function draftPurchase(signal: BucketSignal): Draft | null {
  const { verdict, bucketLabel, confidence, modelProbability, marketPrice } = signal;
  if (verdict.kind !== 'buy-yes' && verdict.kind !== 'buy-no') return null;
  const isNo = verdict.kind === 'buy-no';
  const costPerShare = verdict.costPerShare!;
  return {
    labels: [bucketLabel],
    side: isNo ? 'No' : 'Yes',
    strategy: isNo ? BUY_NO : null,
    confidence,
    edgeKind: verdict.edgeKind,
    winProbability: verdict.winProbability,
    modelProbability: isNo ? 1 - modelProbability : modelProbability,
    marketPrice: isNo ? 1 - marketPrice : marketPrice,
    costPerShare,
    shares: verdict.shares,
    stakeUsd: roundMicros(verdict.shares * costPerShare),
  };
}

function draftStrategy(parts: readonly BucketSignal[], strategy: string, betUsd: number): Draft {
  const total = (pick: (part: BucketSignal) => number) => parts.reduce((sum, part) => sum + pick(part), 0);
  const costPerShare = total((part) => part.costPerShare ?? 0);
  const shares = Math.floor(betUsd / costPerShare + 1e-9);
  return {
    labels: parts.map((part) => part.bucketLabel),
    side: 'Yes',
    strategy,
    confidence: parts[0]!.confidence,
    edgeKind: 'model',
    winProbability: total((part) => part.blendedProbability),
    modelProbability: total((part) => part.modelProbability),
    marketPrice: total((part) => part.marketPrice),
    costPerShare,
    shares,
    stakeUsd: roundMicros(shares * costPerShare),
  };
}

/** Price minus cost, at the event's last ladder between 1 and 25 hours later. */
function findClosingLine(
  snapshots: readonly LadderSnapshot[],
  { ts, window }: LadderSnapshot,
  { labels, side, costPerShare }: Draft,
): number | null {
  const later = snapshots.findLast(
    (other) =>
      other.window.startTs === window.startTs &&
      other.window.endTs === window.endTs &&
      other.ts >= ts + HOUR_MS &&
      other.ts <= ts + DAY_MS + HOUR_MS,
  );
  const prices = labels.map((label) => later?.points.find((point) => point.label === label)?.price);
  if (prices.some((price) => price === undefined)) return null;
  const price = prices.reduce((sum: number, one) => sum + one!, 0);
  return roundMicros((side === 'No' ? 1 - price : price) - costPerShare);
}
