// Messages of the market's live-data websocket that we read.

import type { WireRecord } from '../wire-reader.ts';
import { asArray, asRecord, readName, readNumber } from '../wire-reader.ts';

export interface PriceTickWire {
  /** btcusdt or btc/usd. */
  symbol: string;
  price: number;
  ts: number | null;
  topic: string;
}

export const PRICE_TOPICS = ['crypto_prices', 'crypto_prices_chainlink'];

/** Filters are handled differently by different servers, so all symbols are asked for and sorted out here. */
export function subscriptionMessage(): object {
  return {
    action: 'subscribe',
    subscriptions: PRICE_TOPICS.map((topic) => ({ topic, type: '*' })),
  };
}

/** Ticks of a message, oldest first; a first dump carries many. */
export function readPriceTicks(value: unknown): PriceTickWire[] {
  const message = asRecord(value);
  const topic = message && readName(message, 'topic');
  const payload = message && asRecord(message.payload);
  if (!message || !payload || !topic || !PRICE_TOPICS.includes(topic)) return [];
  const symbol = readName(payload, 'symbol');
  if (!symbol) return [];
  const items = asArray(payload.data) ?? [payload];
  return items.flatMap((item) => readTick(asRecord(item) ?? {}, symbol, topic));
}

function readTick(record: WireRecord, symbol: string, topic: string): PriceTickWire[] {
  const price = readNumber(record, 'value');
  if (price === null || price <= 0) return [];
  return [{ symbol: symbol.toLowerCase(), price, ts: readNumber(record, 'timestamp'), topic }];
}
