// Endpoint 3: crypto price markets.

import { CryptoAnswer } from '../../contract/meta.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentCrypto } from '../views/crypto.ts';

export function cryptoRoutes(context: RouteContext): Route[] {
  const prepare = createPreparedView({
    version: () => context.board.findCrypto(),
    present: (nowTs) => presentCrypto(context.board.findCrypto(), nowTs),
  });
  return [
    defineLooseRoute({
      path: `${API_PREFIX}/meta/crypto`,
      document: {
        operationId: 'getCryptoMeta',
        tag: 'Meta',
        summary: 'Metadata for crypto price markets',
        ok: CryptoAnswer,
      },
      handle: ({ nowTs }) => prepare(nowTs),
    }),
  ];
}
