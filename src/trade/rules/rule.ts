// Trading rules. A rule names the data it was chosen on; every other settled event judges it.

import type { AccountId } from '../../domain/account.ts';
import type { VenueId } from '../../domain/contract.ts';
import { computeMarketPrice } from '../../domain/quote.ts';
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

/** Events of one account and venue that ended in this span. */
export interface ChosenOn {
  accountId: AccountId;
  venue: VenueId;
  fromTs: number;
  untilTs: number;
}

export interface Rule {
  name: string;
  definition: string;
  /** Their results were seen before the rule was written down, so they do not judge it. */
  chosenOn: readonly ChosenOn[];
  /** It looks at a ladder once a day, in the first hour after this time of day. */
  hourUtc: number;
  findBets(moment: LadderMoment): RuleBet[];
}

export function isChosenOn(
  { chosenOn }: Pick<Rule, 'chosenOn'>,
  event: { accountId: AccountId; venue: VenueId; endTs: number },
): boolean {
  return chosenOn.some(
    ({ accountId, venue, fromTs, untilTs }) =>
      accountId === event.accountId &&
      venue === event.venue &&
      fromTs <= event.endTs &&
      event.endTs <= untilTs,
  );
}

/** Day of the look if the rule looks at this time; null otherwise. */
export function slotAt({ hourUtc }: Pick<Rule, 'hourUtc'>, ts: number): number | null {
  return new Date(ts).getUTCHours() === hourUtc ? Math.floor(ts / DAY_MS) : null;
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

export function toMoment(
  { startTs, endTs, buckets }: Pick<PricedEvent, 'startTs' | 'endTs' | 'buckets'>,
  ts: number,
): LadderMoment {
  return {
    ...{ ts, startTs, endTs, buckets },
    model: buckets.map(({ modelProbability }) => modelProbability),
    // A closed bucket is decided, so its last price says nothing about the others.
    mids: buckets.map(({ isOpen, marketPrice, yesQuote }) =>
      isOpen
        ? (marketPrice ?? computeMarketPrice(yesQuote ?? undefined, null))
        : Math.round(marketPrice ?? 0),
    ),
  };
}
