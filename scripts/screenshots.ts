// Takes the screenshot in the README from the service on the simulator, or with --all FOLDER every page at both
// widths in both colour schemes.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { DAY_MS } from '../src/domain/units.ts';
import { DESK, openBrowser, PHONE, type VisitOptions, visit } from '../test/browser/browser.ts';
import { openTestService, type TestService } from '../test/browser/service.ts';
import { PAGES } from '../web/src/pages.ts';
import type { PageName } from '../web/src/route.ts';

const [, , mode, folder] = process.argv;
const FOLDER = folder ? `${folder}/` : fileURLToPath(new URL('../docs/img/', import.meta.url));
const SEED = 7;
const HISTORY_DAYS = 60;
/** Longer pages are cut. */
const MAX_HEIGHT = 3_000;
/** How long a new service may take to publish its first forecasts and its track record. */
const PATIENCE_MS = 240_000;

interface Shot extends VisitOptions {
  name: string;
  /** Selector that must be present before the screenshot is taken. */
  awaits: string;
}

const DARK = { colorScheme: 'dark' } as const;
const SMALL = { viewport: PHONE, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;
const SCREENS = {
  ...{ '1440-light': {}, '1440-dark': DARK, '390-light': SMALL, '390-dark': { ...SMALL, ...DARK } },
};

/** One page as its row in the dashboard's table describes it. */
function shotOf(page: PageName, week: number): Shot {
  const parts = page === 'live' || page === 'what-if' ? `/account_a/${week}` : '';
  return { name: page, hash: `#/${page}${parts}`, awaits: PAGES[page].ready, tier: 'PRO' };
}

function everyPage(week: number): Shot[] {
  return (Object.keys(PAGES) as PageName[]).flatMap((page) =>
    Object.entries(SCREENS).map(([screen, options]) => {
      const shot = shotOf(page, week);
      return { ...shot, ...options, name: `${page}-${screen}`, tier: 'INTERNAL' as const };
    }),
  );
}

mkdirSync(FOLDER, { recursive: true });
const [browser, service] = await Promise.all([openBrowser(), openTestService(SEED, [], HISTORY_DAYS)]);
try {
  await until(() => ['a', 'b'].every((id) => service.app.board.find(id)?.events.some((one) => one.forecast)));
  await until(async () => (await countScored(service)) > 0);
  const week = findWeek(service);
  for (const shot of mode === '--all' ? everyPage(week) : [shotOf('live', week)])
    await take(browser, service, shot);
} finally {
  await browser.close();
  await service.close();
}

async function until(isReady: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isReady()) && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/** Past events are scored when the processor is idle. */
async function countScored({ url }: TestService): Promise<number> {
  const response = await fetch(`${url}/api/v1/performance/overview`);
  return ((await response.json()) as { error_24h?: { sample_size: number } }).error_24h?.sample_size ?? 0;
}

/** The week-long event closest to its end, which has the most to show. */
function findWeek({ app }: TestService): number {
  const events = app.board.find('a')!.events.map(({ event }) => event);
  const weeks = events.filter(({ window }) => window.endTs - window.startTs > 5 * DAY_MS);
  return weeks.sort((left, right) => left.window.endTs - right.window.endTs)[0]!.eventId;
}

async function take(browser: Browser, service: TestService, shot: Shot): Promise<void> {
  const { name, awaits, ...options } = shot;
  const { page, close } = await visit(browser, service, { viewport: DESK, ...options });
  await page.locator(awaits).first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  // Wait one clock tick, so that every number has settled.
  await page.waitForTimeout(1_200);
  const { width } = page.viewportSize()!;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT) };
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true, clip });
  console.log(`${FOLDER}${name}.png`);
  await close();
}
