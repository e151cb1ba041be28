// What a start prints, and the wait for the first forecasts before it.

import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, defaultDataDir } from '../config/config.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { BoardReader } from '../state/board.ts';
import type { App } from './composition.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export function describeStart(app: Pick<App, 'url' | 'metricsUrl' | 'simulator'>): string {
  const lines = [`tallycast is running${app.url ? `: ${app.url}` : ' (ingest only)'}`];
  if (app.metricsUrl) lines.push(`metrics:     ${app.metricsUrl}`);
  if (app.simulator) {
    lines.push(`simulator:   ${app.simulator.urls.base}, speed ${app.simulator.speed}`);
    lines.push(`demo wallet: ${app.simulator.demoWallet}`);
  }
  return lines.join('\n');
}

/** Printed once there is data to show. */
export function describeFirstSteps(
  config: Pick<Config, 'accounts' | 'dataDir' | 'secrets' | 'sources'>,
  app: Pick<App, 'url' | 'simulator'>,
  workingDir: string,
): string {
  // The configuration guarantees at least one account.
  const { segment } = config.accounts[0]!;
  const lines = [
    '',
    'try:',
    `  curl ${app.url}/api/v1/meta/${segment}`,
    `  curl ${app.url}/api/v1/meta/${segment}/tweets`,
    `  KEY=$(${keyCommand(config, workingDir)})`,
    `  curl -H "X-API-Key: $KEY" ${app.url}/api/v1/prediction/${segment}`,
    `  curl -H "X-API-Key: $KEY" ${app.url}/api/v1/signals/${segment}`,
  ];
  if (app.simulator) {
    const wallet = app.simulator.demoWallet;
    lines.push(`  curl -H "X-API-Key: $KEY" "${app.url}/api/v1/portfolio/${segment}?wallet=${wallet}"`);
  }
  lines.push(`dashboard: ${app.url}/   API docs: ${app.url}/docs   stop: Ctrl-C`);
  return lines.join('\n');
}

/** The printed command must issue a key in this service's store, from any shell in this folder. */
function keyCommand(
  { dataDir, secrets, sources }: Pick<Config, 'dataDir' | 'secrets' | 'sources'>,
  workingDir: string,
): string {
  const isHome = relative(ROOT, workingDir) === '';
  const tallycast = isHome ? 'npm run -s keys --' : `node ${quote(`${ROOT}bin/tallycast.mjs`)} keys`;
  const place = secrets.databaseUrl
    ? ''
    : isHome && resolve(workingDir, dataDir) === resolve(ROOT, defaultDataDir(sources))
      ? ''
      : ` --data-dir ${quote(resolve(workingDir, dataDir))}`;
  return `${tallycast} issue --tier PRO --label me${place}`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** On a busy machine, the simulator needs most of this to draw its past. */
const MAX_WAIT_MS = 15_000;

/**
 * Resolves when every feed of every account has responded at least once, in this run or an earlier one, or
 * after a timeout or on abort.
 */
export function waitForFirstAnswers(
  board: BoardReader,
  accountIds: readonly string[],
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  const haveAnswered = () =>
    accountIds.every((id) => board.find(id)?.feeds.every((feed) => feed.updatedTs !== null));
  if (signal.aborted || haveAnswered()) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      leave();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(MAX_WAIT_MS, finish);
    const leave = board.listen(() => {
      if (haveAnswered()) finish();
    });
    signal.addEventListener('abort', finish);
  });
}
