// The one action for a position, in the words of somebody who trades. It is the verdict's: signal and recommendation
// are readings beside it.

import type { PositionRecord } from '../../api/records.ts';
import { formatUsd } from '../../words/format.ts';

type Held = Pick<PositionRecord, 'bucket' | 'outcome' | 'tokens' | 'sizing' | 'analysis'>;

/** "Sell $12.00 of it", "Buy $30.00 more", "Sell all", "Hold". */
export function describeAction({ sizing, analysis }: Held): string {
  // Where no bankroll is asked for nothing is sized: the reading of the position is all there is.
  if (!sizing) return analysis.recommendation === 'CONSIDER_SELLING' ? 'Consider selling' : 'Hold';
  if (sizing.action === 'HOLD') return 'Hold';
  const amount = formatUsd(Math.abs(sizing.adjustment));
  if (sizing.action === 'ADD_MORE') return `Buy ${amount} more`;
  return sizing.target_value === 0 ? 'Sell all' : `Sell ${amount} of it`;
}

/** What the whole event asks for, largest change first. */
export function describeChanges(positions: readonly Held[]): string {
  const changes = positions
    .filter((position) => describeAction(position) !== 'Hold')
    .sort((a, b) => Math.abs(b.sizing?.adjustment ?? 0) - Math.abs(a.sizing?.adjustment ?? 0));
  if (changes.length === 0) return 'Nothing to do: hold what is here.';
  const words = changes.map((held) => `${held.bucket} ${held.outcome}: ${lowerFirst(describeAction(held))}`);
  return `To do: ${words.join('; ')}.`;
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
