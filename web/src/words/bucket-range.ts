// Parses a bucket label into a range of counts; returns null for a label that is not a plain range.

export interface BucketRange {
  lo: number;
  /** null for the open-ended top bucket. */
  hi: number | null;
}

export function parseBucketRange(label: string): BucketRange | null {
  const text = label.replaceAll(',', '').replace(/[–—−]/g, '-').trim();
  const below = /^<\s*(\d+)/.exec(text);
  if (below) return { lo: 0, hi: Number(below[1]) - 1 };
  const above = /^(\d+)\s*\+/.exec(text);
  if (above) return { lo: Number(above[1]), hi: null };
  const between = /^(\d+)\s*-\s*(\d+)/.exec(text);
  if (between) return { lo: Number(between[1]), hi: Number(between[2]) };
  const single = /^(\d+)$/.exec(text);
  return single ? { lo: Number(single[1]), hi: Number(single[1]) } : null;
}

/**
 * Whether the count has passed the bucket. The model keeps a passed bucket open while deleted posts can bring
 * the count back into it.
 */
export function isPassed(
  label: string,
  count: number | null,
  modelProbability: number | null | undefined,
): boolean {
  const hi = parseBucketRange(label)?.hi ?? null;
  return hi !== null && count !== null && hi < count && !modelProbability;
}

export function contains(range: BucketRange, count: number): boolean {
  return count >= range.lo && (range.hi === null || count <= range.hi);
}
