// Opens a real Chromium with a fresh profile, and pages that record console errors and requests to other origins.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { clockShiftMs, shiftClock } from '../support/fixed-time.ts';
import type { TestService, Tier } from './service.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 360, height: 740 };

/** Deadline that even a slow machine should meet. */
const GIVE_UP_MS = 120_000;
/** How long to wait for the next suite before closing the browser. */
const LINGER_MS = 500;

export interface Visit {
  page: Page;
  /** Console errors and uncaught exceptions so far. */
  errors: string[];
  /** Requests to other origins so far. */
  strays: string[];
  close(): Promise<void>;
}

function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  return named ?? PLACES.find((place) => existsSync(place)) ?? null;
}

let shared: Promise<Browser> | null = null;
let users = 0;
let ending: NodeJS.Timeout | undefined;

/** All suites in the process share one browser; each visit has its own context. */
export async function openBrowser(): Promise<Browser> {
  clearTimeout(ending);
  users += 1;
  shared ??= launch();
  return shared;
}

/** Closes the browser after its last user, unless another one follows soon. */
export function closeBrowser(): void {
  users -= 1;
  if (users > 0) return;
  ending = setTimeout(async () => {
    const last = shared;
    shared = null;
    await (await last?.catch(() => null))?.close();
  }, LINGER_MS);
}

function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: needChromium(), args: FLAGS });
}

function needChromium(): string {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium not found. Install it or set CHROMIUM_PATH.');
  return executablePath;
}

export interface VisitOptions extends BrowserContextOptions {
  hash?: string;
  tier?: Tier;
}

export async function visit(
  browser: Pick<Browser, 'newContext'>,
  service: Pick<TestService, 'url' | 'keyOf'>,
  options: VisitOptions = {},
): Promise<Visit> {
  const { hash = '#/live', tier = 'PUBLIC', ...rest } = options;
  const context = await browser.newContext({ viewport: DESK, timezoneId: 'America/New_York', ...rest });
  context.setDefaultTimeout(GIVE_UP_MS);
  await context.addInitScript(shiftClock, clockShiftMs());
  const key = service.keyOf(tier);
  if (key) await context.addInitScript((text) => sessionStorage.setItem('tallycast-key', text), key);
  const page = await context.newPage();
  const errors: string[] = [];
  const strays: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOverload(message.text()))
      errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== service.url && url.protocol !== 'data:') strays.push(request.url());
  });
  await page.goto(`${service.url}/${hash}`);
  return { page, errors, strays, close: () => context.close() };
}

/** A busy machine sheds requests, which the page retries; tests check the state after that. */
function isOverload(text: string): boolean {
  return text.includes('status of 503');
}

/**
 * Waits until the stream is connected. Feeds may still be stale on a busy machine or while the simulated
 * oracle stalls.
 */
export function findLineUp(page: Page): Locator {
  return page.locator('.line-badge:is([data-line="live"], [data-line="stale"])');
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/**
 * Returns axe-core's findings, including minor ones, without the parts of a selector that repeat others. The script
 * is injected through the debugger, not the page.
 */
export async function findFaults(page: Page, repeated: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const scope = JSON.stringify({ exclude: repeated });
  const result = (await page.evaluate(`axe.run(${scope}, { resultTypes: ['violations'] })`)) as AxeResult;
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
  );
}

/** Returns the height of banners about late feeds, which appear on a busy machine. */
export function measureNotices(page: Page): Promise<number> {
  return page
    .locator('.notices > .notice:not(.notice-quiet)')
    .evaluateAll((items) => items.reduce((sum, item) => sum + (item as HTMLElement).offsetHeight, 0));
}

export function isWithinWidth(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}
