// Rules under test. A rule is named, defined and hashed before it is judged; any change to its definition,
// parameters or size changes the hash and starts a new trial.

import { createHash } from 'node:crypto';
import { computeMarketPrice } from '../../domain/book.ts';
import { DAY_MS } from '../../domain/units.ts';
import { findNoBuy } from '../cost.ts';
import type { PricedBucket, PricedEvent } from '../types.ts';

/** A ladder at one time, as a rule sees it. */
export interface LadderMoment {
  ts: number;
  startTs: number;
  endTs: number;
  buckets: readonly PricedBucket[];
  /** Model and Yes midpoints of the whole ladder; a partial ladder has one extra entry for all other counts. */
  model: readonly number[];
  mids: readonly (number | null)[];
  /** By bucket: time since our count passed it; null if it has not. */
  passedForMs: readonly (number | null)[];
}

/** One share, held to settlement. */
export interface RuleBet {
  bucketLabel: string;
  side: 'Yes' | 'No';
  /** Midpoint of the bought side. */
  price: number;
  /** Ask minus midpoint, plus fee. */
  spreadCost: number;
  /** Stated probability that the bought side wins. */
  said: number;
}

/** When a rule looks at a ladder: in the first hour after a time of day, or after a bucket is passed. */
export type RuleSchedule = { daily: { hourUtc: number } } | { passed: { delayMs: number } };

export interface RuleUnderTest {
  name: string;
  definition: string;
  parameters: Readonly<Record<string, number>>;
  /** Settled events with a bet at which the trial is decided: 80 % power at the expected gain. */
  eventsNeeded: number;
  schedule: RuleSchedule;
  findBets(moment: LadderMoment): RuleBet[];
}

/** How every trial is decided; part of each hash. */
export const TRIAL_TEST =
  'Fixed size, decided once: the first events by end time that began after registration and have a bet. ' +
  'Passed if the lower end of the 90 % interval of profit per share after costs, resampled by event, is above 0; ' +
  'otherwise failed.';

export function hashRule(rule: Omit<RuleUnderTest, 'findBets' | 'schedule'>): string {
  const { name, definition, parameters, eventsNeeded } = rule;
  const sorted = Object.entries(parameters).sort(([left], [right]) => (left < right ? -1 : 1));
  const canonical = JSON.stringify([name, definition, sorted, eventsNeeded, TRIAL_TEST]);
  return createHash('sha256').update(canonical).digest('hex');
}

/** Day of the look if a daily rule looks at this time; null otherwise. */
export function slotAt({ schedule }: Pick<RuleUnderTest, 'schedule'>, ts: number): number | null {
  if (!('daily' in schedule)) return null;
  return new Date(ts).getUTCHours() === schedule.daily.hourUtc ? Math.floor(ts / DAY_MS) : null;
}

/** null if a No share cannot be bought now. */
export function quoteNo(
  bucket: PricedBucket,
  yesMid: number,
): Pick<RuleBet, 'side' | 'price' | 'spreadCost'> | null {
  const buy = findNoBuy(bucket);
  if (!buy.isExecutable) return null;
  const price = 1 - yesMid;
  return { side: 'No', price, spreadCost: buy.price.netPrice - price };
}

/** `passedTs`: when our count passed each bucket. */
export function toMoment(
  event: Pick<PricedEvent, 'startTs' | 'endTs' | 'buckets'>,
  ts: number,
  passedTs: readonly (number | null)[] = [],
): LadderMoment {
  const { startTs, endTs, buckets } = event;
  return {
    ...{ ts, startTs, endTs, buckets },
    model: buckets.map(({ modelProbability }) => modelProbability),
    // A closed bucket is decided, so its last price says nothing about the others.
    mids: buckets.map(({ isOpen, marketPrice, yesQuote }) =>
      isOpen
        ? (marketPrice ?? computeMarketPrice(yesQuote ?? undefined, null))
        : Math.round(marketPrice ?? 0),
    ),
    passedForMs: buckets.map((_, i) => (passedTs[i] == null ? null : ts - passedTs[i])),
  };
}
