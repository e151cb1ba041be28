// The API and the page on a hand-written board and store: nothing changes unless the test changes it.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { ACCOUNTS } from '../api/fixture.ts';
import { type Harness, type HarnessOptions, startHarness } from '../api/harness.ts';
import { closeBrowser, openBrowser, type Visit, type VisitOptions, visit } from './browser.ts';
import { buildPageIfMissing, type TestService } from './service.ts';

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

export type StillService = Harness & Pick<TestService, 'url' | 'keyOf'>;

export async function openStillService(options: HarnessOptions = {}): Promise<StillService> {
  buildPageIfMissing();
  const settings = { ...options.settings, webRoot: WEB_ROOT };
  const harness = await startHarness({ ...options, settings });
  for (const { accountId } of options.accounts ?? ACCOUNTS) {
    const events = harness.board.find(accountId)?.events ?? [];
    if (events.length > 0) await harness.store.events.upsert(events.map(({ event }) => event));
  }
  return {
    ...harness,
    url: `http://127.0.0.1:${harness.port}`,
    keyOf: (tier) => (tier === 'PUBLIC' ? null : harness.keys[tier]),
  };
}

export interface Desk {
  readonly browser: Browser;
  readonly service: StillService;
  /** Runs the steps on a separate page; ends it also after a failure. Fails if the page logged an error. */
  onPage(options: VisitOptions, steps: (page: Visit['page']) => Promise<void>): Promise<void>;
}

/** One service and the shared browser for all tests of a file; `fill` adds what they need. */
export function openDesk(
  options: HarnessOptions = {},
  fill: (service: StillService) => Promise<void> = async () => {},
): Desk {
  let browser: Browser;
  let service: StillService;
  before(async () => {
    [browser, service] = await Promise.all([openBrowser(), openStillService(options)]);
    await fill(service);
  });
  after(async () => {
    closeBrowser();
    await service?.close();
  });
  return {
    get browser() {
      return browser;
    },
    get service() {
      return service;
    },
    async onPage(visitOptions, steps) {
      const { page, errors, close } = await visit(browser, service, visitOptions);
      try {
        await steps(page);
      } finally {
        await close();
      }
      assert.deepEqual(errors, []);
    },
  };
}

/** The two widths and colour schemes of every page test. */
export const SCREENS = [
  { name: '390 px in dark mode', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: '1440 px in light mode', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
] as const;
