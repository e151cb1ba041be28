// Live updates as server-sent events: one stream per account, limited to what the caller's tier may see.

import { StreamAnswer } from '../../contract/stream.ts';
import type { RouteContext } from '../context.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { createStreamHub } from '../stream/stream-hub.ts';

export function streamRoutes(context: RouteContext): Route[] {
  const hub = createStreamHub({
    accounts: context.accounts.map((account) => ({
      ...account,
      advise: (snapshot, nowTs) =>
        context.adviserOf(account).advise(snapshot, context.settings.defaultBankrollUsd, nowTs),
    })),
    board: context.board,
    clock: context.clock,
    wallClock: context.wallClock,
    rules: context.settings,
  });
  context.onClose(() => hub.close());
  return context.accounts.map((account) =>
    defineLooseRoute({
      path: `${API_PREFIX}/stream/${account.segment}`,
      access: 'optional',
      document: {
        operationId: `stream_${account.segment}`,
        tag: 'Stream',
        summary: `Live updates for ${account.segment}`,
        description:
          'Server-sent events: a snapshot, then counters, post, forecast (PRO), price, feed and settlement messages. ' +
          'Every message has an id; send the last one as Last-Event-ID to resume from a bounded log. ' +
          'Opening a stream counts as one request.',
        ok: StreamAnswer,
        contentType: 'text/event-stream',
      },
      takeOver({ view, headers, identity }, raw) {
        raw.res.writeHead(200, {
          ...raw.headers(),
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        });
        raw.res.flushHeaders();
        const lastEventId = headers['last-event-id'];
        hub.join({
          accountId: account.accountId,
          view,
          lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
          res: raw.res,
          onBytes: raw.countBytes,
          onKeyEnd: (action) => (identity ? context.onKeyEnd(identity, action) : () => {}),
        });
      },
    }),
  );
}
