// Holdings of a wallet from the market's data service, page by page. Returns all holdings or none, because
// advice would treat half a portfolio as complete. Unreadable rows are reported to the listener.

import type { UnreadPosition, WalletPosition } from '../../domain/position.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import type { WalletSource } from '../source.ts';
import { parsePositions } from './parse.ts';
import { type PositionPage, readPositionPage, unexpectedShape } from './wire.ts';

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
