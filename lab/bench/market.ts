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

/** Eight full weekly ladders of a busy account, late 2025: mean and 90th percentile. */
const REAL = {
  variation: ['.12 / .16', '.14 / .18', '.17 / .23', '.17 / .23', '.16 / .24', '.19 / .26', '.19 / .29'],
  largestGap: ['.10 / .16', '.08 / .11', '.07 / .09', '.06 / .07', '.06 / .08', '.06 / .10', '.06 / .09'],
  sumOfMids: ['0.996', '', '', '', '', '', '1.066'],
  favourite: ['0.44', '', '', '', '', '', '0.11'],
};

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
show(
  `simulator, weeks of ${BUSY.from} to ${BUSY.to} expected posts`,
  simulated.filter(({ expectedCount }) => expectedCount >= BUSY.from && expectedCount <= BUSY.to),
);
console.log('\nreal, 8 full ladders (total variation, largest gap; mean / 90th percentile)');
for (const [name, cells] of Object.entries(REAL))
  console.log(name.padEnd(12), cells.map((cell) => cell.padStart(10)).join(' '));
console.log(
  'real, 34 ladders: model - market -0.048 [-0.130, +0.043]; blend - market -0.028 [-0.051, -0.003]',
);
if (values.prices && values.outcomes && values.posts.length > 0)
  show(
    'real, from the given files',
    readRealLadders(values.prices, values.outcomes, values.posts, LEADS_HOURS),
  );

function show(title: string, ladders: readonly ScoredLadder[]): void {
  console.log(`\n${title}: ${ladders.length} ladders`);
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

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(1)} %`;
}

function fail(message: string): never {
  throw new Error(message);
}
