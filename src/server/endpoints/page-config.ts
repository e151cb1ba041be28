// What the dashboard needs before its first request: accounts, kinds of alerts, and whether the data is
// simulated.

import { ALERT_KIND_NAMES, ALERT_KINDS } from '../../alerts/rules/kinds.ts';
import type { RouteContext } from '../context.ts';
import { API_LINES } from '../http/fixed-headers.ts';
import type { Route } from '../http/route.ts';
import { pageRoute } from './documents.ts';

export interface PageFacts {
  takesPayments: boolean;
  /** Multiple of real time; null on live sources. */
  simulatorSpeed: number | null;
  /** Simulated wallet that visitors can try; null on live sources. */
  demoWallet: string | null;
  /** Whether demo keys are issued. */
  hasDemoKey: boolean;
  /** URL of the simulated exchange; null on live sources. */
  simulatorUrl: string | null;
}

export function pageConfigRoute(context: RouteContext, facts: PageFacts): Route {
  const { takesPayments, simulatorSpeed, demoWallet, hasDemoKey, simulatorUrl } = facts;
  const config = {
    accounts: context.accounts.map(({ segment, displayName, postPageUrl }) => ({
      segment,
      label: displayName,
      ...(postPageUrl !== undefined && { post_url: postPageUrl }),
    })),
    alert_kinds: ALERT_KIND_NAMES.map((kind) => {
      const { words, threshold } = ALERT_KINDS[kind];
      return { kind, words, ...(threshold && { threshold }) };
    }),
    payments: takesPayments,
    price_usd: takesPayments ? context.settings.priceUsd : null,
    version: context.build.version,
    world: simulatorSpeed === null ? null : 'pretend',
    speed: simulatorSpeed ?? 1,
    ...(context.hasEasyMarket && { market: 'easy' }),
    ...(simulatorSpeed !== null && demoWallet !== null && { demo_wallet: demoWallet }),
    ...(simulatorSpeed !== null && hasDemoKey && { demo_key: true }),
    ...(simulatorSpeed !== null && simulatorUrl !== null && { simulator_url: simulatorUrl }),
  };
  return pageRoute('/config.json', Buffer.from(JSON.stringify(config)), 'application/json', API_LINES);
}
