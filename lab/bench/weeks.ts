// Runs the service's jobs on a SQLite store over simulated weeks against the fitted market, then reads the
// track record back: predicted vs. observed per probability class, and the return with its interval. `npx
// tallycast lab weeks [--weeks 30] [--seed 1] [--crowd fitted]`

import { parseArgs } from 'node:util';
import type { CountEvents } from '../../simulator/market/count-events.ts';
import { CROWD_SKILLS, type CrowdSkill } from '../../simulator/market/crowd.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { createManualClock } from '../../src/runtime/clock.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { SignalRecord } from '../../src/store/ports.ts';
import { comparePredictions, type PredictedObserved } from '../../src/trade/record/predicted-observed.ts';
import { openSimulatedService } from './betting/simulated-service.ts';

const ANCHOR_TS = Date.UTC(2025, 0, 1);
const WARM_UP_DAYS = 120;
/** Smaller classes are printed but not checked. */
const MIN_JUDGED_BETS = 30;
/** Events listed in the last days settle after the given weeks. */
const SETTLING_DAYS = 9;
const STEP_MS = 6 * HOUR_MS;
/** The track record compares a fill with the price a day later, or an hour later near the end. */
const CLOSING_LINE_MS = HOUR_MS;

const { values } = parseArgs({
  options: {
    weeks: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    crowd: { type: 'string', default: 'fitted' },
  },
});
const crowd = CROWD_SKILLS.find((skill) => skill === values.crowd);
if (!crowd) throw new Error(`--crowd must be one of ${CROWD_SKILLS.join(', ')}, not "${values.crowd}"`);
const weeks = Number(values.weeks);
const signals = await followAdvice(crowd, weeks, Number(values.seed));
const rows = comparePredictions(signals, createRandom(1));
const events = new Set(signals.map((signal) => signal.eventId)).size;
console.log(
  `${weeks} weeks, ${crowd} market, seed ${values.seed}, SQLite: ${signals.length} recorded signals in ${events} settled events`,
);
console.log(
  'edge       class         bets events  predicted  market  observed  90% if true       return  90% interval',
);
for (const row of rows.filter(({ bets }) => bets > 0)) console.log(describe(row));
const failures = rows.flatMap(judge);
console.log(failures.length === 0 ? 'passed' : `FAILED: ${failures.join('; ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function followAdvice(skill: CrowdSkill, count: number, seed: number): Promise<SignalRecord[]> {
  const fromTs = ANCHOR_TS + WARM_UP_DAYS * DAY_MS;
  const clock = createManualClock(fromTs);
  const state = createSimulatorState({ seed, anchorTs: ANCHOR_TS, clock, crowd: skill });
  const service = await openSimulatedService(state, clock, fromTs);
  const steps = listSteps(state.countEvents, fromTs, fromTs + (7 * count + SETTLING_DAYS) * DAY_MS);
  const instants = new Set([...steps].flatMap((ts) => [ts, ts + CLOSING_LINE_MS]));
  try {
    for (const ts of [...instants].sort((a, b) => a - b)) {
      clock.advance(ts - clock.now());
      await (steps.has(ts) ? service.step() : service.recordPrices());
    }
    return await service.listSettledSignals();
  } finally {
    await service.close();
  }
}

/** Steps back from each event's end in six-hour steps, so that every scored horizon is hit to the minute. */
function listSteps(book: CountEvents, fromTs: number, untilTs: number): Set<number> {
  const ends = book.list(untilTs).filter(({ kind }) => kind === 'count');
  const steps = ends.flatMap(({ startTs, endTs }) =>
    Array.from({ length: Math.floor((endTs - startTs) / STEP_MS) }, (_, i) => endTs - i * STEP_MS),
  );
  return new Set(steps.filter((ts) => ts >= fromTs && ts <= untilTs));
}

function nameOf({ probabilityClass }: PredictedObserved): string {
  return probabilityClass ? `${probabilityClass.from} to ${probabilityClass.to}` : 'all';
}

function describe(row: PredictedObserved): string {
  const { expectedInterval: expected, ledger } = row;
  const range = (interval: { lo: number; hi: number } | null) =>
    interval ? `${percent(interval.lo)} to ${percent(interval.hi)}` : 'too few events';
  return [
    row.edgeKind.padEnd(10),
    nameOf(row).padEnd(12),
    String(row.bets).padStart(5),
    String(row.events).padStart(6),
    percent(row.predicted).padStart(10),
    percent(row.marketImplied).padStart(7),
    percent(row.observed).padStart(9),
    ` ${range(expected).padEnd(16)}`,
    percent(ledger.returnOnStake).padStart(8),
    ` ${range(ledger.returnInterval)}`,
  ].join(' ');
}

function judge(row: PredictedObserved): string[] {
  const { bets, observed, expectedInterval: expected, probabilityClass, ledger } = row;
  const name = `${row.edgeKind} ${nameOf(row)}`;
  const isOff = expected !== null && observed !== null && (observed < expected.lo || observed > expected.hi);
  const loses = probabilityClass === null && ledger.returnInterval !== null && ledger.returnInterval.hi < 0;
  return [
    ...(bets >= MIN_JUDGED_BETS && isOff ? [`${name}: observed outside the interval`] : []),
    ...(loses ? [`${name}: return below zero by more than its interval`] : []),
  ];
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(100 * value).toFixed(1)}%`;
}
