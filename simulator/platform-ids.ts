// Identifiers in the external systems' formats. Status ids contain their time; market ids can be decoded, so
// the simulator needs no table from token to market.

import { hashNumbers } from './chance.ts';

const X_EPOCH_TS = 1288834974657n;

/** 64-bit status id: milliseconds since the platform's epoch, then 22 random bits. */
export function makeSnowflake(createdTs: number, salt: number): string {
  return (((BigInt(createdTs) - X_EPOCH_TS) << 22n) | BigInt(salt & 0x3fffff)).toString();
}

/** Mastodon's format: Unix milliseconds, then 16 random bits. */
export function makeMastodonId(createdTs: number, salt: number): string {
  return ((BigInt(createdTs) << 16n) | BigInt(salt & 0xffff)).toString();
}

export function snowflakeTs(id: string): number {
  return Number((BigInt(id) >> 22n) + X_EPOCH_TS);
}

export function mastodonIdTs(id: string): number {
  return Number(BigInt(id) >> 16n);
}

export function makeHex(key: number, label: number, digits: number): string {
  let text = '';
  for (let part = 0; text.length < digits; part++) {
    text += hashNumbers(key, label, part).toString(16).padStart(8, '0');
  }
  return text.slice(0, digits);
}

export function makeUuid(key: number, label: number): string {
  const hex = makeHex(key, label, 32);
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The oracle's post ids: c plus 24 base-36 characters. */
export function makeCuid(key: number, label: number): string {
  let text = 'cm';
  for (let part = 0; text.length < 25; part++) text += hashNumbers(key, label, part).toString(36);
  return text.slice(0, 25);
}

const MARKET_BITS = 56n;

export function makeConditionId(key: number, marketId: number): string {
  return `0xc${makeHex(key, marketId, 49)}${marketId.toString(16).padStart(14, '0')}`;
}

/** Protocol version 2: 31 bytes, starting with the kind of market. */
export function makeConditionIdV2(key: number, marketId: number): string {
  return `0x02${makeHex(key, marketId, 46)}${marketId.toString(16).padStart(14, '0')}`;
}

/** The 32-byte form used by the market's other services. */
export function canonicalConditionId(conditionId: string): string {
  return conditionId.length === 64 ? `${conditionId}00` : conditionId;
}

export function readConditionId(conditionId: string): number | null {
  if (!/^0x(?:[0-9a-f]{62}|[0-9a-f]{64})$/.test(conditionId)) return null;
  const isV2 = conditionId.startsWith('0x02') && conditionId.endsWith('00');
  const short = isV2 && conditionId.length === 66 ? conditionId.slice(0, -2) : conditionId;
  return Number.parseInt(short.slice(-14), 16);
}

/** A uint256 in decimal, 77 digits: a set top bit, random bits, the market's number and the side. */
export function makeTokenId(key: number, marketId: number, side: 0 | 1): string {
  const head = (1n << 191n) | BigInt(`0x${makeHex(key ^ 0x70ce, marketId, 48)}`);
  return ((head << (MARKET_BITS + 8n)) | (BigInt(marketId) << 8n) | BigInt(side)).toString();
}

export function readTokenId(tokenId: string): { marketId: number; side: 0 | 1 } | null {
  if (!/^\d{77,78}$/.test(tokenId)) return null;
  const value = BigInt(tokenId);
  const side = Number(value & 0xffn);
  if (side > 1) return null;
  return { marketId: Number((value >> 8n) & ((1n << MARKET_BITS) - 1n)), side: side as 0 | 1 };
}
