// A key's alerts, newest first, whether sent or only listed.

import { NoticeList, NoticesQuery } from '../../contract/alerts.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentAlert } from '../views/alerts.ts';

export function alertListRoutes({ store, accounts, withDeadline }: RouteContext): Route[] {
  return [
    defineLooseRoute({
      path: `${API_PREFIX}/notices`,
      access: 'PRO',
      query: NoticesQuery,
      document: {
        operationId: 'listNotices',
        tag: 'Alerts',
        summary: "List the calling key's alerts, newest first",
        description: 'Alerts from the last 30 days, whether sent or only listed.',
        ok: NoticeList,
      },
      async handle({ query, identity, nowTs }) {
        const after = query.cursor === undefined ? null : readAlertCursor(query.cursor);
        const limit = query.limit!;
        const found = await withDeadline(store.alerts.listPage(identity!.keyId, { after, limit: limit + 1 }));
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1)! : null;
        const next = last && Buffer.from(`${last.createdTs}.${last.alertId}`).toString('base64url');
        const data = page.map((alert) => presentAlert(alert, accounts));
        return okUncached({ timestamp: nowTs, data, next_cursor: next });
      },
    }),
  ];
}

function readAlertCursor(text: string): { createdTs: number; alertId: string } {
  const decoded = Buffer.from(text, 'base64url').toString('latin1');
  const match = /^(\d{1,15})\.(ntc_[0-9a-f]{32})$/.exec(decoded);
  if (match) return { createdTs: Number(match[1]), alertId: match[2]! };
  throw new FaultError([
    valueFault(['query', 'cursor'], 'cursor must be the next_cursor from an earlier response'),
  ]);
}
