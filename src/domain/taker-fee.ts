// The taker fee: shares × rate × (p(1 − p))^exponent dollars, rounded to 0.00001, at least 0.00001.

import { PIPS } from './units.ts';

export interface FeeTerms {
  rate: number;
  exponent: number;
}

/** Asset in which a buyer pays the fee; a seller always pays it from the proceeds. */
export type FeeAsset = 'shares' | 'usd';

const STEP_MICRO = 10;

export function feeUsdMicro(sizeMicro: number, pricePips: number, { rate, exponent }: FeeTerms): number {
  if (rate === 0) return 0;
  const exact = exactFeeMicro(sizeMicro, pricePips, { rate, exponent });
  return Math.max(STEP_MICRO, Math.round(exact / STEP_MICRO) * STEP_MICRO);
}

/** Not rounded. */
export function exactFeeMicro(sizeMicro: number, pricePips: number, { rate, exponent }: FeeTerms): number {
  const price = pricePips / PIPS;
  return rate === 0 ? 0 : sizeMicro * rate * (price * (1 - price)) ** exponent;
}

const CENT_MICRO = 10_000;
/** A venue that charges whole cents rounds each fill up, and returns what exceeds a cent per order. */
const ROUNDING_MICRO = 2 * CENT_MICRO;

/** The highest fee of a purchase at this price or below, on a venue that charges whole cents. */
export function maxFeeMicro(sizeMicro: number, limitPips: number, terms: FeeTerms): number {
  // The fee is highest at even odds.
  const exact = exactFeeMicro(sizeMicro, Math.min(limitPips, PIPS / 2), terms);
  return terms.rate === 0 ? 0 : Math.ceil(exact / CENT_MICRO) * CENT_MICRO + ROUNDING_MICRO;
}

export function feeSharesMicro(sizeMicro: number, pricePips: number, terms: FeeTerms): number {
  return Math.min(sizeMicro, Math.ceil((feeUsdMicro(sizeMicro, pricePips, terms) * PIPS) / pricePips));
}
