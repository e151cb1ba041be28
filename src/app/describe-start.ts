// What a person sees when the service is up: where it is, and what to try.

import type { Config } from '../config/config.ts';
import type { App } from './composition.ts';

export function describeStart(app: App): string {
  const lines = [`tallycast is up${app.url ? `: ${app.url}` : ' (ingest only)'}`];
  if (app.metricsUrl) lines.push(`metrics:     ${app.metricsUrl}`);
  if (app.world) {
    lines.push(`world:       pretended, at ${app.world.urls.base}, speed ${app.world.speed}`);
    lines.push(`demo wallet: ${app.world.demoWallet}`);
  }
  return lines.join('\n');
}

/** Said when there is something to see. */
export function describeFirstSteps(config: Config, app: App): string {
  // The configuration refuses to be without one.
  const { segment } = config.accounts[0]!;
  const lines = [
    '',
    'try:',
    `  curl ${app.url}/api/v1/meta/${segment}`,
    `  curl ${app.url}/api/v1/meta/${segment}/tweets`,
    `  KEY=$(npx tallycast keys issue --tier PRO --label me)`,
    `  curl -H "X-API-Key: $KEY" ${app.url}/api/v1/prediction/${segment}`,
    `  curl -H "X-API-Key: $KEY" ${app.url}/api/v1/signals/${segment}`,
  ];
  if (app.world) {
    lines.push(
      `  curl -H "X-API-Key: $KEY" "${app.url}/api/v1/portfolio/${segment}?wallet=${app.world.demoWallet}"`,
    );
  }
  lines.push(`open ${app.url}/ for the dashboard, ${app.url}/docs for the interface; Ctrl-C stops`);
  return lines.join('\n');
}
