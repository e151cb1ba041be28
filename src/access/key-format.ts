// Key format: tier prefix, 30 random base62 characters, 6 base62 characters of CRC-32. The checksum rejects
// typos without a store lookup; it is not a secret.

import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Tier } from '../store/ports.ts';

const PREFIXES: Record<Tier, string> = { FREE: 'tc_free_', PRO: 'tc_pro_', INTERNAL: 'tc_int_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY = /^tc_(?:free|pro|int)_[0-9A-Za-z]{36}$/;

export function generateKey(tier: Tier): string {
  const stem = PREFIXES[tier] + randomBase62(RANDOM_LENGTH);
  return stem + checksum(stem);
}

export function isWellFormedKey(key: string): boolean {
  if (!KEY.test(key)) return false;
  const stem = key.slice(0, -CHECKSUM_LENGTH);
  return checksum(stem) === key.slice(-CHECKSUM_LENGTH);
}

export function digestKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(stem: string): string {
  let rest = crc32(stem);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Bytes of 248 and above are discarded, so that every character is equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
