// Frames of the reference-price socket (PolyBolt) that we read and write.

import type { WireRecord } from '../wire-reader.ts';
import { asArray, asRecord, readCount, readName, readNumber } from '../wire-reader.ts';

/** Spot prices from Pyth, and 60-second averages from Chainlink. */
export type PriceChannel = 'price.crypto' | 'price.crypto.twap';

export interface PriceCredentials {
  apiKey: string;
  secret: string;
  passphrase: string;
}

export interface PricePoint {
  price: number;
  ts: number;
}

/** Position of a frame in its channel. */
export interface FramePlace {
  channel: PriceChannel;
  /** Consecutive per connection and channel, including snapshots. */
  seq: number;
  /** Frames that the server dropped because we read too slowly. */
  dropped: number;
}

export interface PriceFrame extends FramePlace {
  kind: 'prices';
  symbol: string;
  /** Oldest first; a snapshot has several points, or none. */
  points: readonly PricePoint[];
}

export interface PriceRefusal {
  kind: 'error';
  code: string;
  channel: string | null;
  detail: string | null;
}

/** A frame that is not used. If it has a sequence number, that number still counts. */
export interface OddFrame {
  kind: 'odd';
  problem: string;
  place: FramePlace | null;
}

export type PriceMessage = PriceFrame | PriceRefusal | { kind: 'authed' } | OddFrame;

export const TWAP_WINDOW_S = 60;
const ENVELOPE_VERSION = 1;
/** Smaller values are in seconds; read as milliseconds they would fall in 1970. */
const MIN_TS_MS = Date.UTC(2020, 0, 1);

export function authMessage(auth: PriceCredentials): object {
  return { op: 'auth', rid: 'auth', auth };
}

/** Subscribes to all channels in one frame, which counts once against the frame limit. */
export function subscribeMessage(symbols: readonly string[]): object {
  return {
    op: 'subscribe',
    rid: 'subscribe',
    subscriptions: symbols.flatMap((symbol) => [
      { channel: 'price.crypto', filter: { symbol } },
      { channel: 'price.crypto.twap', filter: { symbol, window_seconds: TWAP_WINDOW_S } },
    ]),
  };
}

/** null for acknowledgements and other irrelevant messages. */
export function readPriceMessage(value: unknown): PriceMessage | null {
  const message = asRecord(value);
  if (!message) return null;
  const op = readName(message, 'op');
  if (op === 'authed') return { kind: 'authed' };
  if (op === 'error')
    return {
      kind: 'error',
      code: readName(message, 'code') ?? 'no code given',
      channel: readName(message, 'channel'),
      detail: readName(message, 'message')?.slice(0, 100) ?? null,
    };
  return op === null ? readFrame(message) : null;
}

/** Expected source of each channel's prices; markets settle only on these sources. */
const CHANNEL_SOURCES: Readonly<Record<PriceChannel, RegExp>> = {
  'price.crypto': /^pyth/i,
  'price.crypto.twap': /^chainlink/i,
};

function readFrame(message: WireRecord): PriceMessage | null {
  const channel = readName(message, 'channel');
  if (channel === null)
    return { kind: 'odd', problem: 'reference prices: a frame has no channel', place: null };
  if (channel !== 'price.crypto' && channel !== 'price.crypto.twap') return null;
  const seq = readCount(message, 'seq');
  const place: FramePlace | null =
    seq === null ? null : { channel, seq, dropped: readCount(message, 'dropped') ?? 0 };
  const odd = (problem: string): PriceMessage => ({
    kind: 'odd',
    problem: `reference prices: ${problem}`,
    place,
  });
  const unreadable = (fields: string) => odd(`a frame of ${channel} cannot be read (${fields})`);
  const payload = asRecord(message.payload);
  const symbol = payload && readName(payload, 'symbol');
  if (readNumber(message, 'v') !== ENVELOPE_VERSION || !place || !payload || !symbol)
    return unreadable('v, seq or symbol');
  const problem = findForeign(channel, payload);
  if (problem !== null) return odd(problem);
  const items = asArray(payload.data) ?? [payload];
  const points = items.flatMap((item) => readPoint(asRecord(item) ?? {}) ?? []);
  if (points.length < items.length) return unreadable('value or timestamp');
  points.sort((left, right) => left.ts - right.ts);
  return { kind: 'prices', ...place, symbol: symbol.toLowerCase(), points };
}

function findForeign(channel: PriceChannel, payload: WireRecord): string | null {
  const source = readName(payload, 'source');
  if (source !== null && !CHANNEL_SOURCES[channel].test(source))
    return `${channel} comes from '${source.slice(0, 40)}' and is not used`;
  const windowS = channel === 'price.crypto.twap' ? readNumber(payload, 'window_seconds') : null;
  if (windowS === null || windowS === TWAP_WINDOW_S) return null;
  return `an average over ${windowS} s is not used`;
}

function readPoint(record: WireRecord): PricePoint | null {
  const price = readNumber(record, 'value');
  const ts = readNumber(record, 'timestamp');
  return price !== null && price > 0 && ts !== null && ts > MIN_TS_MS ? { price, ts } : null;
}
