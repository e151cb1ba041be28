// Grammar of bucket labels: converts between market text and inclusive count ranges, and checks that a ladder
// is complete.

import type { BucketRange } from './market-event.ts';

/** Longer labels are rejected; real ones have about 12 characters. */
const MAX_LABEL_LENGTH = 64;

const NUMBER = '(\\d{1,3}(?:,\\d{3})+|\\d{1,7})';
const BELOW = new RegExp(`^(?:<|under|below|fewer than|less than|lower than) ?${NUMBER}$`);
const AT_MOST = new RegExp(`^(?:≤|<=|=<|at most|up to|no more than|not more than) ?${NUMBER}$`);
const OR_FEWER = new RegExp(`^${NUMBER} ?(?:or|and) (?:fewer|less|below|lower|under)$`);
const AT_LEAST = new RegExp(`^(?:≥|>=|=>|at least|no (?:less|fewer) than) ?${NUMBER}$`);
const ABOVE = new RegExp(`^(?:>|over|above|more than|greater than|higher than) ?${NUMBER}$`);
const OR_MORE = new RegExp(
  `^${NUMBER} ?(?:\\+|plus|-plus|(?:or|and) (?:more|above|up|over|higher|greater|upwards?))$`,
);
const BETWEEN = new RegExp(`^(?:between |from )?${NUMBER} ?(?:-|to|and|through) ?${NUMBER}$`);
const SINGLE = new RegExp(`^(?:exactly )?${NUMBER}$`);

/** Returns null for anything that is not a range of counts. */
export function parseBucketLabel(label: string): BucketRange | null {
  if (label.length > MAX_LABEL_LENGTH) return null;
  const text = normalise(label);
  const range = parseOpenBottom(text) ?? parseOpenTop(text) ?? parseClosed(text);
  return range && (range.hi === null || range.hi >= range.lo) ? range : null;
}

function parseOpenBottom(text: string): BucketRange | null {
  const below = BELOW.exec(text);
  if (below) return { lo: 0, hi: toCount(below[1]!) - 1 };
  const atMost = AT_MOST.exec(text) ?? OR_FEWER.exec(text);
  return atMost ? { lo: 0, hi: toCount(atMost[1]!) } : null;
}

function parseOpenTop(text: string): BucketRange | null {
  const atLeast = AT_LEAST.exec(text) ?? OR_MORE.exec(text);
  if (atLeast) return { lo: toCount(atLeast[1]!), hi: null };
  const above = ABOVE.exec(text);
  return above ? { lo: toCount(above[1]!) + 1, hi: null } : null;
}

function parseClosed(text: string): BucketRange | null {
  const between = BETWEEN.exec(text);
  if (between) return { lo: toCount(between[1]!), hi: toCount(between[2]!) };
  const single = SINGLE.exec(text);
  return single ? { lo: toCount(single[1]!), hi: toCount(single[1]!) } : null;
}

/** Unifies dashes, collapses spaces, and drops a unit word after the number. */
function normalise(label: string): string {
  return label
    .toLowerCase()
    .replace(/[‐‑‒–—―−﹣－]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ \(inclusive\)$/, '')
    .replace(/ (?:tweets?|posts?|truths?|times?)$/, '')
    .replace(/ (?:tweets?|posts?|truths?|times?) (?=or |and )/, ' ')
    .replace(/^([<≤>≥=]+) /, '$1')
    .replace(/ - /g, '-');
}

function toCount(digits: string): number {
  return Number(digits.replaceAll(',', ''));
}

/** Formats a range in the market's style: <40, 40-64, 240+, and a bare number for a single count. */
export function formatBucketLabel(range: BucketRange): string {
  if (range.hi === null) return `${range.lo}+`;
  if (range.lo === 0) return `<${range.hi + 1}`;
  return range.lo === range.hi ? String(range.lo) : `${range.lo}-${range.hi}`;
}

/** Explains why the ascending ranges do not cover every count from 0 up exactly once; null if they do. */
export function findLadderProblem(ranges: readonly BucketRange[]): string | null {
  if (ranges.length < 2) return `only ${ranges.length} bucket(s)`;
  const first = ranges[0]!;
  if (first.lo !== 0) return `the lowest bucket starts at ${first.lo}, not at 0`;
  for (let i = 1; i < ranges.length; i++) {
    const problem = findStepProblem(ranges[i - 1]!, ranges[i]!);
    if (problem) return problem;
  }
  return ranges.at(-1)!.hi === null ? null : 'the highest bucket has an upper bound';
}

function findStepProblem(lower: BucketRange, upper: BucketRange): string | null {
  const [below, above] = [formatBucketLabel(lower), formatBucketLabel(upper)];
  if (lower.hi === null || upper.lo <= lower.hi) return `buckets ${below} and ${above} overlap`;
  return upper.lo === lower.hi + 1 ? null : `a gap between buckets ${below} and ${above}`;
}

export function compareBuckets(left: BucketRange, right: BucketRange): number {
  return left.lo - right.lo || (left.hi ?? Infinity) - (right.hi ?? Infinity);
}
