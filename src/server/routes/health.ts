// Endpoint 13: health. Never rate limited, never waits.

import { HealthAnswer } from '../../contract/service.ts';
import type { RouteContext } from '../context.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentHealth, withoutSpend } from '../views/health.ts';

export function healthRoutes(context: RouteContext): Route[] {
  return [
    defineLooseRoute({
      path: `${API_PREFIX}/health`,
      allowance: 'none',
      cost: 'vital',
      document: {
        operationId: 'getHealth',
        tag: 'Service',
        summary: 'Service health',
        description: '503 with status `down` when data is too old to trust.',
        ok: HealthAnswer,
      },
      handle({ nowTs, identity }) {
        const { status, body } = presentHealth(
          context.accounts,
          (accountId) => context.board.find(accountId),
          {
            ...context.storeHealth(),
            diskProblem: context.findDiskProblem(),
            violations: context.listViolations(),
          },
          context.build,
          nowTs,
          context.board.findCrypto(),
          context.hasEasyMarket,
        );
        // Only the operator sees the cost of paid platforms.
        return { status, json: identity?.tier === 'INTERNAL' ? body : withoutSpend(body) };
      },
    }),
  ];
}
