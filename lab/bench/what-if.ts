// Measures what-if requests to the running service: latency, event-loop time, and the time until the page
// shows the new ladder.

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openBrowser, visit } from '../../test/browser/browser.ts';
import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, limitRow } from './core/row.ts';
import { quantile } from './core/statistics.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

export const isLong = true;
export const about = `Sequential requests for every open event, each with a different assumption; then the time in Chromium from slider input to the updated ladder.`;

const ANSWER_LIMIT_MS = 50;
const LOOP_LIMIT_MS = 5;
const PAGE_LIMIT_MS = 200;
/** Requests to skip: the first ones are slow while the model loads posts. */
const WARM_UP = 20;

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const service = await startWholeService(options);
  try {
    const events = await listEvents(service);
    const rows = await measureAnswers(service, events, options.isQuick ? 100 : 1_000);
    return [...rows, await measurePage(service, events[0]!, options.isQuick ? 20 : 100)];
  } finally {
    await service.stop();
  }
}

interface OpenEvent {
  account: string;
  eventId: number;
}

async function listEvents(service: WholeService): Promise<OpenEvent[]> {
  const listed = await Promise.all(
    ['account_a', 'account_b'].map(async (account) => {
      const { json } = await call(service, `/prediction/${account}`);
      const { data } = json as { data: { event_id: number; forecast: object | null }[] };
      return data.filter(({ forecast }) => forecast).map(({ event_id }) => ({ account, eventId: event_id }));
    }),
  );
  return listed.flat();
}

async function measureAnswers(
  service: WholeService,
  events: readonly OpenEvent[],
  questions: number,
): Promise<BenchRow[]> {
  for (let i = 0; i < WARM_UP; i++) await ask(service, events[i % events.length]!, i);
  const loopBeforeNs = readLoopNs(service.pid);
  const delays: number[] = [];
  for (let i = 0; i < questions; i++) {
    const startedMs = performance.now();
    await ask(service, events[i % events.length]!, i);
    delays.push(performance.now() - startedMs);
  }
  const loopMs = (readLoopNs(service.pid) - loopBeforeNs) / 1e6 / questions;
  return [
    limitRow(
      `what-if, ${questions.toLocaleString('en-US')} requests: p50 ms`,
      quantile(delays, 0.5),
      ANSWER_LIMIT_MS,
    ),
    limitRow(
      `what-if, ${questions.toLocaleString('en-US')} requests: p99 ms`,
      quantile(delays, 0.99),
      ANSWER_LIMIT_MS,
    ),
    limitRow('what-if: event-loop ms/request, other work included', loopMs, LOOP_LIMIT_MS),
  ];
}

/** Uses every assumption once, to defeat caches. */
async function ask(service: WholeService, { account, eventId }: OpenEvent, i: number): Promise<void> {
  const assumption = {
    pace_factor: 0.5 + (i % 97) / 50,
    silent_hours: (i % 13) + i / 1e6,
    posts_added: i % 5,
  };
  const body = { event_id: eventId, bankroll: 500, ...assumption };
  for (;;) {
    const { status } = await call(service, `/what-if/${account}`, body);
    if (status === 200) return;
    if (status !== 503) throw new Error(`what-if returned ${status}`);
  }
}

async function call({ url, keys }: WholeService, path: string, body?: object) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-API-Key': keys.INTERNAL, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}

/** CPU time of the main thread. */
function readLoopNs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]);
}

async function measurePage(
  { url, keys }: WholeService,
  { account, eventId }: OpenEvent,
  moves: number,
): Promise<BenchRow> {
  const browser = await openBrowser();
  try {
    const hash = `#/what-if/${account}/${eventId}`;
    const { page } = await visit(browser, { url, keyOf: () => keys.INTERNAL }, { hash, tier: 'PRO' });
    await page.locator('.what-if [data-scenario]').waitFor();
    const slider = page.getByRole('slider', { name: 'Pace' });
    const move = async (key: string) => {
      const shown = page.evaluate(timeNextLadder);
      await slider.press(key);
      return shown;
    };
    // Moves back and forth, but never to the published forecast, which needs no model.
    await move('ArrowRight');
    const delays: number[] = [];
    for (let i = 0; i < moves; i++) delays.push(await move(i % 2 === 0 ? 'ArrowRight' : 'ArrowLeft'));
    return limitRow(
      `what-if, slider to ladder, ${moves} moves: p99 ms`,
      quantile(delays, 0.99),
      PAGE_LIMIT_MS,
    );
  } finally {
    await browser.close();
  }
}

/** Runs in the page; returns the time from the next slider input to the first ladder for a new assumption. */
function timeNextLadder(): Promise<number> {
  const read = () => document.querySelector('.what-if [data-scenario]')?.getAttribute('data-scenario');
  const before = read();
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no new ladder within 20 s')), 20_000);
    let movedMs = 0;
    addEventListener('input', () => (movedMs = performance.now()), { capture: true, once: true });
    const watcher = new MutationObserver(() => {
      if (read() === before) return;
      watcher.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - movedMs));
    });
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}
