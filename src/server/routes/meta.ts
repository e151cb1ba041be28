// Endpoints 1 and 2: counters.

import { MetaAnswer } from '../../contract/meta.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { nextBoundaryTs } from '../views/events.ts';
import { presentMeta } from '../views/meta.ts';

export function metaRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const find = () => context.board.find(account.accountId);
    const prepare = createPreparedView({
      version: find,
      present: (nowTs) => presentMeta(find(), nowTs),
      boundaryTs: (nowTs) => nextBoundaryTs(find(), nowTs),
    });
    return defineRoute({
      path: `${API_PREFIX}/meta/${account.segment}`,
      allowance: 'meta',
      cost: 'prepared',
      document: {
        operationId: `getMeta_${account.segment}`,
        tag: 'Meta',
        summary: `Counters for the active events of ${account.segment}`,
        description:
          'Counts from the settlement oracle, this service and the market page; the deltas show how far each one lags.',
        ok: MetaAnswer,
      },
      handle: ({ nowTs }) => prepare(nowTs),
    });
  });
}
