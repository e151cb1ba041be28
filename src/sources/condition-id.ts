// One form for the id of a market's condition. The second protocol version writes 31 bytes in one place and the same
// padded to 32 in another; both must join.

import { readName, type WireRecord } from './wire-reader.ts';

export function canonicalConditionId(id: string): string {
  const lower = id.toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(lower) ? `${lower}00` : lower;
}

/** null for anything that is no hexadecimal id: nothing could be joined by it. */
export function readConditionId(record: WireRecord, key: string): string | null {
  const id = readName(record, key);
  return id !== null && /^0x[0-9a-f]{1,64}$/i.test(id) ? canonicalConditionId(id) : null;
}
