// Holdings of a wallet from the market's data service, page by page. Returns all holdings or none, because
// advice would treat half a portfolio as complete. Unreadable rows are reported to the listener.

import type { OutcomeSide, UnreadPosition, WalletPosition } from '../../domain/position.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import type { WalletSource } from '../source.ts';
import { type PositionPage, type PositionWire, readPositionPage, unexpectedShape } from './wire.ts';

const PAGE_SIZE = 100;
/** More pages than any wallet has; needing more is an error. */
const MAX_PAGES = 500;

/** Current holdings, and lost shares, which have a separate status and belong to a portfolio's cost. */
const STATUSES = ['OPEN', 'REDEEMABLE_LOST'] as const;

export function createWalletSource(http: HttpTransport): WalletSource {
  return {
    async fetchPositions(wallet, signal, onUnread = refuseShortList, findSide = undefined) {
      const byToken = new Map<string, WalletPosition>();
      const reported = new Set<string>();
      const report = (unread: UnreadPosition) => {
        if (unread.tokenId !== null && reported.has(unread.tokenId)) return;
        if (unread.tokenId !== null) reported.add(unread.tokenId);
        onUnread(unread);
      };
      for (const status of STATUSES) {
        await walkPages(http, { user: wallet, status, limit: PAGE_SIZE }, signal, (page) => {
          const parsed = parsePositions(page.rows, wallet, findSide);
          // If the pages shift while reading, a holding must not count twice.
          for (const position of parsed.positions) byToken.set(position.tokenId, position);
          for (const unread of [...page.unread, ...parsed.unread]) report(unread);
        });
      }
      return [...byToken.values()];
    },
  };
}

async function walkPages(
  http: HttpTransport,
  fixed: Query,
  signal: AbortSignal,
  onPage: (page: PositionPage) => void,
): Promise<void> {
  const seen = new Set<string>();
  for (let cursor: string | null = null; ; ) {
    // The cursor is valid only for the same wallet and status, so both are sent again.
    const page = readPositionPage(await http.getJson('/v2/positions', { ...fixed, cursor }, signal));
    onPage(page);
    if (page.nextCursor === null) return;
    if (seen.has(page.nextCursor)) throw unexpectedShape('its cursor repeats');
    if (seen.size >= MAX_PAGES) throw unexpectedShape('it never ends');
    seen.add(page.nextCursor);
    cursor = page.nextCursor;
  }
}

function refuseShortList({ reason }: UnreadPosition): never {
  throw unexpectedShape(reason);
}

// Converts a position from the data service. A No holding is a separate position, never a negative Yes.

/** The side of a token; null for a token that is not followed. */
type FindSide = (tokenId: string) => OutcomeSide | null;

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
