// Holdings of a wallet from the market's data API.

import type { WalletPosition } from '../../domain/position.ts';
import type { HttpTransport } from '../http-transport.ts';
import type { WalletSource } from '../source.ts';
import { asArray } from '../wire-reader.ts';
import { unexpectedShape } from './errors.ts';
import { parsePositions } from './parse.ts';

const PAGE_SIZE = 500;
/** The API's own limit on the offset. */
const MAX_OFFSET = 10_000;

export function createWalletSource(http: HttpTransport): WalletSource {
  return {
    async fetchPositions(wallet, signal) {
      const byToken = new Map<string, WalletPosition>();
      for (let offset = 0; offset <= MAX_OFFSET; offset += PAGE_SIZE) {
        // Without a threshold of 0 the API hides holdings below one share.
        const query = { user: wallet, sizeThreshold: 0, limit: PAGE_SIZE, offset };
        const list = asArray(await http.getJson('/positions', query, signal));
        if (!list) throw unexpectedShape();
        // A page that shifted while we read must not count a holding twice.
        for (const position of parsePositions(list, wallet)) byToken.set(position.tokenId, position);
        if (list.length < PAGE_SIZE) break;
      }
      return [...byToken.values()];
    },
  };
}
