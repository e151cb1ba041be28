// Selects the accounts and windows that the forecast bench scores.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CountWindow } from '../../src/domain/market-event.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { parseHistory } from '../../src/forecast/backtest/read-history.ts';
import type { MarketZone } from '../../src/forecast/time/market-zone.ts';
import type { PostHistory } from '../../src/forecast/types.ts';

export interface BenchAccount {
  name: string;
  group: 'others' | 'A' | 'B';
  history: PostHistory;
  windows: readonly CountWindow[];
}

/** Days of history before the first window. */
const WARM_UP_DAYS = 150;
/** Other accounts' windows come in two-week groups, so that several share one weekly fit. */
const STRETCH_DAYS = 14;
/** Windows end at these local hours in rotation, so that forecasts cover every time of day. */
const END_HOURS = [12, 20, 4];

export interface SamplePlan {
  /** Days between the starts of window groups. */
  everyDays: number;
  stepDays: number;
  fromTs: number | null;
}

/** Reads the accounts in a data folder; `share` reduces the number of windows for a quick run. */
export function readAccounts(folder: string, zone: MarketZone, share: number): BenchAccount[] {
  const others = join(folder, 'others');
  if (!existsSync(others)) throw new Error(`${others} is missing. Pass --data with a folder of post files.`);
  const files = readdirSync(others).filter((name) => name.endsWith('.csv'));
  const plan = { everyDays: 70 * share, stepDays: 2, fromTs: null };
  const from = (day: string) => ({ everyDays: 28 * share, stepDays: 1, fromTs: Date.parse(day) });
  return [
    ...files.sort().map((name) => account(name.slice(0, -4), 'others', [join(others, name)], zone, plan)),
    account(
      'A',
      'A',
      ['account-a-posts.csv', 'account-a-posts-2025q4.csv'],
      zone,
      from('2024-09-17'),
      folder,
    ),
    account('B', 'B', ['account-b-posts.csv'], zone, from('2024-06-01'), folder),
  ];
}

function account(
  name: string,
  group: BenchAccount['group'],
  files: readonly string[],
  zone: MarketZone,
  plan: SamplePlan,
  folder = '',
): BenchAccount {
  const history = parseHistory(joinFiles(files.map((file) => readFileSync(join(folder, file), 'utf8'))));
  return { name, group, history, windows: sampleWindows(history, zone, plan) };
}

/** Later files continue the first, so their header lines are dropped. */
function joinFiles(texts: readonly string[]): string {
  return texts.map((text, i) => (i === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('\n');
}

export function sampleWindows(
  { createdTs }: PostHistory,
  zone: MarketZone,
  { everyDays, stepDays, fromTs }: SamplePlan,
): CountWindow[] {
  const firstTs = Math.max(fromTs ?? 0, createdTs[0]! + WARM_UP_DAYS * DAY_MS);
  const lastTs = createdTs.at(-1)! - DAY_MS;
  const windows: CountWindow[] = [];
  for (let day = 0; firstTs + (day + 7) * DAY_MS < lastTs; day += stepDays) {
    if (day % everyDays >= STRETCH_DAYS) continue;
    const { year, month, day: date } = zone.localParts(firstTs + day * DAY_MS);
    const hour = END_HOURS[windows.length % END_HOURS.length]!;
    windows.push({
      startTs: zone.fromLocal(year, month, date, hour),
      endTs: zone.fromLocal(year, month, date + 7, hour),
    });
  }
  return windows;
}
