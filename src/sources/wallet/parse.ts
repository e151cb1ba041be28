// Position of the data service -> domain position. A No holding is a position of its own, never a negative Yes.

import type { OutcomeSide, WalletPosition } from '../../domain/position.ts';
import type { PositionWire } from './wire.ts';

export function parsePositions(rows: readonly PositionWire[], wallet: string): WalletPosition[] {
  return rows.flatMap((wire) => {
    const side = readSide(wire);
    return side && wire.size > 0 ? [toPosition(wire, side, wallet)] : [];
  });
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
    costUsd: wire.entryCostUsd ?? wire.size * wire.avgPrice,
    currentPrice: wire.currentPrice,
    currentValueUsd: wire.currentValue ?? wire.size * wire.currentPrice,
    isRedeemable: wire.isRedeemable,
  };
}

/** By name, else by place: Yes stands first. Outcomes of another kind (Up, Down, a name) are no side of a bucket. */
function readSide(wire: PositionWire): OutcomeSide | null {
  if (wire.outcome !== null) {
    return /^yes$/i.test(wire.outcome) ? 'Yes' : /^no$/i.test(wire.outcome) ? 'No' : null;
  }
  return wire.outcomeIndex === 0 ? 'Yes' : wire.outcomeIndex === 1 ? 'No' : null;
}
