// Converts a position from the data service. A No holding is a separate position, never a negative Yes.

import type { OutcomeSide, UnreadPosition, WalletPosition } from '../../domain/position.ts';
import type { PositionWire } from './wire.ts';

/** The side of a token; null for a token that is not followed. */
export type FindSide = (tokenId: string) => OutcomeSide | null;

export function parsePositions(
  rows: readonly PositionWire[],
  wallet: string,
  findSide: FindSide = () => null,
): { positions: WalletPosition[]; unread: UnreadPosition[] } {
  const positions: WalletPosition[] = [];
  const unread: UnreadPosition[] = [];
  for (const wire of rows) {
    if (wire.size === 0) continue;
    const side = readSide(wire, findSide);
    if (side === 'Yes' || side === 'No') positions.push(toPosition(wire, side, wallet));
    else if (side !== null) unread.push({ tokenId: wire.tokenId, reason: side.problem });
  }
  return { positions, unread };
}

function toPosition(wire: PositionWire, side: OutcomeSide, wallet: string): WalletPosition {
  return {
    wallet,
    tokenId: wire.tokenId,
    conditionId: wire.conditionId,
    eventId: wire.eventId,
    eventSlug: wire.eventSlug,
    side,
    shares: wire.size,
    avgPrice: wire.avgPrice,
    costUsd: wire.costUsd ?? wire.size * wire.avgPrice,
    currentPrice: wire.currentPrice,
    currentValueUsd: wire.currentValue,
    isRedeemable: wire.isRedeemable,
  };
}

/** The token decides; if the row gives the other side it is unreadable. null for other kinds of outcome. */
function readSide(wire: PositionWire, findSide: FindSide): OutcomeSide | null | { problem: string } {
  const known = findSide(wire.tokenId);
  const stated = readStatedSide(wire);
  if (known !== null && stated !== null && known !== stated)
    return { problem: `a row says ${stated} but its token is the ${known} side` };
  const side = known ?? stated;
  if (side !== null) return side;
  // Up, Down or another name means another kind of market. The service uses 999 for an unknown outcome.
  if (wire.outcome !== null) return null;
  return { problem: `a row has no outcome (outcome_index ${wire.outcomeIndex ?? 'absent'})` };
}

/** The side by name, otherwise by index: Yes comes first. */
function readStatedSide({ outcome, outcomeIndex }: PositionWire): OutcomeSide | null {
  if (outcome !== null) return /^yes$/i.test(outcome) ? 'Yes' : /^no$/i.test(outcome) ? 'No' : null;
  return outcomeIndex === 0 ? 'Yes' : outcomeIndex === 1 ? 'No' : null;
}
