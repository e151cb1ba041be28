// The taker fee: shares × rate × (p(1 − p))^exponent dollars, rounded to 0.00001, at least 0.00001.

import { PIPS } from './micro-units.ts';

export interface FeeTerms {
  rate: number;
  exponent: number;
}

/** Asset in which a buyer pays the fee; a seller always pays it from the proceeds. */
export type FeeAsset = 'shares' | 'usd';

const STEP_MICRO = 10;

export function feeUsdMicro(sizeMicro: number, pricePips: number, { rate, exponent }: FeeTerms): number {
  if (rate === 0) return 0;
  const price = pricePips / PIPS;
  const exact = sizeMicro * rate * (price * (1 - price)) ** exponent;
  return Math.max(STEP_MICRO, Math.round(exact / STEP_MICRO) * STEP_MICRO);
}

export function feeSharesMicro(sizeMicro: number, pricePips: number, terms: FeeTerms): number {
  return Math.min(sizeMicro, Math.ceil((feeUsdMicro(sizeMicro, pricePips, terms) * PIPS) / pricePips));
}
