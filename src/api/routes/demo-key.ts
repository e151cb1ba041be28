// A key of the pretend world for whoever asks. Not there at all where the numbers are real.

import type { DemoKey } from '../access/demo-key.ts';
import type { RouteContext } from '../context.ts';
import { Type } from '../contract/schema.ts';
import { okUncached } from '../http/answer.ts';
import { defineRoute, type Route } from '../route.ts';

const DEMO_KEY_PATH = '/demo-key';

export function demoKeyRoute({ withDeadline }: RouteContext, demoKey: DemoKey): Route {
  return defineRoute({
    method: 'POST',
    path: DEMO_KEY_PATH,
    allowance: 'none',
    document: {
      operationId: DEMO_KEY_PATH,
      tag: 'Site',
      summary: 'A PRO key of the pretend world',
      ok: Type.Any(),
      isPage: true,
    },
    handle: async ({ nowTs }) =>
      okUncached({ timestamp: nowTs, data: { key: await withDeadline(demoKey.hand()), tier: 'PRO' } }),
  });
}
