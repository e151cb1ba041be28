// Calibration under both rules over consecutive simulated weeks of an account that deletes a fifth of its
// posts.

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
    `${rule}: ${weeks} weeks, ${100 * DELETE_SHARE}% of posts deleted: mean PIT ${mean.toFixed(3)}, 90% range contains ${(100 * inside).toFixed(0)}%, distance from uniform ${distance.toFixed(3)} (99% critical value ${allowed.toFixed(3)})`,
  );
}
process.exit(isCalibrated ? 0 : 1);
