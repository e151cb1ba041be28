// Measures what a visitor pays to load the dashboard: size of the first view, first paint and time to interactive.

import type { Browser } from 'playwright-core';
import { openBrowser, visit } from '../../test/browser/browser.ts';
import { openTestService, type TestService } from '../../test/browser/service.ts';
import { type BenchRow, limitRow } from './core/row.ts';

export const isLong = true;

const FIRST_VIEW_KB = 150;
const PAINT_LIMIT_MS = 1_000;
const QUIET_MS = 2_000;
const RUNS = 3;
const HISTORY_DAYS = 60;

export async function run(): Promise<BenchRow[]> {
  const [browser, service] = await Promise.all([openBrowser(), openTestService(5, [], HISTORY_DAYS)]);
  try {
    return [await measureFirstView(service), ...(await measureStart(browser, service))];
  } finally {
    await browser.close();
    await service.close();
  }
}

/** Sums what the first view needs: the document, and every script, sheet and font it names, as sent. */
export async function measureFirstView({ url }: Pick<TestService, 'url'>): Promise<BenchRow> {
  const html = await (await fetch(url)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const sizes = await Promise.all(
    ['/', ...new Set(files)].map(async (path) => {
      const answer = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'br' } });
      await answer.arrayBuffer();
      return Number(answer.headers.get('content-length') ?? Number.NaN);
    }),
  );
  return limitRow(
    'page: first view, kB as sent',
    sizes.reduce((sum, size) => sum + size, 0) / 1000,
    FIRST_VIEW_KB,
  );
}

/** Best of a few visits with a cold cache; slower visits measure the machine, not the page. */
async function measureStart(browser: Browser, service: TestService): Promise<BenchRow[]> {
  const starts: { paintMs: number; interactiveMs: number }[] = [];
  for (let run = 0; run < RUNS; run++) {
    const { page, close } = await visit(browser, service);
    await page.locator('.counter').first().waitFor();
    await page.waitForTimeout(QUIET_MS);
    starts.push(await page.evaluate(readStart, QUIET_MS));
    await close();
  }
  return [
    limitRow(
      'page: first contentful paint, ms',
      Math.min(...starts.map((start) => start.paintMs)),
      PAINT_LIMIT_MS,
    ),
    limitRow(
      'page: interactive, ms',
      Math.min(...starts.map((start) => start.interactiveMs)),
      PAINT_LIMIT_MS,
    ),
  ];
}

/**
 * Runs in the page. The page is interactive once it has painted and its last long task (over 50 ms) before a quiet
 * period has ended.
 */
async function readStart(quietMs: number): Promise<{ paintMs: number; interactiveMs: number }> {
  const paintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity;
  const tasks = await new Promise<PerformanceEntry[]>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({
      type: 'longtask',
      buffered: true,
    });
    setTimeout(() => resolve([]), 500);
  });
  let interactiveMs = paintMs;
  for (const { startTime, duration } of tasks) {
    if (startTime - interactiveMs > quietMs) break;
    interactiveMs = Math.max(interactiveMs, startTime + duration);
  }
  return { paintMs, interactiveMs };
}
