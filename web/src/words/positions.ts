// Groups a wallet's positions by event, with trades separate from the rest. Pure.

import type { PortfolioRecord, PositionRecord } from '../api/records.ts';
import { isActive } from './advice.ts';

export interface EventPositions {
  event: NonNullable<PortfolioRecord['event']>;
  /** Positions with a trade now. */
  actions: PositionRecord[];
  /** Positions without a trade, including those in closed buckets. */
  others: PositionRecord[];
}

/** Events with a trade come first; otherwise the order is unchanged. */
export function groupPositions(
  records: readonly Pick<PortfolioRecord, 'event' | 'positions'>[],
): EventPositions[] {
  return records
    .flatMap(({ event, positions }) => (event && positions.length > 0 ? [split(event, positions)] : []))
    .sort((left, right) => Math.sign(right.actions.length) - Math.sign(left.actions.length));
}

function split(event: EventPositions['event'], positions: readonly PositionRecord[]): EventPositions {
  const hasAction = ({ advice }: PositionRecord) => advice !== undefined && isActive(advice);
  return {
    event,
    actions: positions.filter(hasAction),
    others: positions.filter((position) => !hasAction(position)),
  };
}

type Held = Pick<PositionRecord, 'bucket' | 'advice'>;

/** Lists the advice for each bucket held in one event once, largest stake first; empty without a trade. */
export function describeChanges(positions: readonly Held[]): string {
  const advised = new Map(
    positions.flatMap(({ bucket, advice }) =>
      advice && isActive(advice) ? [[bucket, advice] as const] : [],
    ),
  );
  return [...advised.values()]
    .sort((left, right) => right.stake - left.stake)
    .map(({ sentence }) => `${sentence}.`)
    .join(' ');
}

/** Blended probability that the shares win; the model's own if there is no advice. */
export function winChanceOf({ belief_prob, analysis }: PositionRecord): number {
  return belief_prob ?? analysis.win_probability;
}

export interface PositionTotals {
  valueUsd: number;
  costUsd: number;
  /** Shares times win chance: a winning share pays 1 USD. */
  worthUsd: number;
}

export function addUp(positions: readonly PositionRecord[]): PositionTotals {
  const sum = (read: (position: PositionRecord) => number) =>
    positions.reduce((total, position) => total + read(position), 0);
  return {
    valueUsd: sum(({ current_value }) => current_value),
    costUsd: sum(({ cost_basis }) => cost_basis),
    worthUsd: sum((position) => position.tokens * winChanceOf(position)),
  };
}
