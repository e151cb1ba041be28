// What the crowd believes of a count event at an instant. It sees posts seconds after they appear and has a
// fair idea of the account's current rate; its errors are smooth in time and seeded.

import { HOUR_MS, SECOND_MS } from '../../../src/domain/units.ts';
import { hashNumbers, smoothNoise } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { LabelledRange } from '../ladders.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { type RegimeChange, regimeAt } from '../regime.ts';
import { bucketShares, computeRemainingCount } from './remaining-count.ts';

export type CrowdSkill = 'noisy' | 'informed';

interface CrowdErrors {
  /** Of the log of the expected rest. */
  levelSd: number;
  /** Of a single bucket's log price. */
  bucketSd: number;
  /** Factor on the spread it believes in. */
  widening: number;
}

/** The crowd starts from the true rate, so its error is what makes it human: the noisy one errs about as much as a good filter of posts. */
const ERRORS: Record<CrowdSkill, CrowdErrors> = {
  noisy: { levelSd: 0.28, bucketSd: 0.2, widening: 1.12 },
  informed: { levelSd: 0.03, bucketSd: 0.03, widening: 1.02 },
};

/** How long the crowd takes to notice a post. */
const REACTION_MS = 6 * SECOND_MS;

export interface CrowdContext {
  ledger: PostLedger;
  regimes: readonly RegimeChange[];
  seedKey: number;
  skill: CrowdSkill;
}

/** Probability of each bucket; sums to one. */
export function crowdShares(
  context: CrowdContext,
  slot: CountSlot,
  ranges: readonly LabelledRange[],
  ts: number,
): number[] {
  const { ledger } = context;
  const errors = ERRORS[context.skill];
  const seenTs = Math.max(slot.window.startTs, Math.min(ts - REACTION_MS, slot.window.endTs));
  const countSoFar = ledger.countIn(slot.window.startTs, seenTs);
  const regime = regimeAt(context.regimes, slot.accountId, ts);
  const shape = ledger.process.shapeFor(regime.sleepShiftHours).expected;
  const state = ledger.process.path.stateAt(ts);
  const rest = computeRemainingCount(ledger.parameters, shape, regime, state, ts, slot.window);
  const aheadHours = Math.max(0, slot.window.endTs - ts) / HOUR_MS;
  const key = hashNumbers(context.seedKey, slot.eventId);
  const drift =
    errors.levelSd * Math.min(1, Math.sqrt(aheadHours / 48)) * smoothNoise(key, ts / (5 * HOUR_MS));
  const factor = Math.exp(drift);
  const believed = { mean: rest.mean * factor, variance: rest.variance * (factor * errors.widening) ** 2 };
  return blur(bucketShares(ranges, countSoFar, believed), key, errors.bucketSd, ts);
}

function blur(shares: Float64Array, key: number, sd: number, ts: number): number[] {
  const blurred = Array.from(shares, (share, i) =>
    share === 0 ? 0 : share * Math.exp(sd * smoothNoise(hashNumbers(key, i + 1), ts / (2 * HOUR_MS))),
  );
  // Errors move mass between buckets; they make none, also where a ladder covers only part of the counts.
  const before = shares.reduce((sum, share) => sum + share, 0);
  const after = blurred.reduce((sum, share) => sum + share, 0) || 1;
  return blurred.map((share) => (share * before) / after);
}
