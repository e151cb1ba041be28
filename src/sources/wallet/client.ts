// Holdings of a wallet from the market's data service, page by page: all of them or none, because half a portfolio
// would be advised on as if it were whole. Rows that cannot be read are reported to the listener.

import type { UnreadPosition, WalletPosition } from '../../domain/position.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { WalletSource } from '../source.ts';
import { unexpectedShape } from './errors.ts';
import { parsePositions } from './parse.ts';
import { readPositionPage } from './wire.ts';

const PAGE_SIZE = 100;
/** More holdings than any wallet has; a walk beyond it leads nowhere. */
const MAX_PAGES = 500;

export function createWalletSource(http: HttpTransport): WalletSource {
  return {
    async fetchPositions(wallet, signal, onUnread = refuseShortList, findSide = undefined) {
      const byToken = new Map<string, WalletPosition>();
      const seen = new Set<string>();
      for (let cursor: string | null = null; ; ) {
        // The cursor holds for the same wallet and status only, so both are said again.
        const query = { user: wallet, status: 'OPEN', limit: PAGE_SIZE, cursor };
        const page = readPositionPage(await http.getJson('/v2/positions', query, signal));
        // A page that shifted while we read must not count a holding twice.
        const parsed = parsePositions(page.rows, wallet, findSide);
        for (const position of parsed.positions) byToken.set(position.tokenId, position);
        for (const unread of [...page.unread, ...parsed.unread]) onUnread(unread);
        if (page.nextCursor === null) return [...byToken.values()];
        if (seen.has(page.nextCursor)) throw unexpectedShape('its cursor leads back to a page already read');
        if (seen.size >= MAX_PAGES) throw unexpectedShape('it has no end');
        seen.add(page.nextCursor);
        cursor = page.nextCursor;
      }
    },
  };
}

function refuseShortList({ reason }: UnreadPosition): never {
  throw unexpectedShape(reason);
}
