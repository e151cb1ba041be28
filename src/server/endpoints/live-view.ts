// The public snapshot of an account, for sites with many visitors: the same response for every caller, so that
// a CDN can answer for the service. Endpoints of the API cannot be shared, because each response counts
// against its caller's allowance and says what is left of it.

import { Type } from '../../contract/schema.ts';
import type { RouteContext } from '../context.ts';
import { API_LINES, JSON_LINES, toLines } from '../http/fixed-headers.ts';
import { PreparedBody, stableTag } from '../http/prepared-body.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { presentSnapshot } from './stream.ts';

/** Rendered for each request: a reused body would be older than what the cache adds. */
const SHARED_LINES =
  JSON_LINES + toLines({ 'Cache-Control': 'public, max-age=1', Vary: 'Accept-Encoding' }) + API_LINES;

export function liveViewRoutes({ accounts, board, settings }: RouteContext): Route[] {
  return accounts.map(({ accountId, segment, publicView }) => {
    const path = `/live/${segment}.json`;
    const view = { segment, publicView, view: 'public' as const, rules: settings, advise: () => [] };
    return defineRoute({
      path,
      allowance: 'none',
      document: { operationId: path, tag: 'Site', summary: path, ok: Type.Any(), isPage: true },
      handle({ nowTs }) {
        const text = JSON.stringify(presentSnapshot(board.find(accountId), view, nowTs));
        return new PreparedBody(Buffer.from(text), stableTag(text), SHARED_LINES);
      },
    });
  });
}
