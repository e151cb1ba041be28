// Explains a settlement in a few sentences: the rule, our count, the oracle before and after the close, and
// the result.

import { type CountingRule, describeRule } from './counting-rule.ts';
import type { MarketEvent } from './market-event.ts';
import type { CapturedPost } from './post.ts';
import { HOUR_MS, plural } from './units.ts';

interface Facts extends DossierInput {
  judged: readonly DossierPost[];
  ownCount: number;
  disagreements: readonly Disagreement[];
  /** Whether we recorded as many posts of the oracle's list as it counted. */
  isListComplete: boolean;
  /** Kinds of post that the oracle counted otherwise. */
  kinds: readonly string[];
}

export function explainSettlement(facts: Facts): string[] {
  return [
    describeContract(facts),
    ...describeOwn(facts),
    ...describeOracle(facts),
    ...describeLists(facts),
    ...facts.kinds,
    ...describePage(facts),
    ...describeResult(facts),
  ];
}

function describeContract({ event, rule }: Facts): string {
  const { startTs, endTs } = event.window;
  return `The contract counts ${describeRule(rule)}, from ${toTime(startTs)} until ${toTime(endTs)}.`;
}

function describeOwn(facts: Facts): string[] {
  const { event, judged, ownCount } = facts;
  const counted = judged.filter(({ isCounted }) => isCounted).map(({ post }) => post);
  const deleted = counted.filter(({ deletedTs }) => deletedTs !== null).length;
  const late = counted.filter(({ firstSeenTs }) => firstSeenTs >= event.window.endTs).length;
  return [
    `This instance recorded ${plural(judged.length, 'post')} from that time and counts ${ownCount}.`,
    ...describeSources(facts, counted),
    ...describeLeftOut(judged),
    ...(deleted > 0 ? [`${plural(deleted, 'counted post was', 'counted posts were')} deleted later.`] : []),
    ...(late > 0 ? [`We first saw ${late} of the counted posts after the close.`] : []),
  ];
}

/** Whether our count is independent of the oracle depends on where each counted post was first seen. */
function describeSources({ event }: Facts, counted: readonly CapturedPost[]): string[] {
  const oracleSource = event.terms?.settlementSource ?? 'oracle';
  // A second source of the same kind is numbered: oracle-2.
  const isOracle = ({ firstSource }: CapturedPost) => firstSource?.replace(/-\d+$/, '') === oracleSource;
  const oracle = counted.filter(isOracle).length;
  const unknown = counted.filter(({ firstSource }) => firstSource === undefined).length;
  const parts = [
    [counted.length - oracle - unknown, 'independently of the oracle'],
    [oracle, 'in the oracle’s list'],
    [unknown, 'at a source that was not recorded'],
  ] as const;
  const found = parts.filter(([count]) => count > 0).map(([count, where]) => `${count} ${where}`);
  return found.length > 0 ? [`The counted posts were first seen: ${found.join(', ')}.`] : [];
}

function describeLeftOut(judged: readonly DossierPost[]): string[] {
  const reasons = Map.groupBy(
    judged.filter(({ isCounted }) => !isCounted),
    ({ verdict }) => verdict,
  );
  return [...reasons].map(([verdict, posts]) => `Not counted: ${posts.length} (${verdict}).`);
}

/** Only changes are stored, so a count is dated by the first reading that showed it. */
function describeOracle(facts: Facts): string[] {
  const { oracle, ownCount } = facts;
  const last = oracle.at(-1);
  return last
    ? [...describeReadings(facts, last), compareCounts(last.count, ownCount)]
    : ['No oracle count is recorded.'];
}

function describeReadings({ event, oracle, compiledTs }: Facts, last: CountAt): string[] {
  const { startTs, endTs } = event.window;
  if (compiledTs < endTs) {
    const state = compiledTs < startTs ? 'has not begun' : 'is still open';
    return [`The window ${state}; the last new oracle count that we read is ${at(last)}.`];
  }
  const byClose = oracle.findLast(({ ts }) => ts <= endTs);
  const later = oracle.filter(({ ts }) => ts > endTs);
  if (!byClose) return [describeLateReading(later)];
  return [
    `The last new oracle count that we read by the close is ${at(byClose)}.`,
    describeChange(byClose, later, endTs),
  ];
}

/** The oracle may have changed between two readings, so the sentence dates what we read, not what it did. */
function describeChange(byClose: CountAt, later: readonly CountAt[], endTs: number): string {
  const [first, last] = [later[0], later.at(-1)];
  if (!first || !last) return 'We read no change since.';
  const hours = Math.round(((last.ts - endTs) / HOUR_MS) * 10) / 10;
  const delay = `${hours} h after the close`;
  const readings =
    first === last ? `is ${at(first, delay)}` : `is ${at(first)}, and the last is ${at(last, delay)}`;
  return `The next that we read ${readings}: ${describeSteps([byClose, ...later])}.`;
}

/** Rises and falls are summed separately, because a list can lose posts and gain others. */
function describeSteps(readings: readonly CountAt[]): string {
  const steps = readings.slice(1).map(({ count }, i) => count - readings[i]!.count);
  const [up, down] = [1, -1].map((sign) => steps.reduce((sum, step) => sum + Math.max(0, sign * step), 0));
  return [...(up! > 0 ? [`up ${up}`] : []), ...(down! > 0 ? [`down ${down}`] : [])].join(', ');
}

/** Without a reading before the close, we cannot know what the oracle changed afterwards. */
function describeLateReading(later: readonly CountAt[]): string {
  const [first, last] = [later[0]!, later.at(-1)!];
  const end = last === first ? '' : `, and the last is ${at(last)}`;
  return `We recorded no oracle count by the close; the first is ${at(first)}${end}.`;
}

function compareCounts(oracle: number, own: number): string {
  if (oracle === own) return 'The last oracle count that we read equals ours.';
  const difference = Math.abs(oracle - own);
  return `The last oracle count that we read is ${difference} ${oracle > own ? 'above' : 'below'} ours.`;
}

function describeLists(facts: Facts): string[] {
  const { event, listings } = facts;
  if (listings.length === 0) return ['The oracle’s list of posts was not recorded for this window.'];
  const slow = listings.flatMap(({ importedTs, createdTs }) =>
    importedTs !== null && importedTs - createdTs >= HOUR_MS ? [importedTs] : [],
  );
  const afterClose = slow.filter((importedTs) => importedTs > event.window.endTs).length;
  return [
    ...(slow.length > 0
      ? [
          `The oracle imported ${plural(slow.length, 'post')} from this window an hour or more late, ${afterClose} of them after the close.`,
        ]
      : []),
    compareWithList(facts),
  ];
}

/** A list that does not match the oracle's count shows neither what the oracle lacks nor that it agrees. */
function compareWithList({ listings, oracle, disagreements, isListComplete }: Facts): string {
  if (!isListComplete)
    return `${describeGap(listings.length, oracle.at(-1))}, so we do not compare the lists.`;
  if (disagreements.length === 0) return 'The oracle’s list contains exactly the posts we count.';
  const missing = disagreements.filter(({ what }) => what.startsWith('counted here')).length;
  const surplus = disagreements.length - missing;
  return `The oracle’s list lacks ${plural(missing, 'post')} that we count and has ${surplus} that we do not.`;
}

/** Posts that leave the oracle's list stay recorded, so there may be more than it counts. */
function describeGap(recorded: number, last: CountAt | undefined): string {
  const posts = plural(recorded, 'post');
  if (!last) return `Of the oracle’s list we recorded ${posts}, but no oracle count is recorded`;
  if (recorded < last.count) return `Of the oracle’s list we recorded ${posts}, and it counted ${last.count}`;
  return `We recorded ${posts} that the oracle has listed, more than its last count of ${last.count}`;
}

function describePage({ ui }: Facts): string[] {
  const last = ui.at(-1);
  return last ? [`The last new count that we read on the market page is ${at(last)}.`] : [];
}

function describeResult({ event, settlements }: Facts): string[] {
  const [first, last] = [settlements[0], settlements.at(-1)];
  if (!first || !last) return ['No settlement is recorded.'];
  const byCount = event.buckets.find(
    ({ lo, hi }) => last.finalCount >= lo && (hi === null || last.finalCount <= hi),
  )?.label;
  const isOverruled =
    last.source === 'oracle' &&
    byCount !== undefined &&
    last.winningLabel !== null &&
    byCount !== last.winningLabel;
  const outcome = describeOutcome(last);
  return [
    last.source === 'oracle'
      ? `It settled at ${outcome}.`
      : `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}.`,
    ...(first === last
      ? []
      : [`It was revised; first (${toTime(first.settledTs)}): ${describeOutcome(first)}.`]),
    ...(isOverruled ? [`The market paid ${last.winningLabel}, although the count falls in ${byCount}.`] : []),
  ];
}

/** Without an oracle count, the market says only which bucket it paid. */
function describeOutcome({ finalCount, winningLabel, source }: SettledCount): string {
  if (source === 'oracle') {
    const winner =
      winningLabel === null ? 'the winning bucket is not recorded' : `bucket ${winningLabel} won`;
    return `${finalCount} by the oracle’s count; ${winner}`;
  }
  const paid = winningLabel ?? 'a bucket that is not recorded';
  return `the market paid ${paid}; the count ${finalCount} is our estimate`;
}

/** "43 (2026-11-09 23:00 UTC, 6 h after the close)". */
function at({ ts, count }: CountAt, note = ''): string {
  return `${count} (${toTime(ts)}${note && `, ${note}`})`;
}

function toTime(ts: number): string {
  return `${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

// Input for a dossier, and the facts its explanation uses.

export interface OracleListing {
  postId: string;
  createdTs: number;
  /** When the oracle says it imported the post. */
  importedTs: number | null;
  /** When we first saw it in the oracle's list. */
  listedTs: number;
}

export interface CountAt {
  ts: number;
  count: number;
}

export interface SettledCount {
  finalCount: number;
  winningLabel: string | null;
  source: string;
  revision: number;
  settledTs: number;
}

export interface DossierInput {
  event: MarketEvent;
  compiledTs: number;
  rule: CountingRule;
  /** Posts created in the window. */
  posts: readonly CapturedPost[];
  /** The oracle's list for the window; empty if not recorded. */
  listings: readonly OracleListing[];
  /** Changes, earliest first. */
  oracle: readonly CountAt[];
  ui: readonly CountAt[];
  /** Every revision, earliest first. */
  settlements: readonly SettledCount[];
}

export interface DossierPost {
  post: CapturedPost;
  kind: string;
  isCounted: boolean;
  /** The part of the rule that decided whether it counts. */
  verdict: string;
  listing: OracleListing | null;
}

export interface Disagreement {
  postId: string;
  createdTs: number;
  what:
    | 'counted here, not in the oracle’s list'
    | 'in the oracle’s list, not counted here'
    | 'in the oracle’s list, never seen here';
}
