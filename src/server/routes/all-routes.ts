// All API routes, in the order of the documentation.

import type { RouteContext } from '../context.ts';
import { alertsRoutes } from '../endpoints/alerts.ts';
import { channelsRoutes } from '../endpoints/channels.ts';
import { cryptoRoutes } from '../endpoints/crypto.ts';
import { deliveriesRoutes } from '../endpoints/deliveries.ts';
import { dossierRoutes } from '../endpoints/dossier.ts';
import { healthRoutes } from '../endpoints/health.ts';
import { historyRoutes } from '../endpoints/history.ts';
import { keysRoutes } from '../endpoints/keys.ts';
import { metaRoutes } from '../endpoints/meta.ts';
import { performanceRoutes } from '../endpoints/performance.ts';
import { rulesRoutes } from '../endpoints/rules.ts';
import { sealsRoutes } from '../endpoints/seals.ts';
import { usageRoutes } from '../endpoints/usage.ts';
import { waitlistRoutes } from '../endpoints/waitlist.ts';
import { webhooksRoutes } from '../endpoints/webhooks.ts';
import type { Route } from '../http/route.ts';
import { booksRoutes } from './books.ts';
import { hourlyRoutes } from './hourly.ts';
import { ladderRoutes } from './ladder.ts';
import { opportunitiesRoutes } from './opportunities.ts';
import { outlookRoutes } from './outlook.ts';
import { portfolioRoutes } from './portfolio.ts';
import { predictionRoutes } from './prediction.ts';
import { signalsRoutes } from './signals.ts';
import { streamRoutes } from './stream.ts';
import { tweetsRoutes } from './tweets.ts';
import { whatIfRoutes } from './what-if.ts';

export function listRoutes(context: RouteContext): Route[] {
  return [
    ...metaRoutes(context),
    ...cryptoRoutes(context),
    ...tweetsRoutes(context),
    ...hourlyRoutes(context),
    ...predictionRoutes(context),
    ...opportunitiesRoutes(context),
    ...signalsRoutes(context),
    ...ladderRoutes(context),
    ...whatIfRoutes(context),
    ...outlookRoutes(context),
    ...portfolioRoutes(context),
    ...healthRoutes(context),
    ...waitlistRoutes(context),
    ...performanceRoutes(context),
    ...sealsRoutes(context),
    ...historyRoutes(context),
    ...dossierRoutes(context),
    ...booksRoutes(context),
    ...usageRoutes(context),
    ...keysRoutes(context),
    ...streamRoutes(context),
    ...channelsRoutes(context),
    ...deliveriesRoutes(context),
    ...rulesRoutes(context),
    ...alertsRoutes(context),
    ...webhooksRoutes(context),
  ];
}
