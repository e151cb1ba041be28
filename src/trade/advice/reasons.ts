// Reasons of a signal: plain English with the numbers behind it.

import type { ExecutablePrice } from '../cost.ts';

export function percent(fraction: number, decimals = 1): string {
  return `${trimZeros((100 * fraction).toFixed(decimals))}%`;
}

export function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`;
}

export function cents(price: number): string {
  return `${trimZeros((100 * price).toFixed(2))}c`;
}

/** In traders' notation. */
export function centsSign(value: number): string {
  return `${trimZeros((100 * value).toFixed(2))}¢`;
}

export function price(value: number): string {
  return trimZeros(value.toFixed(4));
}

export function describeBuy(probability: number, buy: ExecutablePrice, side: 'Yes' | 'No' = 'Yes'): string {
  const whose = side === 'No' ? 'No: ' : '';
  return `${whose}model ${percent(probability)} vs ask ${price(buy.bookPrice)} after ${cents(buy.feePerShare)} fee (cost ${price(buy.netPrice)})`;
}

export function describeSell(probability: number, sell: ExecutablePrice): string {
  return `model ${percent(probability)} vs bid ${price(sell.bookPrice)} less ${cents(sell.feePerShare)} fee (brings ${price(sell.netPrice)})`;
}

export function describeBand(probability: number, netBid: number | null, cost: number): string {
  const lower = netBid === null ? 'no bid' : price(netBid);
  return `inside the spread: ${percent(probability)} is between what a sale brings (${lower}) and what a share costs (${price(cost)})`;
}

export function describeBlend(model: number, blended: number): string {
  return `blended probability ${percent(blended)}: model ${percent(model)}, weighed against the market's prices`;
}

/** `needed` is null if more of the same evidence would not help. */
export function describeUnproven(events: number, needed: number | null): string {
  if (needed === null) return `edge not proven: ${events} settled events speak against it`;
  if (needed <= events) return `edge not proven at this price after ${events} settled events`;
  return `edge not proven: ${events} of about ${roundEvents(needed)} settled events`;
}

/** Rounded: the figure is itself an estimate. */
function roundEvents(events: number): number {
  const step = events < 100 ? 5 : events < 1_000 ? 10 : 100;
  return Math.ceil(events / step) * step;
}

export function describeSizing(lambda: number, shrinkage: number, fullFraction: number): string {
  return `stake is ${percent(lambda)} of full Kelly ${percent(fullFraction, 2)}, times ${shrinkage.toFixed(2)} for model uncertainty`;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
