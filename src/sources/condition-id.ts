// Canonical form of a market's condition id. Protocol version 2 writes some ids with 31 bytes and others
// padded to 32; both forms must match.

import { readName, type WireRecord } from './wire-reader.ts';

export function canonicalConditionId(id: string): string {
  const lower = id.toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(lower) ? `${lower}00` : lower;
}

/** null for anything that is not a hexadecimal id. */
export function readConditionId(record: WireRecord, key: string): string | null {
  const id = readName(record, key);
  return id !== null && /^0x[0-9a-f]{1,64}$/i.test(id) ? canonicalConditionId(id) : null;
}
