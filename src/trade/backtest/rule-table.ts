// Bets that the rules would have made on past ladders, and their results as a table.

import { RULES } from '../rules/all-rules.ts';
import { type SettledBet, summariseBets } from '../rules/judge.ts';
import { type Rule, slotAt, toMoment } from '../rules/rule.ts';
import { type BookAssumptions, toPricedBucket } from './past-ladder.ts';
import type { SignalStep } from './signal-walk.ts';

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
