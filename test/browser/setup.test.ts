// Setup in the browser, from the printed link to a service on live sources. The sources are the simulator
// under the platforms' host names.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ACCOUNT_A } from '../../simulator/account-parameters.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { closeBrowser, findFaults, isWithinWidth, openBrowser, visit } from './browser.ts';
import { buildPageIfMissing } from './service.ts';
import { SCREENS } from './still-service.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LINK_WITHIN_MS = 120_000;

let browser: Browser;
let platforms: SimulatorServer;
let folder: string;
let child: ChildProcess;
let link: string;

before(async () => {
  buildPageIfMissing();
  const series = { '2d': 'elon-tweets-48h', '7d': 'elon-tweets', month: 'elon-tweet-daily' };
  const account = { ...ACCOUNT_A, handle: 'elonmusk', platformUserId: '44196397', series };
  const anchorTs = youngAnchorTs();
  platforms = await startSimulatorServer(
    createSimulator({ seed: 7, anchorTs, clock: systemClock, accounts: [account] }),
  );
  folder = makeTempFolder('setup');
  [browser, link] = await Promise.all([openBrowser(), startDemonstration()]);
});
after(async () => {
  closeBrowser();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  await platforms.close();
});

/** Starts the service and resolves with the link it prints. */
async function startDemonstration(): Promise<string> {
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    PLATFORM_SIMULATOR: platforms.urls.base,
  };
  const hosts = join(ROOT, 'test/live/platform-hosts.mjs');
  child = spawn(process.execPath, ['--import', hosts, join(ROOT, 'src/bin/tallycast.ts'), 'start'], {
    cwd: folder,
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr!.resume();
  const signal = AbortSignal.timeout(LINK_WITHIN_MS);
  for await (const line of createInterface({ input: child.stdout!, signal })) {
    const found = /^set up live accounts.*: (http\S+)$/.exec(line)?.[1];
    if (found) {
      child.stdout!.resume();
      return found;
    }
  }
  throw new Error('the service exited or waited without printing a link');
}

describe('setup in the browser', () => {
  it("lets the operator choose accounts, shows each source's status and cost, and goes live", async () => {
    const { origin, hash } = new URL(link);
    const { page, close } = await visit(
      browser,
      { url: origin, keyOf: () => null },
      { hash: `setup${hash}` },
    );
    await page.getByLabel('elonmusk').check();
    assert.equal(page.url(), `${origin}/setup`, 'the token is removed from the URL');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Check sources' }).click();
    await page.locator('#findings tr', { hasText: /elon-musk counts\s*works/ }).waitFor();
    await page.getByText(/Free\.|About \$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByText('Setup complete.').waitFor();
    const dashboard = (await page.getByRole('link', { name: 'Open the dashboard' }).getAttribute('href'))!;
    const key = await page.locator('#key').innerText();
    await expectAccessible(page);
    await close();
    await expectLive(dashboard, key);
    await expectUsedUp();
  });
});

async function expectAccessible(page: Page): Promise<void> {
  for (const { name, viewport, colorScheme } of SCREENS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findFaults(page), [], name);
    assert.ok(await isWithinWidth(page), name);
  }
}

async function expectLive(url: string, key: string): Promise<void> {
  const config = (await (await fetch(`${url}config.json`)).json()) as { world: unknown; accounts: unknown };
  assert.equal(config.world, null);
  assert.deepEqual(config.accounts, [{ segment: 'elon-musk', label: 'Elon Musk', rebalancing: true }]);
  const usage = await fetch(`${url}api/v1/usage/stats`, { headers: { 'x-api-key': key } });
  assert.equal(usage.status, 200, 'the key is an operator key');
  const path = join(folder, 'tallycast.config.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).accounts[0].id, 'elon-musk');
  assert.ok(statSync(join(folder, 'data', 'simulator')).isDirectory(), 'simulated data stays separate');
}

async function expectUsedUp(): Promise<void> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ token: hash.slice(1) });
  const again = await fetch(`${origin}/open`, { method: 'POST', body });
  assert.equal(again.status, 403);
}
