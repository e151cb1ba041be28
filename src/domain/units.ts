// Units used throughout. Timestamps are UTC milliseconds and end in Ts; durations end in Ms or S.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

// Money and shares are whole millionths and prices whole ten-thousandths, so sums never drift.

export const MICRO = 1_000_000;
export const PIPS = 10_000;

/** Collateral exchanged for this many shares. */
export function usdMicroFor(sizeMicro: number, pricePips: number): number {
  return Math.round((sizeMicro * pricePips) / PIPS);
}

/** Number of shares a budget buys, rounded down. */
export function sharesMicroFor(budgetMicro: number, pricePips: number): number {
  return Math.floor((budgetMicro * PIPS) / pricePips);
}

export function toPips(price: number): number {
  return Math.round(price * PIPS);
}

/** Formats a price as the exchange does, without trailing zeros: 0.42, 0.0025. */
export function priceText(pricePips: number): string {
  return String(pricePips / PIPS);
}

export function decimalText(micro: number): string {
  return String(micro / MICRO);
}

/** "1 post", "3 posts". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Start of the UTC hour. */
export function hourOf(ts: number): number {
  return Math.floor(ts / HOUR_MS) * HOUR_MS;
}
