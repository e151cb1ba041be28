// Endpoints 1 and 2: counters of every active event.

import { envelope, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import { listActive } from '../../domain/market-event.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import {
  counterRows,
  deltaRows,
  type EventSource,
  feedRows,
  nextBoundaryTs,
  termRows,
} from '../records/events.ts';
import { recordOf } from '../records/record.ts';

export const CountersRecord = recordOf<EventSource>('CountersRecord')({
  event_id: [Type.Integer(), ({ state }) => state.event.eventId],
  event_title: [Type.String(), ({ state }) => state.event.title],
  image: [Type.String(), ({ state }) => state.event.image],
  start_ts: [Ts, ({ state }) => state.event.window.startTs],
  end_ts: [Ts, ({ state }) => state.event.window.endTs],
  ...counterRows,
  ...deltaRows,
  ...feedRows,
  ...termRows,
});

export function presentMeta(snapshot: AccountSnapshot | undefined, nowTs: number) {
  const active = listActive(snapshot, nowTs);
  return {
    timestamp: nowTs,
    data: active.map((state) => CountersRecord.present({ snapshot: snapshot!, state, nowTs })),
  };
}

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
      isPrepared: true,
      document: {
        operationId: `getMeta_${account.segment}`,
        tag: 'Meta',
        summary: `Counters for the active events of ${account.segment}`,
        description:
          'Counts from the settlement oracle, this service and the market page; the deltas show how far each one lags.',
        ok: envelope('MetaAnswer', CountersRecord.schema),
      },
      handle: ({ nowTs }) => prepare(nowTs),
    });
  });
}
