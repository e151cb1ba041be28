// Follows the service's advice over simulated weeks against the fitted market: predicted vs. observed per class of stated
// probability, and the return with its interval. `npx tallycast lab weeks [--weeks 30] [--seed 1] [--crowd fitted]`

import { parseArgs } from 'node:util';
import { DAY_MS } from '../../src/domain/units.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { comparePredictions, type PredictedObserved } from '../../src/trade/record/predicted-observed.ts';
import { CROWD_SKILLS } from '../simulator/market/crowd.ts';
import { ANCHOR_TS, WARM_UP_DAYS, walkSimulator } from './betting/simulated-walk.ts';

/** Smaller classes are printed, not judged. */
const LEAST_JUDGED = 30;
/** Events listed in the last days settle after the weeks. */
const SETTLING_DAYS = 9;

const { values } = parseArgs({
  options: {
    weeks: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    crowd: { type: 'string', default: 'fitted' },
  },
});
const crowd = CROWD_SKILLS.find((skill) => skill === values.crowd);
if (!crowd) throw new Error(`--crowd: "${values.crowd}" is not one of ${CROWD_SKILLS.join(', ')}`);
const endTs = ANCHOR_TS + (WARM_UP_DAYS + 7 * Number(values.weeks) + SETTLING_DAYS) * DAY_MS;
const steps = walkSimulator({ seed: Number(values.seed), crowd, endTs });
const rows = comparePredictions(
  steps.flatMap((step) => step.signals),
  createRandom(1),
);
const events = new Set(steps.map((step) => step.eventId)).size;
console.log(
  `${values.weeks} weeks, ${crowd} market, seed ${values.seed}: ${events} settled events, ${steps.length} ladders`,
);
console.log(
  'edge       class         bets events  predicted  market  observed  90% if true       return  90% interval',
);
for (const row of rows.filter(({ bets }) => bets > 0)) console.log(describe(row));
const failures = rows.flatMap(judge);
console.log(failures.length === 0 ? 'held' : `NOT HELD: ${failures.join('; ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;

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
    ...(bets >= LEAST_JUDGED && isOff ? [`${name}: observed outside the interval`] : []),
    ...(loses ? [`${name}: return below zero by more than its interval`] : []),
  ];
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(100 * value).toFixed(1)}%`;
}
