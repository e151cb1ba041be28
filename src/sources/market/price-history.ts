// The market's own history of a token's price: a point an hour.

import type { HttpTransport } from '../http-transport.ts';
import type { FetchPastPrices, PastPrice } from '../source.ts';
import { asArray, asRecord, toPrice } from '../wire-reader.ts';
import { unexpectedShape } from './errors.ts';

const STEP_MINUTES = 60;

export function createPriceHistory(clob: HttpTransport): FetchPastPrices {
  return async (tokenId, { startTs, endTs }, signal) => {
    const query = {
      market: tokenId,
      startTs: String(Math.floor(startTs / 1000)),
      endTs: String(Math.ceil(endTs / 1000)),
      fidelity: String(STEP_MINUTES),
    };
    return parseHistory(await clob.getJson('/prices-history', query, signal));
  };
}

/** Points that are no point are left out. */
export function parseHistory(value: unknown): PastPrice[] {
  const list = asArray(asRecord(value)?.history);
  if (!list) throw unexpectedShape('the history of prices');
  return list.flatMap((point) => {
    const { t, p } = asRecord(point) ?? {};
    const price = toPrice(p);
    return typeof t === 'number' && Number.isSafeInteger(t) && t > 0 && price !== null
      ? [{ ts: t * 1000, price }]
      : [];
  });
}
