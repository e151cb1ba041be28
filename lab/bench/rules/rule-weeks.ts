// Simulated weeks, one after the other, of an account that deletes a fifth of its posts: calibration under both rules.

import { parseArgs } from 'node:util';
import { DELETE_SHARE, measureRulePits, summarisePits } from './rule-pits.ts';

const { values } = parseArgs({
  options: { weeks: { type: 'string', default: '100' }, seed: { type: 'string', default: '5' } },
});
const weeks = Number(values.weeks);
const pits = measureRulePits(weeks, 7, Number(values.seed));
let isCalibrated = true;
for (const [rule, list] of [
  ['deleted posts count', pits.first],
  ['deleted posts do not count', pits.strict],
] as const) {
  const { mean, inside, distance, allowed } = summarisePits(list);
  isCalibrated &&= distance <= allowed;
  console.log(
    `${rule}: ${weeks} weeks, ${100 * DELETE_SHARE} % of posts deleted: mean PIT ${mean.toFixed(3)}, 90 % range holds ${(100 * inside).toFixed(0)} %, distance from uniform ${distance.toFixed(3)} (chance allows ${allowed.toFixed(3)})`,
  );
}
process.exit(isCalibrated ? 0 : 1);
