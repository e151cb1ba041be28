// Signal backtest tables: confidence classes, strategies and alternative gates.

import type { resampleBlocks } from '../../forecast/scoring/block-bootstrap.ts';
import { passesGate } from '../advice/strategies.ts';
import { keepLedger } from '../record/paper-ledger.ts';
import { computeWinRate, type RecordedSignal, type WinRate } from '../record/record.ts';
import { RULES } from '../rules/all-rules.ts';
import { type SettledBet, summariseBets } from '../rules/judge.ts';
import { type Rule, slotAt, toMoment } from '../rules/rule.ts';
import type { SizingRules } from '../types.ts';
import { type BookAssumptions, toPricedBucket } from './past-ladder.ts';
import type { SignalStep } from './signal-walk.ts';

type Random = Parameters<typeof resampleBlocks>[3];

const TRIED_PROBABILITIES = {
  TWO_BUCKET: [0.7, 0.8, 0.85, 0.9, 0.92, 0.95],
  SINGLE_BUCKET: [0.5, 0.6, 0.7, 0.75, 0.8, 0.9],
};

export function formatSignalTables(steps: readonly SignalStep[], rules: SizingRules, random: Random): string {
  const signals = steps.flatMap((step) => step.signals);
  const groups: [string, RecordedSignal[]][] = [
    ...(['HIGH', 'MEDIUM', 'LOW'] as const).map((confidence): [string, RecordedSignal[]] => [
      `BUY ${confidence}`,
      signals.filter((signal) => signal.strategy === null && signal.confidence === confidence),
    ]),
    ['BUY all', signals.filter((signal) => signal.strategy === null)],
    ...['TWO_BUCKET', 'SINGLE_BUCKET'].map((strategy): [string, RecordedSignal[]] => [
      strategy,
      signals.filter((signal) => signal.strategy === strategy),
    ]),
  ];
  const events = new Set(steps.map((step) => step.eventId)).size;
  return [
    `${events} events, ${steps.length} ladders at a horizon, ${signals.length} bets`,
    '',
    row([
      'signal',
      'n',
      'model',
      'won',
      '95% interval',
      'staked',
      'profit',
      'return',
      '90% interval',
      'drawdown',
      'line',
    ]),
    ...groups.map(([name, group]) => formatGroup(name, group, random)),
    '',
    'alternative gates (ev as configured):',
    row(['strategy', 'P at least', 'n', 'model', 'won', '95% interval']),
    ...formatGates(steps, rules),
    '',
  ].join('\n');
}

function formatGroup(name: string, group: readonly RecordedSignal[], random: Random): string {
  const rate = computeWinRate(group);
  const ledger = keepLedger(group, random);
  const mean = group.reduce((sum, signal) => sum + signal.modelProbability, 0) / group.length;
  const { returnInterval: interval } = ledger;
  return row([
    name,
    String(group.length),
    group.length === 0 ? '-' : percent(mean),
    formatRate(rate),
    formatInterval(rate),
    ledger.stakedUsd.toFixed(2),
    ledger.pnlUsd.toFixed(2),
    ledger.returnOnStake === null ? '-' : percent(ledger.returnOnStake),
    interval ? `${percent(interval.lo)} to ${percent(interval.hi)}` : '-',
    ledger.maxDrawdownUsd.toFixed(2),
    ledger.closingLineValue === null ? '-' : ledger.closingLineValue.toFixed(4),
  ]);
}

function formatGates(steps: readonly SignalStep[], rules: SizingRules): string[] {
  const gates = { TWO_BUCKET: rules.twoBucket, SINGLE_BUCKET: rules.singleBucket };
  return (['TWO_BUCKET', 'SINGLE_BUCKET'] as const).flatMap((strategy) =>
    TRIED_PROBABILITIES[strategy].map((minWinProbability) => {
      const passed = steps
        .flatMap((step) => step.baskets)
        .filter(({ basket }) => basket.strategy === strategy)
        .filter(({ basket }) => passesGate(basket, { ...gates[strategy], minWinProbability }));
      const rate = computeWinRate(passed);
      const mean = passed.reduce((sum, { basket }) => sum + basket.winProbability, 0) / passed.length;
      return row([
        strategy,
        minWinProbability.toFixed(2),
        String(passed.length),
        passed.length === 0 ? '-' : percent(mean),
        formatRate(rate),
        formatInterval(rate),
      ]);
    }),
  );
}

function formatRate(rate: WinRate): string {
  return rate.winRate === null ? '-' : percent(rate.winRate);
}

function formatInterval({ interval }: WinRate): string {
  return interval ? `${percent(interval.lo)} to ${percent(interval.hi)}` : '-';
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(1)}%`;
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(i === 4 || i === 8 ? 18 : 10)))
    .join(' ');
}

// Bets that the rules would have made on past ladders, and their results as a table.

/** One look per event and day, at the rule's hour. */
function findRuleBets(rule: Rule, steps: readonly SignalStep[], assumed: BookAssumptions): SettledBet[] {
  const looked = new Set<string>();
  return steps.flatMap(({ eventId, snapshot: { ts, window, points }, sample }) => {
    const slot = slotAt(rule, ts);
    const key = `${eventId} ${slot}`;
    if (slot === null || looked.has(key) || sample.winner < 0) return [];
    looked.add(key);
    const buckets = points.map((point, i) => toPricedBucket(point, sample.model[i]!, assumed, ts));
    const moment = { ...toMoment({ ...window, buckets }, ts), model: sample.model, mids: sample.prices };
    const winner = points[sample.winner]?.label;
    return rule.findBets(moment).map((bet): SettledBet => {
      const won = bet.side === 'No' ? bet.bucketLabel !== winner : bet.bucketLabel === winner;
      return { ...bet, eventId, endTs: window.endTs, won };
    });
  });
}

/** One row per rule, on all ladders and on complete ones only. */
export function tabulateRules(
  steps: readonly SignalStep[],
  assumed: BookAssumptions,
): (string | number | null)[][] {
  const samples = [
    { name: 'all ladders', own: steps },
    { name: 'complete ladders', own: steps.filter(({ isWhole }) => isWhole) },
  ];
  return RULES.flatMap((rule) =>
    samples.map(({ name, own }) => {
      const result = summariseBets(findRuleBets(rule, own, assumed));
      const { bets, events, said, price, came, gain, gainInterval } = result;
      const interval = gainInterval && `[${cents(gainInterval.lo)}, ${cents(gainInterval.hi)}]`;
      const share = (value: number | null) => (value === null ? null : `${(100 * value).toFixed(1)}%`);
      return [
        `${rule.name}, ${name}`,
        ...[bets, events, share(said), share(price), share(came)],
        gain === null ? null : `${cents(gain)} ${interval ?? ''}`.trim(),
      ];
    }),
  );
}

export const RULE_COLUMNS = [
  ...['rule', 'bets', 'events', 'predicted', 'price', 'observed'],
  '¢ per share, 90 %',
];

function cents(value: number): string {
  return `${value < 0 ? '' : '+'}${(100 * value).toFixed(1)}`;
}
