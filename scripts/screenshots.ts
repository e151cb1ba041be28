// Takes screenshots of the service on the simulator: those in the docs, or with --all FOLDER every page at
// both widths in both colour schemes.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { DAY_MS } from '../src/domain/units.ts';
import { DESK, openBrowser, PHONE, type VisitOptions, visit } from '../test/browser/browser.ts';
import { openTestService, type TestService } from '../test/browser/service.ts';
import { PAGES } from '../web/src/pages.ts';
import type { PageName } from '../web/src/route.ts';

const [, , mode, folder] = process.argv;
const isAll = mode === '--all';
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
  isWhole?: boolean;
}

const DARK = { colorScheme: 'dark' } as const;
const SMALL = { viewport: PHONE, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;

/** One page as its row in the dashboard's table describes it. */
function shotOf(page: PageName, name: string = page, parts = ''): Shot {
  return { name, hash: `#/${page}${parts}`, awaits: PAGES[page].ready };
}

const WEEK = '/account_a/{week}';
const LIVE = shotOf('live', 'live', WEEK);
const EVENTS = shotOf('event', 'events', '/account_a');
const WHAT_IF = shotOf('what-if', 'what-if', WEEK);

/** The picture in README.md. */
const SHOTS: readonly Shot[] = [{ ...LIVE, tier: 'PRO', isWhole: true }];

const OTHERS = (Object.keys(PAGES) as PageName[]).filter(
  (page) => !['live', 'event', 'what-if'].includes(page),
);

/** Every page, as seen with an INTERNAL key, and the parts of some. */
const EVERY: readonly Shot[] = [
  ...[LIVE, EVENTS, WHAT_IF],
  ...OTHERS.map((page) => shotOf(page)),
  { name: 'event', hash: `#/event${WEEK}`, awaits: '.moment' },
  { name: 'docs', hash: 'docs', awaits: 'main' },
];
const SCREENS = {
  '1440-light': {},
  '1440-dark': DARK,
  '390-light': { ...SMALL, viewport: { width: 390, height: 844 } },
  '390-dark': { ...SMALL, viewport: { width: 390, height: 844 }, ...DARK },
};

function everyPage(): Shot[] {
  return EVERY.flatMap((page) =>
    Object.entries(SCREENS).map(
      ([screen, options]): Shot => ({
        ...{ ...page, name: `${page.name}-${screen}`, tier: 'INTERNAL', isWhole: true, ...options },
      }),
    ),
  );
}

mkdirSync(FOLDER, { recursive: true });
const [browser, service] = await Promise.all([openBrowser(), openTestService(SEED, [], HISTORY_DAYS)]);
try {
  await waitForForecasts(service);
  await callWithInternalKey(service);
  await addRule(service);
  await waitForRecord(service);
  for (const shot of isAll ? everyPage() : SHOTS) await take(browser, service, shot);
} finally {
  await browser.close();
  await service.close();
}

async function waitForForecasts({ app }: TestService): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  const isReady = () => ['a', 'b'].every((id) => app.board.find(id)?.events.some((state) => state.forecast));
  while (!isReady() && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 250));
}

/** The week-long event closest to its end, which has the most to show. */
function findWeek({ app }: TestService): number {
  const events = app.board.find('a')!.events.map(({ event }) => event);
  const weeks = events.filter(({ window }) => window.endTs - window.startTs > 5 * DAY_MS);
  return weeks.sort((left, right) => left.window.endTs - right.window.endTs)[0]!.eventId;
}

/** The newest event that has settled. */
async function findSettled({ url }: TestService): Promise<string> {
  const response = await fetch(`${url}/api/v1/history/account_a/events`);
  const { data } = (await response.json()) as { data: { event_id: number; settlement: object | null }[] };
  return String(data.find(({ settlement }) => settlement)?.event_id ?? '');
}

/** Makes requests for the usage page, and waits until they are recorded. */
async function callWithInternalKey({ url, keyOf }: TestService): Promise<void> {
  const headers = { 'x-api-key': keyOf('INTERNAL')! };
  const paths = [
    '/meta/account_a',
    '/prediction/account_a',
    '/signals/account_b',
    '/signals/account_a?bankroll=0',
  ];
  for (let round = 0; round < 12; round++) {
    for (const path of paths.slice(0, 1 + (round % paths.length)))
      await fetch(`${url}/api/v1${path}`, { headers });
  }
  const summary = async () => {
    const response = await fetch(`${url}/api/v1/usage/summary`, { headers });
    return ((await response.json()) as { data: { total_requests: number } }).data.total_requests;
  };
  while ((await summary()) === 0) await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/** Past events are scored when the processor is idle. */
async function waitForRecord({ url }: TestService): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  const countScored = async () => {
    const response = await fetch(`${url}/api/v1/performance/overview`);
    return ((await response.json()) as { error_24h?: { sample_size: number } }).error_24h?.sample_size ?? 0;
  };
  while ((await countScored()) === 0 && performance.now() < untilMs)
    await new Promise((resolve) => setTimeout(resolve, 5_000));
}

/** Sample rules for the alerts page. */
async function addRule({ url, keyOf }: TestService): Promise<void> {
  const key = keyOf(isAll ? 'INTERNAL' : 'PRO')!;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const rules = [{ kind: 'advice', quiet_from: '22:00', quiet_to: '07:00' }, { kind: 'price_moved' }];
  for (const rule of rules) {
    const answer = await fetch(`${url}/api/v1/rules`, {
      method: 'POST',
      headers,
      body: JSON.stringify(rule),
    });
    if (!answer.ok) throw new Error(`creating a rule returned ${answer.status}: ${await answer.text()}`);
  }
}

async function take(browser: Browser, service: TestService, shot: Shot): Promise<void> {
  const { name, awaits, isWhole = false, ...options } = shot;
  const week = String(findWeek(service));
  const settled = options.hash!.includes('{settled}') ? await findSettled(service) : '';
  const hash = options.hash!.replace('{week}', week).replace('{settled}', settled);
  const { page, close } = await visit(browser, service, { viewport: DESK, ...options, hash });
  if (name.startsWith('portfolio'))
    await page.getByLabel('Wallet address').fill(service.simulator.demoWallet);
  if (name.startsWith('what-if')) await page.getByRole('slider', { name: 'Silence' }).fill('8');
  await page.locator(awaits).first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  // Wait one clock tick, so that every number has settled.
  await page.waitForTimeout(1_200);
  const { width } = page.viewportSize()!;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT) };
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: isWhole, ...(isWhole && { clip }) });
  console.log(`${FOLDER}${name}.png`);
  await close();
}
