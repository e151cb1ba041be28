// All API routes, in the order of the documentation.

import type { RouteContext } from '../context.ts';
import type { Route } from '../http/route.ts';
import { activityRoutes } from './activity.ts';
import { alertsRoutes } from './alerts.ts';
import { channelsRoutes } from './channels.ts';
import { cryptoRoutes } from './crypto.ts';
import { deliveriesRoutes } from './deliveries.ts';
import { healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import { hourlyRoutes } from './hourly.ts';
import { ladderRoutes } from './ladder.ts';
import { metaRoutes } from './meta.ts';
import { opportunitiesRoutes } from './opportunities.ts';
import { performanceRoutes } from './performance.ts';
import { portfolioRoutes } from './portfolio.ts';
import { predictionRoutes } from './prediction.ts';
import { rulesRoutes } from './rules.ts';
import { sealsRoutes } from './seals.ts';
import { signalsRoutes } from './signals.ts';
import { streamRoutes } from './stream.ts';
import { tweetsRoutes } from './tweets.ts';
import { usageRoutes } from './usage.ts';
import { waitlistRoutes } from './waitlist.ts';
import { whatIfRoutes } from './what-if.ts';

export function listRoutes(context: RouteContext): Route[] {
  return [
    ...metaRoutes(context),
    ...cryptoRoutes(context),
    ...tweetsRoutes(context),
    ...hourlyRoutes(context),
    ...activityRoutes(context),
    ...predictionRoutes(context),
    ...opportunitiesRoutes(context),
    ...signalsRoutes(context),
    ...ladderRoutes(context),
    ...whatIfRoutes(context),
    ...portfolioRoutes(context),
    ...healthRoutes(context),
    ...waitlistRoutes(context),
    ...performanceRoutes(context),
    ...sealsRoutes(context),
    ...historyRoutes(context),
    ...usageRoutes(context),
    ...streamRoutes(context),
    ...channelsRoutes(context),
    ...deliveriesRoutes(context),
    ...rulesRoutes(context),
    ...alertsRoutes(context),
  ];
}
