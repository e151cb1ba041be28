// The real ingesting service on the simulator with a manual clock, scraped as Prometheus does.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQuiet } from '../../lab/storm/quiet.ts';
import { openScratchStores } from '../../lab/storm/scratch-stores.ts';
import { createStormProcess, type StormProcess } from '../../lab/storm/storm-process.ts';
import { openInProcess } from '../../simulator/in-process.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { createForecastEngine } from '../../src/jobs/forecasting/forecast-engine.ts';
import { createInlineRunner, type ForecastRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { type Clock, createManualClock } from '../../src/runtime/clock.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { StoreHealth } from '../../src/server/context.ts';
import { RequestMeter } from '../../src/server/http/request-meter.ts';
import { createMetricsServer, type ServiceMetrics } from '../../src/server/metrics.ts';
import { addInvariantMetrics, addSourceMetrics } from '../../src/server/source-metrics.ts';
import { createBoard } from '../../src/state/board.ts';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import type { Scrape } from './prometheus.ts';

export interface Stage {
  simulator: ReturnType<typeof createSimulator>;
  /** Process faults, set by the test. */
  strain: {
    droppedRows: number;
    violations: number;
    store: StoreHealth;
    answerMs: number;
    spendUsd: number;
    isBlind: boolean;
    isGone: boolean;
    isForecastBroken: boolean;
  };
  /** Advances the clock and scrapes at every interval. */
  live(forS: number): Promise<Scrape[]>;
  /** Returns scrapes for this much time without running the service. */
  hold(forS: number): Promise<Scrape[]>;
  /** Makes another process take over. */
  changeLeader(): Promise<void>;
  close(): Promise<void>;
}

const START_TS = Date.UTC(2026, 5, 2, 13);
const HISTORY_DAYS = 12;
/** Shorter than the time in which a source must respond, which a longer step would always exceed. */
const STEP_MS = 7.5 * SECOND_MS;

/** No alarm uses signals, and sizing them at every scrape would take most of the time. */
const NO_ADVICE = { advise: () => [] };

export async function openStage(scrapeEveryS: number): Promise<Stage> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tallycast-alarms-'));
  const stores = await openScratchStores('sqlite', folder);
  const clock = createManualClock(START_TS);
  const anchorTs = START_TS - HISTORY_DAYS * DAY_MS - 13 * HOUR_MS;
  const simulator = createSimulator({ seed: 5, anchorTs, clock });
  const network = openInProcess(simulator);
  const quiet = createQuiet();
  const loaded = loadConfig(['--sources', 'simulator', '--log-level', 'silent', '--read-past', 'false'], {});
  const [first, ...others] = loaded.accounts;
  const accounts = [{ ...first!, postSources: [{ kind: 'x' as const }] }, ...others];
  // One series is enough for the alarms; the default would be all of them.
  const config = { ...loaded, accounts, cryptoSeries: ['btc-up-or-down-hourly'], xPush: false };
  const strain: Stage['strain'] = {
    ...{ droppedRows: 0, violations: 0, answerMs: 1, spendUsd: 1 },
    ...{ isBlind: false, isGone: false, isForecastBroken: false },
    store: { isWritable: true, problem: null },
  };
  const openSimulator = {
    ...{ clock, speed: 1, urls: network.urls, demoWallet: simulator.demoWallet, simulator },
    close: async () => {},
  };
  const store = await stores.openStore(clock);
  // Shared by all leaders, because every fit gives the same result.
  const runner = createThriftyRunner(() => strain.isForecastBroken);
  let epoch: number | null = null;
  let number = 0;
  let leader = start();

  function start(): StormProcess {
    const process = createStormProcess({
      ...{ number: ++number, config, openSimulator, network, baseClock: clock, store, quiet },
      random: createRandom(number),
      watcher: {
        ...{ newestEpoch: () => 0, onEpoch() {}, onFencedWrite() {} },
        onCaptured() {},
        onSettled() {},
      },
      trouble: () => ({ kind: 'none' }),
      createRunner: () => runner,
    });
    process.start();
    return process;
  }

  const meter = new RequestMeter(0);
  const metrics = openMetrics({
    ...{ meter, strain, clock, accounts: config.accounts },
    findSnapshot: (accountId) => leader.board.find(accountId),
    leaderEpoch: () => epoch,
  });

  async function scrape(): Promise<Scrape> {
    for (let i = 0; i < 100; i++) meter.record(-1, 200, strain.answerMs, 0);
    epoch = await store.readEpoch();
    return strain.isGone ? null : metrics.text();
  }

  return {
    simulator,
    strain,
    async live(forS) {
      const scrapes: Scrape[] = [];
      for (let passedS = 0; passedS < forS; passedS += STEP_MS / SECOND_MS) {
        if (passedS % scrapeEveryS === 0) scrapes.push(await scrape());
        clock.advance(STEP_MS);
        await quiet.settle();
      }
      return scrapes;
    },
    async hold(forS) {
      const scrapes: Scrape[] = [];
      for (let passedS = 0; passedS < forS; passedS += scrapeEveryS) scrapes.push(await scrape());
      return scrapes;
    },
    async changeLeader() {
      leader.kill();
      leader = start();
      await quiet.settle();
    },
    async close() {
      leader.kill();
      await quiet.settle();
      await store.close();
      await stores.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface MetricsParts {
  meter: RequestMeter;
  strain: Stage['strain'];
  clock: Clock;
  accounts: Config['accounts'];
  findSnapshot(accountId: string): AccountSnapshot | undefined;
  leaderEpoch(): number | null;
}

/** Builds service metrics with the stage's store, limiter and spend faults. */
function openMetrics({ meter, strain, clock, accounts, findSnapshot, leaderEpoch }: MetricsParts) {
  const board = {
    ...createBoard(),
    find: (accountId: string) => {
      const snapshot = strain.isBlind ? undefined : findSnapshot(accountId);
      const postSources = snapshot?.postSources?.map((source) => ({
        ...source,
        spend: { dayUsd: 0, monthUsd: strain.spendUsd, capUsd: 10 },
      }));
      return snapshot && { ...snapshot, ...(postSources && { postSources }) };
    },
  };
  const metrics = createMetricsServer({
    ...{ meter, board, accounts, clock, adviserOf: () => NO_ADVICE },
    storeHealth: () => strain.store,
    leaderEpoch,
    router: { routed: [] },
    recorder: {
      ring: {
        size: 0,
        get dropped() {
          return strain.droppedRows;
        },
      },
    },
    limiter: { countCallers: () => 0 },
    listener: { connections: { open: () => 0, refused: () => 0 }, isDraining: () => false },
  } as unknown as ServiceMetrics);
  addSourceMetrics(metrics.registry, board, accounts);
  const violations = {
    *[Symbol.iterator]() {
      yield ['count-fell', strain.violations] as const;
    },
  };
  addInvariantMetrics(metrics.registry, { counts: violations });
  return metrics;
}

/**
 * Runs the real engine once per event and replays its result, because fitting every minute would take too long.
 */
function createThriftyRunner(isBroken: () => boolean): ForecastRunner {
  const runner = createInlineRunner(createForecastEngine());
  const kept = new Map<string, Awaited<ReturnType<ForecastRunner['forecast']>>>();
  return {
    ...runner,
    async forecast(accountId, tasks, asofTs) {
      if (isBroken()) throw new Error('the forecast worker has ended (simulated)');
      const key = `${accountId} ${tasks.map(({ eventId }) => eventId)}`;
      const answer = kept.get(key) ?? (await runner.forecast(accountId, tasks, asofTs));
      kept.set(key, answer);
      return { ...answer, events: answer.events.map((event) => ({ ...event, asofTs })) };
    },
    beginWalk: async () => {},
    walkOn: async () => null,
  };
}
