// The demo key, for the dashboard. The route does not exist on live sources.

import type { DemoKey } from '../../access/demo-key.ts';
import { objectEnvelope } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { defineRoute, type Route } from '../http/route.ts';

const DEMO_KEY_PATH = '/demo-key';

const DemoKeyAnswer = objectEnvelope(
  'DemoKeyAnswer',
  Type.Object({ key: Type.String(), tier: Type.Enum(['PRO']) }),
);

export function demoKeyRoute({ withDeadline }: RouteContext, demoKey: DemoKey): Route {
  return defineRoute({
    method: 'POST',
    path: DEMO_KEY_PATH,
    allowance: 'demo',
    isSameOriginOnly: true,
    document: {
      operationId: DEMO_KEY_PATH,
      tag: 'Site',
      summary: 'Get the demo PRO key',
      ok: DemoKeyAnswer,
      isPage: true,
    },
    async handle({ nowTs }) {
      const data = { key: await withDeadline(demoKey.hand()), tier: 'PRO' as const };
      return okUncached({ timestamp: nowTs, data });
    },
  });
}
