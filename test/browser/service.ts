// The whole service in process on its own simulator, for browser tests. The service can be stopped and
// restarted at the same address while the simulator continues.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { simulatorAccountFor } from '../../simulator/draw-account.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createKeyService } from '../../src/access/key-service.ts';
import { type App, startApp } from '../../src/app/composition.ts';
import { loadConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { waitUntil, youngAnchorTs } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Tier = 'PUBLIC' | 'PRO' | 'INTERNAL';

export interface TestService {
  readonly url: string;
  readonly app: App;
  readonly simulator: Simulator;
  /** Returns the tier's key; null for the public. */
  keyOf(tier: Tier): string | null;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function openTestService(
  seed: number,
  more: readonly string[] = [],
  historyDays?: number,
): Promise<TestService> {
  buildPageIfMissing();
  const dataDir = makeTempFolder('browser');
  const anchorTs = youngAnchorTs(historyDays);
  const accounts = loadConfig(more, {}).accounts.map(simulatorAccountFor);
  const simulator = createSimulator({ seed, anchorTs, clock: systemClock, faults: [], accounts });
  const simulatorServer = await startSimulatorServer(simulator);
  let port = 0;
  let app: App;
  const start = async () => {
    const flags = [
      '--port',
      String(port),
      '--data-dir',
      dataDir,
      '--simulator-url',
      simulatorServer.urls.base,
      '--read-past',
      'false',
      ...more,
    ];
    app = await startApp(loadConfig(flags, {}), { logger: silentLogger });
    port = Number(new URL(app.url!).port);
  };
  await start();
  await waitForEvents(
    app!,
    accounts.map(({ accountId }) => accountId),
  );
  const keys = await issueKeys(app!);
  return {
    get url() {
      return app.url!;
    },
    get app() {
      return app;
    },
    simulator,
    keyOf: (tier) => keys[tier],
    start,
    stop: () => app.stop(),
    async close() {
      await app.stop();
      await simulatorServer.close();
    },
  };
}

/** Resolves when every account has open events and posts. */
async function waitForEvents(app: App, accountIds: readonly string[]): Promise<void> {
  const isReady = () =>
    accountIds.every((accountId) => {
      const snapshot = app.board.find(accountId);
      return (snapshot?.events.length ?? 0) > 0 && (snapshot?.recentPosts.length ?? 0) > 0;
    });
  await waitUntil(isReady);
}

async function issueKeys(app: App): Promise<Record<Tier, string | null>> {
  const keyService = createKeyService(app.store.keys, systemClock);
  const issue = async (tier: 'PRO' | 'INTERNAL') => (await keyService.issue({ tier, label: 'browser' })).key;
  return { PUBLIC: null, PRO: await issue('PRO'), INTERNAL: await issue('INTERNAL') };
}

export function buildPageIfMissing(): void {
  if (existsSync(join(ROOT, 'web/dist/index.html'))) return;
  execFileSync(process.execPath, [join(ROOT, 'scripts/setup.mjs'), '--web'], { cwd: ROOT, stdio: 'ignore' });
}
