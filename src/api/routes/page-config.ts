// What the dashboard must know before its first request: which accounts there are, and whose numbers it shows.

import type { RouteContext } from '../context.ts';
import { API_LINES } from '../http/fixed-headers.ts';
import type { Route } from '../route.ts';
import { pageRoute } from './documents.ts';

export interface PageFacts {
  takesPayments: boolean;
  /** Times real time; null where the sources are live. */
  worldSpeed: number | null;
  /** A wallet of the pretend world to try; null where the sources are live. */
  demoWallet: string | null;
}

export function pageConfigRoute(context: RouteContext, facts: PageFacts): Route {
  const { takesPayments, worldSpeed, demoWallet } = facts;
  const config = {
    accounts: context.accounts.map(({ segment, displayName }) => ({ segment, label: displayName })),
    payments: takesPayments,
    price_usd: takesPayments ? context.settings.priceUsd : null,
    version: context.build.version,
    world: worldSpeed === null ? null : 'pretend',
    speed: worldSpeed ?? 1,
    ...(worldSpeed !== null && demoWallet !== null && { demo_wallet: demoWallet }),
  };
  return pageRoute('/config.json', Buffer.from(JSON.stringify(config)), 'application/json', API_LINES);
}
