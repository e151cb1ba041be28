// Formats the return from following the advice in a backtest, and the learned weights.

import type { EdgeEvidence } from '../domain/standing-advice.ts';
import type { Random } from '../runtime/random.ts';
import type { SignalStep } from '../trade/backtest/signal-walk.ts';
import { comparePredictions, type PredictedObserved } from '../trade/record/predicted-observed.ts';
import type { MarketOptions } from './backtest-walk.ts';
import { formatTable } from './text-table.ts';

export function formatAdvice(
  steps: readonly SignalStep[],
  { halfSpread, feeRate, priorName }: MarketOptions,
  random: Random,
): string {
  const whole = steps.filter((step) => step.isWhole);
  const events = new Set(whole.map((step) => step.eventId)).size;
  const rows = comparePredictions(
    whole.flatMap((step) => step.signals),
    random,
  ).filter(({ bets, probabilityClass }) => bets > 0 || probabilityClass === null);
  const terms = `half-spread ${halfSpread}, fee rate ${feeRate}, prior ${priorName}`;
  const headings = ['edge', 'bets', 'events', 'predicted', 'market', 'observed', 'expected 90 %', 'return'];
  return [
    `followed advice on ${whole.length} complete ladders from ${events} events (${terms}); intervals resampled by event`,
    formatTable([...headings, 'return 90 %', 'closing line'], rows.map(toRow)),
  ].join('\n');
}

function toRow(row: PredictedObserved): (string | number)[] {
  const { probabilityClass: band, expectedInterval, ledger } = row;
  const range = (interval: { lo: number; hi: number } | null) =>
    interval ? `[${percent(interval.lo)}, ${percent(interval.hi)}]` : '-';
  return [
    band ? `  ${percent(band.from)} to ${percent(band.to)}` : row.edgeKind,
    row.bets,
    row.events,
    percent(row.predicted),
    percent(row.marketImplied),
    percent(row.observed),
    range(expectedInterval),
    percent(ledger.returnOnStake),
    range(ledger.returnInterval),
    ledger.closingLineValue === null ? '-' : `${(100 * ledger.closingLineValue).toFixed(2)}¢`,
  ];
}

export function formatEvidence({ mean, covariance, events, informationPerEvent }: EdgeEvidence): string {
  const names = ['model above', 'model below', 'longer lead', 'larger gap', 'price band'];
  const rows = names.map((name, k) => [name, mean[k]!.toFixed(3), Math.sqrt(covariance[k]![k]!).toFixed(3)]);
  return [
    `weights learned from ${events} events, starting from a vague prior (information per event ${informationPerEvent.toFixed(3)})`,
    formatTable(['gap', 'weight', 'sd'], rows),
  ].join('\n');
}

function percent(fraction: number | null): string {
  return fraction === null ? '-' : `${(100 * fraction).toFixed(1)}%`;
}
