// npx tallycast lab counts --days 30: runs weeks of simulated time with every fault and kill -9 every few
// minutes, then compares our count of every event with the simulator's truth. Prints the failures and exits
// with 1 if there are any.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKeyService } from '../../src/access/key-service.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { openStore } from '../../src/store/open-store.ts';
import { startSimulatorProcess } from '../../test/roles/child-service.ts';
import { startOwnPostgres } from '../../test/roles/own-postgres.ts';
import { type CompareOptions, type Comparison, compareWithTruth } from './counts/compare.ts';
import { describeResult } from './counts/describe.ts';
import { LEADS, leadEnv } from './counts/leads.ts';
import { readHealth, runThroughFaults } from './counts/run.ts';
import { drawSchedule } from './counts/schedule.ts';
import { createServiceKeeper } from './counts/service-keeper.ts';
import { waitForShownCounts } from './counts/shown-counts.ts';
import { createSimulatorControl } from './counts/simulator-control.ts';
import { createStaleWatch, type Health } from './counts/stale-watch.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    speed: { type: 'string', default: '1800' },
    seed: { type: 'string', default: '71' },
    engine: { type: 'string', default: 'sqlite' },
    'kill-every-s': { type: 'string', default: '120' },
    lead: { type: 'string', default: 'platform' },
  },
});
const days = Number(values.days);
const lead = LEADS[values.lead];
if (!lead) throw new Error(`--lead must be one of ${Object.keys(LEADS).join(', ')}`);
const speed = Number(values.speed);
/** The run includes the end of daylight saving time and a change of month. */
const START_TS = Date.UTC(2026, 9, 12, 14);
/** Fault-free simulated time before the end, so that deferred posts get old enough for gap repair. */
const CALM_MS = 8 * HOUR_MS;
const SETTLE_WITHIN_MS = 120_000;
/**
 * Speed during the backfill: at full speed every feed is polled without a pause, and hundreds of small pages
 * would queue behind the polls.
 */
const PAST_SPEED = 20;
const WELL_WITHIN_MS = 400_000;

const startedMs = performance.now();
const say = (line: string) =>
  process.stderr.write(
    `${String(Math.round((performance.now() - startedMs) / 1000)).padStart(5)} s  ${line}\n`,
  );
const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-counts-'));
const postgres = values.engine === 'postgres' ? await startOwnPostgres() : null;
const random = createRandom(Number(values.seed)).fork('counts');
const pushRandom = random.fork('push');
const simulatorProcess = await startSimulatorProcess([
  ...['--seed', values.seed, '--speed', String(PAST_SPEED), '--start', String(START_TS)],
]);
const simulator = createSimulatorControl(simulatorProcess.url);
const keeper = createServiceKeeper({
  env: () => ({
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    DATA_DIR: dataDir,
    SIMULATOR_URL: simulatorProcess.url,
    PORT: '0',
    LOG_LEVEL: 'error',
    CRYPTO_SERIES: 'btc-up-or-down-hourly',
    ...leadEnv(lead, () => pushRandom.uniform() < 0.5),
  }),
  simulatorNow: simulator.now,
});

try {
  process.exitCode = (await compareAll()) ? 0 : 1;
} finally {
  await keeper.kill();
  await simulatorProcess.stop();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function openOwnStore() {
  return openStore({ dataDir, databaseUrl: postgres?.url, clock: systemClock, logger: silentLogger });
}

async function compareAll(): Promise<boolean> {
  const key = await issueKey();
  await keeper.start();
  await waitUntilWell();
  say(`backfill complete; simulated time starts`);
  // The service reads the simulator's speed at startup.
  await keeper.stop();
  await simulator.setSpeed(speed);
  await keeper.start();
  await waitUntilWell();
  const runFromTs = await simulator.now();
  const lengthMs = days * DAY_MS;
  const schedule = drawSchedule(random.fork('schedule'), lengthMs - CALM_MS, speed, lead!.outages);
  const watch = createStaleWatch(speed);
  say(`sources: A from ${lead!.a}, B from ${lead!.b}`);
  say(`${days} days at speed ${speed}, seed ${values.seed}, ${schedule.length} episodes`);
  const killEveryMs = Number(values['kill-every-s']) * 1000;
  const run = await runThroughFaults({
    ...{ simulator, keeper, watch, random, schedule, runFromTs, lengthMs, speed, killEveryMs },
    onProgress: say,
  });
  await simulator.clearFaults();
  const untilTs = await simulator.now();
  say('faults off; last kill, then slow motion until everything has caught up');
  await keeper.kill();
  await simulator.setSpeed(1);
  await keeper.start();
  const killTs = () => [...keeper.kills.map(({ atTs }) => atTs), ...run.standstillTs];
  const shown = await waitForShownCounts({
    simulator,
    keeper,
    key,
    speed,
    killTs,
    withinMs: SETTLE_WITHIN_MS,
  });
  const cutTs = await simulator.now();
  await keeper.stop();
  const comparison = await compare({ runFromTs, cutTs, shownTs: shown.atTs, killTs: killTs() });
  for (const { event, ours, whenShown } of comparison.rows) {
    const count = shown.counts.get(event.eventId) ?? ours;
    if (count < whenShown || count > ours)
      shown.broken.push(`/meta ${event.slug}: showed ${count}, the store had ${whenShown}, then ${ours}`);
  }
  const stale = watch.summary();
  const broken = [
    ...keeper.crashes,
    ...keeper.errors,
    ...stale.broken,
    ...shown.broken,
    ...comparison.broken,
  ];
  const facts = {
    ...{
      days,
      speed,
      seed: values.seed,
      engine: values.engine,
      runFromTs,
      untilTs,
      run,
      comparison,
      stale,
      shown,
    },
    kills: keeper.kills.length,
    crashes: keeper.crashes.length,
    realS: Math.round((performance.now() - startedMs) / 1000),
  };
  console.log(describeResult(facts, broken));
  return broken.length === 0;
}

async function issueKey(): Promise<string> {
  const store = await openOwnStore();
  const { key } = await createKeyService(store.keys, systemClock).issue({ tier: 'INTERNAL', label: 'proof' });
  await store.close();
  return key;
}

/** The simulated oracle stalls at times, so a stale oracle feed is not a failure. */
function isWell(health: Health | null): boolean {
  return (
    health !== null && (health.problems ?? []).every((problem) => problem.endsWith('feed oracle is stale'))
  );
}

/** Waits until the backfill is complete and every feed has responded. */
async function waitUntilWell(): Promise<void> {
  const untilMs = performance.now() + WELL_WITHIN_MS;
  for (;;) {
    const health = await readHealth(keeper.url());
    if (isWell(health)) return;
    if (performance.now() > untilMs)
      throw new Error(`the service was unhealthy before the run: ${JSON.stringify(health?.problems)}`);
    await wait(200);
  }
}

async function compare(
  times: Pick<CompareOptions, 'runFromTs' | 'cutTs' | 'shownTs' | 'killTs'>,
): Promise<Comparison> {
  const store = await openOwnStore();
  try {
    const { events } = await simulator.truth(times.runFromTs, false);
    const truth = { ...(await simulator.truth(0, true)), events };
    return await compareWithTruth({ store, truth, speed, ...times });
  } finally {
    await store.close();
  }
}
