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

function describeOwn({ event, judged, ownCount }: Facts): string[] {
  const counted = judged.filter(({ isCounted }) => isCounted).map(({ post }) => post);
  const deleted = counted.filter(({ deletedTs }) => deletedTs !== null).length;
  const late = counted.filter(({ firstSeenTs }) => firstSeenTs >= event.window.endTs).length;
  return [
    `This instance recorded ${plural(judged.length, 'post')} from that time and counts ${ownCount}.`,
    ...describeSources(counted),
    ...describeLeftOut(judged),
    ...(deleted > 0 ? [`${plural(deleted, 'counted post was', 'counted posts were')} deleted later.`] : []),
    ...(late > 0 ? [`We first saw ${late} of the counted posts after the close.`] : []),
  ];
}

/** A second source of the same kind is numbered: oracle-2. */
const ORACLE_SOURCE = /^oracle(?:-\d+)?$/;

/** Whether our count is independent of the oracle depends on where each counted post was first seen. */
function describeSources(counted: readonly CapturedPost[]): string[] {
  const oracle = counted.filter(({ firstSource = '' }) => ORACLE_SOURCE.test(firstSource)).length;
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

function describeOracle({ event, oracle, ownCount, compiledTs }: Facts): string[] {
  const last = oracle.at(-1);
  if (!last) return ['No oracle count is recorded.'];
  const { endTs } = event.window;
  if (compiledTs < endTs)
    return [
      `The window is still open; the oracle has counted ${last.count} since ${toTime(last.ts)}.`,
      compareCounts(last.count, ownCount),
    ];
  const atClose = oracle.findLast(({ ts }) => ts <= endTs);
  const later = oracle.filter(({ ts }) => ts > endTs);
  return [
    ...(atClose
      ? [
          `At the close the oracle had counted ${atClose.count}, unchanged since ${toTime(atClose.ts)}.`,
          describeChange(atClose, later, endTs),
        ]
      : [describeLateReading(later)]),
    compareCounts(last.count, ownCount),
  ];
}

function describeChange(atClose: CountAt, later: readonly CountAt[], endTs: number): string {
  const last = later.at(-1);
  if (!last) return 'The oracle has not changed its count since.';
  const change = last.count - atClose.count;
  const hours = Math.round(((last.ts - endTs) / HOUR_MS) * 10) / 10;
  const verb = change >= 0 ? `added ${change}` : `removed ${-change}`;
  return `The oracle ${verb} after the close, the last one ${hours} h later (${toTime(last.ts)}), and ended at ${last.count}.`;
}

/** Without a reading before the close, we cannot know what the oracle changed afterwards. */
function describeLateReading(later: readonly CountAt[]): string {
  const [first, last] = [later[0]!, later.at(-1)!];
  const end = last.count === first.count ? '' : ` and ended at ${last.count}`;
  return `We did not read the oracle before the close. It had counted ${first.count} when we first did (${toTime(first.ts)})${end}.`;
}

function compareCounts(oracle: number, own: number): string {
  if (oracle === own) return 'The oracle’s last count and ours agree.';
  const difference = Math.abs(oracle - own);
  return `The oracle’s last count is ${difference} ${oracle > own ? 'above' : 'below'} ours.`;
}

function describeLists({ event, listings, disagreements, judged }: Facts): string[] {
  if (listings.length === 0) return ['The oracle’s list of posts was not recorded for this window.'];
  const slow = judged.flatMap(({ post, listing }) =>
    listing?.importedTs != null && listing.importedTs - post.createdTs >= HOUR_MS ? [listing.importedTs] : [],
  );
  const afterClose = slow.filter((importedTs) => importedTs > event.window.endTs).length;
  const missing = disagreements.filter(({ what }) => what.startsWith('counted here')).length;
  const surplus = disagreements.length - missing;
  return [
    ...(slow.length > 0
      ? [
          `The oracle imported ${plural(slow.length, 'post')} from this window an hour or more late, ${afterClose} of them after the close.`,
        ]
      : []),
    disagreements.length === 0
      ? 'The oracle’s list contains exactly the posts we count.'
      : `The oracle’s list lacks ${plural(missing, 'post')} that we count and has ${surplus} that we do not.`,
  ];
}

function describePage({ ui }: Facts): string[] {
  const last = ui.at(-1);
  return last ? [`The market page’s last count was ${last.count}, first read ${toTime(last.ts)}.`] : [];
}

function describeResult({ event, settlements }: Facts): string[] {
  const last = settlements.at(-1);
  if (!last) return ['It has not settled yet.'];
  const [first] = settlements;
  const byCount = event.buckets.find(
    ({ lo, hi }) => last.finalCount >= lo && (hi === null || last.finalCount <= hi),
  )?.label;
  const source = last.source === 'oracle' ? 'by the oracle’s count' : 'by the market’s resolution';
  return [
    `It settled at ${last.finalCount} ${source}; bucket ${last.winningLabel ?? 'unknown'} won.`,
    ...(first !== last
      ? [
          `It was revised: first ${first!.finalCount} (${first!.winningLabel ?? 'unknown'}), ${toTime(first!.settledTs)}.`,
        ]
      : []),
    ...(byCount !== undefined && last.winningLabel !== null && byCount !== last.winningLabel
      ? [`The market paid ${last.winningLabel}, although the count falls in ${byCount}.`]
      : []),
  ];
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
