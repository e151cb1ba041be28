// Reads a running service's advice every two seconds at normal speed and prints every change with its
// cause. Fails on a change without a cause, and on more than one change per bucket and hour. `npx tallycast
// lab steady [--minutes 60] [--seed 71]`

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCommand } from './core/processes.ts';
import { createChangeWatch, findMaxPerHour } from './steady/advice-changes.ts';

const READ_EVERY_MS = 2_000;
const START_WITHIN_MS = 300_000;
/** The service computes its track record in the first minute, which changes the edge evidence. */
const SETTLE_MS = 60_000;
const ACCOUNTS = ['account_a', 'account_b'];

interface SignalsAnswer {
  data: {
    event_id: number;
    signals: {
      bucket: string;
      market_price: number | null;
      belief_prob: number;
      advice: { verdict: string; changed_because: string | null };
    }[];
  }[];
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '71' } },
});
const minutes = Number(values.minutes);
const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-steady-'));
const service = await startCommand(process.execPath, ['src/bin/tallycast.ts', 'start', '--port', '0'], {
  env: { DATA_DIR: dataDir, SIMULATOR_SEED: values.seed, METRICS_PORT: '0' },
  until: /^tallycast is running: (\S+)/,
});
try {
  process.exitCode = await watchAdvice(service.hello);
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function watchAdvice(url: string): Promise<number> {
  const key = await fetchDemoKey(url);
  await waitForAdvice(url, key);
  const watch = createChangeWatch();
  const untilTs = Date.now() + minutes * 60_000;
  let reads = 0;
  let printed = 0;
  for (; Date.now() < untilTs; reads++) {
    for (const account of ACCOUNTS) await readAccount(url, key, account, watch.take);
    for (; printed < watch.changes.length; printed++) console.log(describe(watch.changes[printed]!));
    await pause(READ_EVERY_MS);
  }
  const causeless = watch.changes.filter(({ isWithoutCause }) => isWithoutCause).length;
  const most = findMaxPerHour(watch.changes);
  console.log(
    `${minutes} minutes, ${reads} readings of ${watch.size()} buckets: ${watch.changes.length} changes, ${causeless} without a cause, at most ${most} per bucket and hour`,
  );
  return causeless === 0 && most <= 1 ? 0 : 1;
}

function describe(change: ReturnType<typeof createChangeWatch>['changes'][number]): string {
  const { ts, key: where, from, to, priceMove, blendedMove, cause } = change;
  const moves = `price moved ${(100 * priceMove).toFixed(1)} cents, blended probability ${(100 * blendedMove).toFixed(1)} points`;
  return `${new Date(ts).toISOString().slice(11, 19)} ${where}: ${from} to ${to}; ${cause ?? 'no cause given'}; ${moves}`;
}

async function readAccount(
  url: string,
  key: string,
  account: string,
  take: ReturnType<typeof createChangeWatch>['take'],
): Promise<void> {
  const { data } = await get<SignalsAnswer>(`${url}/api/v1/signals/${account}`, key);
  for (const { event_id, signals } of data) {
    for (const { bucket, market_price, belief_prob, advice } of signals) {
      take({
        key: `${account} ${event_id} ${bucket}`,
        ts: Date.now(),
        verdict: advice.verdict,
        marketPrice: market_price,
        blended: belief_prob,
        changedBecause: advice.changed_because,
      });
    }
  }
}

/** A first start has no forecasts yet and is still backfilling. */
async function waitForAdvice(url: string, key: string): Promise<void> {
  const giveUpTs = Date.now() + START_WITHIN_MS;
  for (;;) {
    const answers = await Promise.all(
      ACCOUNTS.map((account) => get<SignalsAnswer>(`${url}/api/v1/signals/${account}`, key)),
    );
    if (answers.every(({ data }) => data.some(({ signals }) => signals.length > 0))) break;
    if (Date.now() > giveUpTs) throw new Error('no advice within 5 minutes of startup');
    await pause(READ_EVERY_MS);
  }
  await pause(SETTLE_MS);
}

async function fetchDemoKey(url: string): Promise<string> {
  const response = await fetch(`${url}/demo-key`, { method: 'POST' });
  const { data } = (await response.json()) as { data: { key: string } };
  return data.key;
}

async function get<T>(url: string, key: string): Promise<T> {
  const response = await fetch(url, { headers: { 'X-API-Key': key } });
  return (await response.json()) as T;
}
