// The demo key, for the dashboard. The route does not exist on live sources.

import type { DemoKey } from '../../access/demo-key.ts';
import { Type } from '../../contract/schema.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { defineLooseRoute, type Route } from '../http/route.ts';

const DEMO_KEY_PATH = '/demo-key';

export function demoKeyRoute({ withDeadline }: RouteContext, demoKey: DemoKey): Route {
  return defineLooseRoute({
    method: 'POST',
    path: DEMO_KEY_PATH,
    allowance: 'demo',
    isSameOriginOnly: true,
    document: {
      operationId: DEMO_KEY_PATH,
      tag: 'Site',
      summary: 'Get the demo PRO key',
      ok: Type.Any(),
      isPage: true,
    },
    handle: async ({ nowTs }) =>
      okUncached({ timestamp: nowTs, data: { key: await withDeadline(demoKey.hand()), tier: 'PRO' } }),
  });
}
