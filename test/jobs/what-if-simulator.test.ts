// What-if without an assumption, through a day of the simulator on a manual clock: the answer equals the
// published forecast exactly for every open event of every account; so does the model behind it, which
// follows the posts on its own thread.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openInProcess } from '../../lab/simulator/in-process.ts';
import { createSimulator } from '../../lab/simulator/simulator.ts';
import { createQuiet } from '../../lab/storm/quiet.ts';
import { openScratchStores } from '../../lab/storm/scratch-stores.ts';
import { createStormProcess } from '../../lab/storm/storm-process.ts';
import { loadConfig } from '../../src/config/config.ts';
import { isActiveAt } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { createForecastEngine } from '../../src/jobs/forecasting/forecast-engine.ts';
import { createInlineRunner, type ForecastRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import { createWhatIf } from '../../src/jobs/forecasting/what-if.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createAdviser } from '../../src/trade/advice/adviser.ts';
import { buildLadder } from '../../src/trade/advice/ladder.ts';
import { getSizingRules } from '../../src/trade/sizing/sizing-rules.ts';

const START_TS = Date.UTC(2026, 5, 2, 13);
const HISTORY_DAYS = 12;
const STEP_MS = 5 * SECOND_MS;
const LOOKS = 6;
const NEUTRAL = { paceFactor: 1, wakeTs: null, postsAdded: 0 };

interface Asked {
  tasks: Parameters<ForecastRunner['forecast']>[1];
  asofTs: number;
}

/** The publishing model, with its last request for all events of an account. */
function createNotedRunner(asked: Map<string, Asked>): ForecastRunner {
  const runner = createInlineRunner();
  return {
    ...runner,
    async forecast(accountId, tasks, asofTs) {
      const question = { tasks, asofTs };
      for (const { eventId } of tasks) asked.set(`${accountId}/${eventId}`, question);
      return runner.forecast(accountId, tasks, asofTs);
    },
    beginWalk: async () => {},
    walkOn: async () => null,
  };
}

async function openDay(seed: number) {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tallycast-what-if-'));
  const stores = await openScratchStores('sqlite', folder);
  const clock = createManualClock(START_TS);
  const anchorTs = START_TS - HISTORY_DAYS * DAY_MS - 13 * HOUR_MS;
  const simulator = createSimulator({ seed, anchorTs, clock });
  const network = openInProcess(simulator);
  const quiet = createQuiet();
  const loaded = loadConfig(['--sources', 'simulator', '--log-level', 'silent'], {});
  const config = { ...loaded, cryptoSeries: [], xPush: false };
  const store = await stores.openStore(clock);
  const openSimulator = {
    clock,
    speed: 1,
    urls: network.urls,
    demoWallet: simulator.demoWallet,
    simulator,
    close: async () => {},
  };
  const asked = new Map<string, Asked>();
  const leader = createStormProcess({
    number: 1,
    config,
    openSimulator,
    network,
    baseClock: clock,
    store,
    quiet,
    random: createRandom(seed),
    watcher: { newestEpoch: () => 0, onEpoch() {}, onFencedWrite() {}, onCaptured() {}, onSettled() {} },
    trouble: () => ({ kind: 'none' }),
    createRunner: () => createNotedRunner(asked),
  });
  leader.start();
  const engine = createForecastEngine();
  const whatIf = createWhatIf({
    accounts: config.accounts,
    board: leader.board,
    posts: store.posts,
    clock,
    createRunner: () => createInlineRunner(engine),
  });
  return {
    accounts: config.accounts,
    board: leader.board,
    clock,
    engine,
    whatIf,
    asked,
    async live(forMs: number) {
      for (let passedMs = 0; passedMs < forMs; passedMs += STEP_MS) {
        clock.advance(STEP_MS);
        await quiet.settle();
      }
    },
    async close() {
      leader.kill();
      await quiet.settle();
      await whatIf.close();
      await store.close();
      await stores.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Number of compared events. */
async function compare(day: Awaited<ReturnType<typeof openDay>>) {
  const { accounts, board, clock, engine, whatIf, asked } = day;
  const nowTs = clock.now();
  const anewOf = new Map<Asked, ReturnType<typeof engine.forecast>>();
  let compared = 0;
  for (const account of accounts) {
    const snapshot = board.find(account.accountId)!;
    const open = snapshot.events.filter(({ event, forecast }) => forecast && isActiveAt(event.window, nowTs));
    const adviser = createAdviser(getSizingRules(account));
    const advice = adviser.advise(snapshot, 1_000, nowTs);
    const priced = adviser.price(snapshot, nowTs);
    for (const { event, forecast } of open) {
      const question = { eventId: event.eventId, scenario: NEUTRAL, bankrollUsd: 1_000, nowTs };
      const told = await whatIf.ask(account.accountId, question);
      const { asofTs, countSoFar, p5, p50, p95, bucketProbabilities } = forecast!;
      const of = <T extends { eventId: number }>(all: readonly T[]) =>
        all.find(({ eventId }) => eventId === event.eventId)!;
      const rows = buildLadder(of(priced), of(advice).signals);
      assert.deepEqual(told, { asofTs, countSoFar, p5, p50, p95, rows });
      const published = asked.get(`${account.accountId}/${event.eventId}`)!;
      assert.equal(published.asofTs, asofTs);
      const answer = anewOf.get(published) ?? engine.forecast(account.accountId, published.tasks, asofTs);
      anewOf.set(published, answer);
      const anew = of(answer.events);
      assert.deepEqual(
        [anew.p5, anew.p50, anew.p95, anew.bucketProbabilities],
        [p5, p50, p95, bucketProbabilities],
      );
      compared += 1;
    }
  }
  return compared;
}

describe('what-if without an assumption, through a day of the simulator', () => {
  it('equals the published forecast exactly, for every open event', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), async (seed) => {
        const day = await openDay(seed);
        let compared = 0;
        try {
          await day.live(30 * SECOND_MS);
          for (let look = 0; look < LOOKS; look++) {
            compared += await compare(day);
            day.clock.step(DAY_MS / LOOKS);
            await day.live(10 * SECOND_MS);
          }
        } finally {
          await day.close();
        }
        t.diagnostic(`seed ${seed}: ${compared} forecasts compared`);
        assert.ok(compared >= LOOKS * 2);
      }),
      { numRuns: 1, seed: 17 },
    );
  });
});
