// One form for the id of a market's condition. The second protocol version writes 31 bytes in one place and the same
// padded to 32 in another; both must join.

export function canonicalConditionId(id: string): string {
  const lower = id.toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(lower) ? `${lower}00` : lower;
}
