// A paper ledger of settled signals: the suggested stake at the executable cost with fees, and the outcome.

import { intervalOf, resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import { roundMicros } from '../decimal.ts';
import type { Interval, RecordedSignal } from './record.ts';

type Random = Parameters<typeof resampleBlocks>[3];

export interface PaperLedger {
  bets: number;
  events: number;
  stakedUsd: number;
  pnlUsd: number;
  /** Profit per USD staked; null without bets. */
  returnOnStake: number | null;
  /** 90 percent interval of the return, resampled by event; null with fewer than 3 events. */
  returnInterval: Interval | null;
  /** Largest drop of cumulative profit below an earlier peak. */
  maxDrawdownUsd: number;
  /** Mean of (later midpoint - fill price) per share; null while none is known. */
  closingLineValue: number | null;
  closingLineSample: number;
}

const RESAMPLES = 2_000;
const MIN_EVENTS = 3;

export function keepLedger(signals: readonly RecordedSignal[], random: Random): PaperLedger {
  const settled = signals
    .filter((signal) => signal.won !== null && signal.pnlUsd !== null)
    .sort((a, b) => a.asofTs - b.asofTs);
  const events = groupByEvent(settled);
  const stakedUsd = sum(settled.map((signal) => signal.stakeUsd));
  const pnlUsd = sum(settled.map((signal) => signal.pnlUsd!));
  const lines = settled.flatMap((s) => (s.closingLineValue === null ? [] : [s.closingLineValue]));
  return {
    bets: settled.length,
    events: events.length,
    stakedUsd: roundMicros(stakedUsd),
    pnlUsd: roundMicros(pnlUsd),
    returnOnStake: stakedUsd > 0 ? pnlUsd / stakedUsd : null,
    returnInterval: events.length < MIN_EVENTS ? null : bootstrapReturn(events, random),
    maxDrawdownUsd: roundMicros(computeMaxDrawdown(settled.map((signal) => signal.pnlUsd!))),
    closingLineValue: lines.length === 0 ? null : sum(lines) / lines.length,
    closingLineSample: lines.length,
  };
}

/**
 * Strategies that repeat a bucket bought at the same moment. Strategies replace the bucket signals, so adding both
 * would stake the same money twice.
 */
export function findRepeats<S extends RecordedSignal>(
  signals: readonly S[],
  labelsOf: (signal: S) => readonly string[],
): ReadonlySet<S> {
  const keysOf = (signal: S) =>
    labelsOf(signal).map((label) => `${signal.eventId} ${signal.asofTs} ${label}`);
  const bought = new Set(
    signals.filter(({ strategy, stakeUsd }) => strategy === null && stakeUsd > 0).flatMap(keysOf),
  );
  const isStrategy = ({ strategy }: S) => strategy !== null && strategy !== 'BUY_NO';
  return new Set(
    signals.filter((signal) => isStrategy(signal) && keysOf(signal).some((key) => bought.has(key))),
  );
}

/** Profit of a settled bet: every share pays 1 USD or nothing. */
export function computePnl(won: boolean, shares: number, stakeUsd: number): number {
  return roundMicros((won ? shares : 0) - stakeUsd);
}

export function computeMaxDrawdown(profits: readonly number[]): number {
  let running = 0;
  let peak = 0;
  let worst = 0;
  for (const profit of profits) {
    running += profit;
    peak = Math.max(peak, running);
    worst = Math.max(worst, peak - running);
  }
  return worst;
}

interface EventTotal {
  stakedUsd: number;
  pnlUsd: number;
  shares: number;
}

function groupByEvent(signals: readonly RecordedSignal[]): EventTotal[] {
  const totals = new Map<number, EventTotal>();
  for (const { eventId, stakeUsd, pnlUsd, shares } of signals) {
    const total = totals.get(eventId) ?? { stakedUsd: 0, pnlUsd: 0, shares: 0 };
    total.stakedUsd += stakeUsd;
    total.pnlUsd += pnlUsd!;
    total.shares += shares;
    totals.set(eventId, total);
  }
  return [...totals.values()];
}

/**
 * Resamples whole events, plus one pseudo-event bought at a fair price and won or lost by chance: a few lost
 * events do not prove that every event will be lost.
 */
function bootstrapReturn(events: readonly EventTotal[], random: Random): Interval {
  const fair = describeFairEvent(events);
  const drawn = [...events, fair];
  const sorted = resampleBlocks(drawn.length, 1, RESAMPLES, random, (indexes) => {
    let stakedUsd = 0;
    let pnlUsd = 0;
    for (const i of indexes) {
      stakedUsd += drawn[i]!.stakedUsd;
      const isFair = i === events.length;
      pnlUsd += isFair ? computeFairPnl(fair, random) : drawn[i]!.pnlUsd;
    }
    return stakedUsd > 0 ? pnlUsd / stakedUsd : 0;
  });
  return intervalOf(sorted);
}

/** An event with the average size and cost per share of the real ones. */
function describeFairEvent(events: readonly EventTotal[]): EventTotal {
  const average = (pick: (event: EventTotal) => number) => sum(events.map(pick)) / events.length;
  return {
    stakedUsd: average((event) => event.stakedUsd),
    pnlUsd: 0,
    shares: average((event) => event.shares),
  };
}

function computeFairPnl({ stakedUsd, shares }: EventTotal, random: Random): number {
  const isWon = random.uniform() * shares < stakedUsd;
  return (isWon ? shares : 0) - stakedUsd;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
