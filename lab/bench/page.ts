// Measures what a visitor pays to load the dashboard: size of the first view, first paint and time to interactive.

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser, visit } from '../../test/browser/browser.ts';
import type { TestService } from '../../test/browser/service.ts';
import type { BenchOptions } from './core/bench.ts';
import { startCommand } from './core/processes.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { untilQuiet } from './first-minutes.ts';

export const isLong = true;

const FIRST_VIEW_KB = 150;
const START_LIMIT_MS = 1_000;
const QUIET_MS = 2_000;
const RUNS = 3;

/** Visits the demo as a new user starts it: as its own process, on an empty folder. */
export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const env = { PORT: '0', DATA_DIR: join(options.scratchDir, 'page'), LOG_LEVEL: 'silent' };
  const until = /^tallycast is running: (\S+)/;
  const browser = await openBrowser();
  const demo = await startCommand(process.execPath, ['bin/tallycast.mjs', 'start'], { env, until });
  const service = { url: demo.hello, keyOf: () => null };
  try {
    const first = await measureVisit(browser, service);
    options.say('waiting until the past is read');
    if (!options.isQuick) await untilQuiet(service.url);
    return [
      await measureFirstView(service),
      limitRow('page: interactive right after the first start, ms', first.interactiveMs, START_LIMIT_MS),
      ...(await measureStart(browser, service)),
    ];
  } finally {
    await browser.close();
    await demo.stop();
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

type Visited = Pick<TestService, 'url' | 'keyOf'>;

/** Best of a few visits with a cold cache; slower visits measure the machine, not the page. */
async function measureStart(browser: Browser, service: Visited): Promise<BenchRow[]> {
  const starts: Start[] = [];
  for (let run = 0; run < RUNS; run++) starts.push(await measureVisit(browser, service));
  return [
    limitRow(
      'page: first contentful paint, ms',
      Math.min(...starts.map((start) => start.paintMs)),
      START_LIMIT_MS,
    ),
    limitRow(
      'page: interactive, ms',
      Math.min(...starts.map((start) => start.interactiveMs)),
      START_LIMIT_MS,
    ),
  ];
}

async function measureVisit(browser: Browser, service: Visited): Promise<Start> {
  const { page, close } = await visit(browser, service);
  await page.locator('.counter').first().waitFor();
  await page.waitForTimeout(QUIET_MS);
  const start = await page.evaluate(readStart, QUIET_MS);
  await close();
  return start;
}

interface Start {
  paintMs: number;
  interactiveMs: number;
}

/**
 * Runs in the page. The page is interactive once it has painted and its last long task (over 50 ms) before a quiet
 * period has ended.
 */
async function readStart(quietMs: number): Promise<Start> {
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
