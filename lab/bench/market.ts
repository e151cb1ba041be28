// Compares the simulated market with the real one, by hours before the end: distance between prices and
// model, sum of mids, strength of the favourite, and forecast quality. `npx tallycast lab market [--seeds 4
// --weeks 20]`

import { parseArgs } from 'node:util';
import { CROWD_SKILLS } from '../../simulator/market/crowd.ts';
import { describeDisagreement, describeLadders, type ScoredLadder } from './market/ladder-statistics.ts';
import { readRealLadders } from './market/real-ladders.ts';
import { listSimulatedLadders } from './market/simulated-ladders.ts';

const LEADS_HOURS = [17, 41, 65, 89, 113, 137, 161];
/** Weeks about as busy as those of the real ladders, because buckets are 20 posts wide at any pace. */
const BUSY = { from: 240, to: 450 };

/** 56 full weekly ladders of a busy account (8 events at 7 leads, late 2025). */
const REAL = {
  'price where the model is 3 cents above, %': 6.0,
  'came there, %': 1.2,
  'price where the model is 3 cents below, %': 17.9,
  'came there (below), %': 11.4,
  'sum of mids at 65 h': 0.999,
  'sum of mids at 89 h': 1.003,
  'sum of mids at 113 h': 1.02,
  'favourite at 17 h': 0.453,
  'largest gap, 90th percentile': 0.106,
} as const;
/** Tolerated ratio of a simulated value to the real one, either way. */
const TOLERANCE = 4 / 3;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '4' },
    weeks: { type: 'string', default: '20' },
    account: { type: 'string', default: 'a' },
    crowd: { type: 'string', default: 'fitted' },
    prices: { type: 'string' },
    outcomes: { type: 'string' },
    posts: { type: 'string', multiple: true, default: [] },
  },
});
const crowd = CROWD_SKILLS.find((skill) => skill === values.crowd) ?? fail(`unknown crowd "${values.crowd}"`);

const simulated = Array.from({ length: Number(values.seeds) }, (_, i) =>
  listSimulatedLadders(i + 1, crowd, values.account, Number(values.weeks), LEADS_HOURS),
).flat();
show(`simulator, ${crowd} crowd, account ${values.account.toUpperCase()}`, simulated);
const busy = simulated.filter(({ expectedCount }) => expectedCount >= BUSY.from && expectedCount <= BUSY.to);
show(`simulator, weeks of ${BUSY.from} to ${BUSY.to} expected posts`, busy);
compare(busy);
console.log(
  'real, 34 ladders: model - market -0.048 [-0.130, +0.043]; blend - market -0.028 [-0.051, -0.003]',
);
if (values.prices && values.outcomes && values.posts.length > 0)
  show(
    'real, from the given files',
    readRealLadders(values.prices, values.outcomes, values.posts, LEADS_HOURS),
  );

function show(title: string, ladders: readonly ScoredLadder[]): void {
  const unsettled = ladders.filter(({ winner }) => winner < 0).length;
  const left = unsettled === 0 ? '' : ` (${unsettled} without an outcome, which are not scored)`;
  console.log(`\n${title}: ${ladders.length} ladders${left}`);
  console.log('lead h   n  variation     largest gap   sum    favourite  model-market  blend-market');
  for (const lead of [...LEADS_HOURS, null]) {
    const group = ladders.filter(({ leadHours }) => lead === null || leadHours === lead);
    if (group.length === 0) continue;
    const row = describeLadders(group);
    const pair = ({ mean, p90 }: { mean: number; p90: number }) => `${mean.toFixed(3)} / ${p90.toFixed(3)}`;
    console.log(
      `${String(lead ?? 'all').padStart(6)} ${String(row.ladders).padStart(4)} ${pair(row.variation)} ${pair(row.largestGap)} ${row.sumOfMids.toFixed(3)}  ${row.favourite.toFixed(3)}      ${signed(row.modelLessMarket)}        ${signed(row.blendLessMarket)}`,
    );
  }
  for (const [name, sign] of [
    ['above', 1],
    ['below', -1],
  ] as const) {
    const { buckets, predicted, price, observed } = describeDisagreement(ladders, sign);
    console.log(
      `model more than 3 cents ${name} the price: ${buckets} buckets, predicted ${percent(predicted)}, price ${percent(price)}, observed ${percent(observed)}`,
    );
  }
}

function compare(ladders: readonly ScoredLadder[]): void {
  const at = (lead: number) => describeLadders(ladders.filter(({ leadHours }) => leadHours === lead));
  const [above, below] = [describeDisagreement(ladders, 1), describeDisagreement(ladders, -1)];
  const simulatedValues: Record<keyof typeof REAL, number> = {
    'price where the model is 3 cents above, %': 100 * above.price,
    'came there, %': 100 * above.observed,
    'price where the model is 3 cents below, %': 100 * below.price,
    'came there (below), %': 100 * below.observed,
    'sum of mids at 65 h': at(65).sumOfMids,
    'sum of mids at 89 h': at(89).sumOfMids,
    'sum of mids at 113 h': at(113).sumOfMids,
    'favourite at 17 h': at(17).favourite,
    'largest gap, 90th percentile': describeLadders(ladders).largestGap.p90,
  };
  console.log('\nthese weeks beside 56 real full ladders       real  simulated  ratio');
  for (const [name, real] of Object.entries(REAL)) {
    const value = simulatedValues[name as keyof typeof REAL];
    const ratio = value / real;
    const isNear = ratio <= TOLERANCE && ratio >= 1 / TOLERANCE;
    console.log(
      `${name.padEnd(43)} ${real.toFixed(3).padStart(7)} ${value.toFixed(3).padStart(10)}  ${ratio.toFixed(2)}${isNear ? '' : '  outside'}`,
    );
  }
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(1)} %`;
}

function fail(message: string): never {
  throw new Error(message);
}
