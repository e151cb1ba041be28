// Advice for a wallet's positions in one event. Each position shows its bucket's advice, as on every page.

import type { PositionRecord } from '../../api/records.ts';
import { isActive } from '../../words/advice.ts';

type Held = Pick<PositionRecord, 'bucket' | 'advice'>;

/** Lists the advice for each held bucket once, largest stake first. */
export function describeChanges(positions: readonly Held[]): string {
  const advised = new Map(
    positions.flatMap(({ bucket, advice }) =>
      advice && isActive(advice) ? [[bucket, advice] as const] : [],
    ),
  );
  if (advised.size === 0) return 'No trade for your positions.';
  return [...advised.values()]
    .sort((left, right) => right.stake - left.stake)
    .map(({ sentence }) => `${sentence}.`)
    .join(' ');
}
