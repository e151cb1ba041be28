// Every alarm fires only on its own fault and clears afterwards. Scrapes the real metrics during simulator faults
// and process failures, and evaluates the rules with promtool.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { findPromtool } from '../support/promtool.ts';
import { type Course, judgeAlarms, RULES, SCRAPE_EVERY_S } from './prometheus.ts';
import { openStage, type Stage } from './stage.ts';

type Scene = {
  /** Names of the simulator faults to enable. */
  simulator?: readonly string[];
  strain?: (strain: Stage['strain']) => void;
  deed?: (stage: Stage) => Promise<void>;
  /** Set if the fault becomes visible only over time. */
  takesTime?: boolean;
  /** Minutes within which the alarm must fire. */
  minutes?: number;
  clearMinutes?: number;
};

/** The fault persists for this long at the end, because every feed alarm has this delay. */
const STANDING_S = 120;

const SCENES: Record<string, Scene> = {
  TallycastDown: { strain: (strain) => (strain.isGone = true) },
  TallycastNothingKnown: { strain: (strain) => (strain.isBlind = true) },
  // In this setup only account b has a second source.
  TallycastPostsStale: { simulator: ['x-down'], minutes: 5 },
  TallycastPostsSecondHand: { simulator: ['mastodon-down'], minutes: 6 },
  TallycastOracleStale: { simulator: ['oracle-down'], minutes: 18, clearMinutes: 6 },
  TallycastMarketStale: { simulator: ['gamma-down'], minutes: 10.5, clearMinutes: 3 },
  TallycastPricesStale: { simulator: ['clob-down', 'market-ws-down'], minutes: 5 },
  TallycastForecastStale: {
    strain: (strain) => (strain.isForecastBroken = true),
    takesTime: true,
    minutes: 9,
  },
  TallycastFeedStrange: { simulator: ['gamma-version'], minutes: 5 },
  TallycastStoreReadOnly: { strain: (strain) => (strain.store = { isWritable: false, problem: 'full' }) },
  TallycastDiskLow: {
    strain: (strain) => (strain.store = { isWritable: true, problem: null, diskProblem: 'nearly full' }),
  },
  TallycastLeadersTakeTurns: {
    async deed(stage) {
      await stage.changeLeader();
    },
    minutes: 3.5,
    clearMinutes: 12,
  },
  TallycastSpendNearCap: { strain: (strain) => (strain.spendUsd = 9) },
  TallycastInvariantViolated: { strain: (strain) => (strain.violations += 1), clearMinutes: 7 },
  TallycastUsageLost: { strain: (strain) => (strain.droppedRows += 10), clearMinutes: 7 },
  TallycastSlow: { strain: (strain) => (strain.answerMs = 400), minutes: 5, clearMinutes: 8 },
};

const DASHBOARD = join(import.meta.dirname, '..', '..', 'deploy', 'grafana', 'tallycast.json');
const CALM_S = 60;
const promtool = findPromtool();
const why = promtool === null && 'promtool is not installed and apt-get cannot install it';

describe('alarms', { skip: why }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(SCRAPE_EVERY_S);
    await stage.live(8 * 60);
  });
  after(() => stage.close());

  it('are valid Prometheus rules, and each is covered by this test', () => {
    const { status, stderr } = spawnSync(promtool!, ['check', 'rules', RULES], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const names = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    assert.deepEqual(names.sort(), Object.keys(SCENES).sort());
  });

  it('use only existing metrics, as does the dashboard', async () => {
    const reported = (await stage.live(SCRAPE_EVERY_S))[0]!;
    for (const file of [RULES, DASHBOARD]) {
      for (const [name] of readFileSync(file, 'utf8').matchAll(/tallycast_[a-z_]+/g))
        assert.ok(reported.includes(`# HELP ${name.replace(/_bucket$/, '')} `), `${name} in ${file}`);
    }
  });

  /** Scrapes before, during and after the fault. */
  async function play(alarm: string, scene: Scene): Promise<Course> {
    const { simulator = [], strain, deed, minutes = 2, clearMinutes = 3 } = scene;
    const isLived = simulator.length > 0 || deed !== undefined || scene.takesTime === true;
    const pass = (forS: number) => (isLived ? stage.live(forS) : stage.hold(forS));
    const scrapes = await stage.hold(CALM_S);
    const calm = { scrape: scrapes.length - 1, firing: [] };
    const before = { ...stage.strain };
    for (const name of simulator) stage.simulator.faults.add(parseFault(name), stage.simulator.now());
    strain?.(stage.strain);
    const standingS = isLived && !deed ? STANDING_S : 0;
    for (let passed = 0; passed < minutes * 60 - standingS; passed += SCRAPE_EVERY_S) {
      await deed?.(stage);
      scrapes.push(...(await pass(SCRAPE_EVERY_S)));
    }
    scrapes.push(...(await stage.hold(standingS)));
    const troubled = { scrape: scrapes.length - 1, firing: [alarm] };
    stage.simulator.faults.clear(null, stage.simulator.now());
    const { droppedRows, violations } = stage.strain;
    Object.assign(stage.strain, { ...before, droppedRows, violations });
    scrapes.push(...(await (deed ? stage.hold : pass)(clearMinutes * 60)));
    const over = { scrape: scrapes.length - 1, firing: [] };
    return { name: alarm, scrapes, expectations: [calm, troubled, over] };
  }

  it('fire only on their own fault, and then clear', async () => {
    const courses: Course[] = [];
    for (const [alarm, scene] of Object.entries(SCENES)) courses.push(await play(alarm, scene));
    assert.equal(judgeAlarms(promtool!, courses), '');
  });
});
