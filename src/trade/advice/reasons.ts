// Reasons for a signal, in plain English with the numbers behind them.

import type { ExecutablePrice } from '../cost.ts';

export function percent(fraction: number, decimals = 1): string {
  return `${trimZeros((100 * fraction).toFixed(decimals))}%`;
}

export function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`;
}

/** A price in cents, as traders write it. */
export function centsSign(value: number): string {
  return `${trimZeros((100 * value).toFixed(2))}¢`;
}

export function describeBuy(probability: number, buy: ExecutablePrice, side: 'Yes' | 'No' = 'Yes'): string {
  const shown = side === 'No' ? 'No: ' : '';
  const parts = `ask ${centsSign(buy.bookPrice)} plus ${centsSign(buy.feePerShare)} fee`;
  return `${shown}model ${percent(probability)} against a cost of ${centsSign(buy.netPrice)} (${parts})`;
}

export function describeSell(probability: number, sell: ExecutablePrice): string {
  const parts = `bid ${centsSign(sell.bookPrice)} minus ${centsSign(sell.feePerShare)} fee`;
  return `model ${percent(probability)} against proceeds of ${centsSign(sell.netPrice)} (${parts})`;
}

export function describeBand(probability: number, netBid: number | null, cost: number): string {
  const sale = netBid === null ? 'has no bid' : `sells for ${centsSign(netBid)}`;
  return `inside the spread (blended with market prices, Yes is worth ${centsSign(probability)}, costs ${centsSign(cost)}, ${sale})`;
}

/** Why to keep a share; `upper` is the upper bound of its value. */
export function describeKeeping(proceeds: number, value: number, upper: number): string {
  const worth =
    proceeds > value
      ? `is worth ${centsSign(value)}, plausibly up to ${centsSign(upper)}`
      : `is worth ${centsSign(value)}`;
  return `a share sells for ${centsSign(proceeds)} after the fee and ${worth}`;
}

/** `terms` is the trade's price, such as "Yes costs 26¢". */
export function describeDisagreement(terms: string, blended: number, model: number): string {
  return `the model does not support it (${terms}; worth ${centsSign(blended)} blended, ${centsSign(model)} by the model)`;
}

/** `cost` is null if the side cannot be bought. */
export function describeFact(fact: string, side: 'Yes' | 'No', bound: number, cost: number | null): string {
  const offer = cost === null ? 'cannot be bought' : `costs ${centsSign(cost)}`;
  return `${fact}, which supports only ${side} (worth at least ${centsSign(bound)}, ${offer})`;
}

export function describeBlend(model: number, blended: number): string {
  return `blended probability ${percent(blended)}: the model's ${percent(model)}, weighted with market prices`;
}

export function describeSizing(lambda: number, shrinkage: number, fullFraction: number): string {
  return `stake: ${percent(lambda)} of full Kelly (${percent(fullFraction, 2)}), scaled by ${shrinkage.toFixed(2)} for model uncertainty`;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
