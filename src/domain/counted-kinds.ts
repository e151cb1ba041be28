// Which kinds of post the settlement oracle counts, learned from settled windows. Our rule decides our own
// count; where the oracle has decided otherwise, bounds, forecasts and settlement risk include its view.

import { type CountingRule, isCountedBy } from './counting-rule.ts';
import type { CountWindow } from './market-event.ts';
import type { Post } from './post.ts';

export const POST_KINDS = {
  post: 'posts',
  quote: 'quotes',
  repost: 'reposts',
  ownThread: 'replies in own threads',
  otherThread: "replies to itself in others' threads",
  reply: 'replies to others',
  community: 'community posts',
} as const;
export type PostKind = keyof typeof POST_KINDS;

/** The kinds on which rule and oracle can disagree; a total alone cannot separate more of them. */
const CONTESTED = ['ownThread', 'otherThread'] as const;
type ContestedKind = (typeof CONTESTED)[number];
const KINDS = Object.keys(POST_KINDS) as PostKind[];

type KindFlags = Pick<
  Post,
  'isReply' | 'isSelfReply' | 'isRetweet' | 'isQuote' | 'isCommunity' | 'conversation'
>;

export function kindOf(post: KindFlags): PostKind {
  if (post.isCommunity) return 'community';
  if (post.isReply && post.isSelfReply) return post.conversation === 'other' ? 'otherThread' : 'ownThread';
  if (post.isReply) return 'reply';
  if (post.isRetweet) return 'repost';
  return post.isQuote ? 'quote' : 'post';
}

export type KindCounts = Readonly<Partial<Record<PostKind, number>>>;

/** A settled window: our posts by kind, and the oracle's final count. */
export interface SettledKinds {
  window: CountWindow;
  posts: KindCounts;
  oracle: number;
  /** How many of each kind are in the oracle's own list; absent if its list is unknown or incomplete. */
  listed?: KindCounts;
}

export interface KindRecord {
  kind: PostKind;
  /** Posts of this kind, and how many of them we count. */
  posts: number;
  ours: number;
  /** How many the oracle counted: its totals leave a range. */
  low: number;
  high: number;
  /** Probability that the oracle counts the next one. */
  share: number;
}

export interface KindLesson {
  windows: number;
  /** Windows with a total that no choice of kinds explains: the oracle missed posts, or we did. */
  unexplained: number;
  records: readonly KindRecord[];
}

export function learnKinds(rule: CountingRule, settled: readonly SettledKinds[]): KindLesson {
  const windows = pickDisjoint(settled);
  const isOurs = (kind: PostKind) => isCountedBy(rule, FLAGS[kind]);
  const ranges = windows.map((one) => rangesOf(one, isOurs));
  const shares = learnShares(windows, ranges, isOurs);
  const records = KINDS.flatMap((kind): KindRecord[] => {
    const posts = sum(windows.map((one) => one.posts[kind] ?? 0));
    if (posts === 0) return [];
    const [low, high] = [sum(ranges.map((one) => one.low[kind])), sum(ranges.map((one) => one.high[kind]))];
    const share = isContested(kind) ? shares[kind] : (low + high) / 2 / posts;
    return [{ kind, posts, ours: isOurs(kind) ? posts : 0, low, high, share }];
  });
  return { windows: windows.length, unexplained: ranges.filter((one) => one.isUnexplained).length, records };
}

/** So many replies in own threads without an exception settle the matter for an account. */
const MIN_AGREEING_POSTS = 20;

/**
 * The contested kinds that the oracle has certainly not always treated as our rule does. It did so with replies in
 * own threads, so these are disputed until an account's own record shows otherwise.
 */
export interface DisputedKinds {
  /** Probability that it does not count a reply in an own thread, which we count; 0 if undisputed. */
  ownRejected: number;
  /** Probability that it counts a reply to itself in another's thread, which we do not; 0 if undisputed. */
  otherAccepted: number;
}

export function findDisputed(lesson: KindLesson | undefined): DisputedKinds | null {
  const find = (kind: PostKind) => lesson?.records.find((one) => one.kind === kind);
  const [own, other] = [find('ownThread'), find('otherThread')];
  const isOpen = own && own.ours > 0 && (own.high < own.posts || own.posts < MIN_AGREEING_POSTS);
  const ownRejected = isOpen ? 1 - own.share : 0;
  const otherAccepted = other && other.ours === 0 && other.low > 0 ? other.share : 0;
  return ownRejected + otherAccepted > 0 ? { ownRejected, otherAccepted } : null;
}

/** "replies in own threads: counted by us 6, by the oracle 0 to 2". */
function describeRecord({ kind, ours, low, high }: KindRecord): string {
  const range = low === high ? String(low) : `${low} to ${high}`;
  return `${POST_KINDS[kind]}: counted by us ${ours}, by the oracle ${range}`;
}

/** Kinds that the oracle counted differently, one sentence each. */
export function describeDisputes({ records, windows }: KindLesson): string[] {
  return records
    .filter(({ ours, low, high }) => ours > high || ours < low)
    .map((record) => `${describeRecord(record)} (${windows} settled windows)`);
}

const NO_FLAGS = {
  isReply: false,
  isSelfReply: false,
  isRetweet: false,
  isQuote: false,
  isCommunity: false,
};
const SELF_REPLY = { ...NO_FLAGS, isReply: true, isSelfReply: true };
const FLAGS: Readonly<Record<PostKind, KindFlags>> = {
  post: NO_FLAGS,
  quote: { ...NO_FLAGS, isQuote: true },
  repost: { ...NO_FLAGS, isRetweet: true },
  ownThread: { ...SELF_REPLY, conversation: 'own' },
  otherThread: { ...SELF_REPLY, conversation: 'other' },
  reply: { ...NO_FLAGS, isReply: true },
  community: { ...NO_FLAGS, isCommunity: true },
};

/** Markets overlap, and a post must not count as evidence twice; short windows say more about each post. */
function pickDisjoint(settled: readonly SettledKinds[]): SettledKinds[] {
  const length = ({ window }: SettledKinds) => window.endTs - window.startTs;
  const picked: SettledKinds[] = [];
  for (const one of settled.toSorted(
    (a, b) => length(a) - length(b) || a.window.startTs - b.window.startTs,
  )) {
    const { startTs, endTs } = one.window;
    if (picked.every(({ window }) => window.endTs <= startTs || window.startTs >= endTs)) picked.push(one);
  }
  return picked;
}

interface Ranges {
  low: Record<PostKind, number>;
  high: Record<PostKind, number>;
  /** Contested posts that the oracle counted; null if its total does not show it. */
  contested: number | null;
  isUnexplained: boolean;
}

function rangesOf({ posts, oracle, listed }: SettledKinds, isOurs: (kind: PostKind) => boolean): Ranges {
  const of = (kind: PostKind) => posts[kind] ?? 0;
  const certain = sum(KINDS.filter((kind) => isOurs(kind) && !isContested(kind)).map(of));
  const contested = sum(CONTESTED.map(of));
  const rest = oracle - certain;
  const [missed, extra] = [Math.max(0, -rest), Math.max(0, rest - contested)];
  const isExplained = missed + extra === 0;
  const rangeOf = (kind: PostKind): [low: number, high: number] => {
    const n = of(kind);
    if (listed) return [listed[kind] ?? 0, listed[kind] ?? 0];
    if (!isContested(kind)) return isOurs(kind) ? [Math.max(0, n - missed), n] : [0, Math.min(n, extra)];
    return isExplained ? [Math.max(0, rest - (contested - n)), Math.min(n, rest)] : [0, n];
  };
  const ranges = KINDS.map((kind) => [kind, rangeOf(kind)] as const);
  const side = (at: 0 | 1) =>
    Object.fromEntries(ranges.map(([kind, range]) => [kind, range[at]])) as Ranges['low'];
  return {
    low: side(0),
    high: side(1),
    contested: isExplained ? rest : null,
    isUnexplained: !listed && !isExplained,
  };
}

/** The prior counts as this many posts: of 19 replies in own threads recorded in late 2025, the oracle counted 17. */
const PRIOR_POSTS = 8;
const PRIOR_AGREES = 0.95;
const ROUNDS = 30;

/** Expectation maximisation: splits each window's counted contested posts by the shares, then re-estimates. */
function learnShares(
  windows: readonly SettledKinds[],
  ranges: readonly Ranges[],
  isOurs: (kind: PostKind) => boolean,
): Record<ContestedKind, number> {
  const prior = (kind: ContestedKind) => (isOurs(kind) ? PRIOR_AGREES : 1 - PRIOR_AGREES);
  let shares = { ownThread: prior('ownThread'), otherThread: prior('otherThread') };
  const usable = windows.flatMap((one, i) =>
    one.listed || ranges[i]!.contested !== null ? [{ ...one, range: ranges[i]! }] : [],
  );
  for (let round = 0; round < ROUNDS; round++) {
    const estimate = (kind: ContestedKind) => {
      const counted = sum(usable.map(({ posts, range }) => expect(kind, posts, range, shares)));
      const posts = sum(usable.map((one) => one.posts[kind] ?? 0));
      return (counted + PRIOR_POSTS * prior(kind)) / (posts + PRIOR_POSTS);
    };
    shares = { ownThread: estimate('ownThread'), otherThread: estimate('otherThread') };
  }
  return shares;
}

function expect(
  kind: ContestedKind,
  posts: KindCounts,
  { low, high, contested }: Ranges,
  shares: Record<ContestedKind, number>,
): number {
  if (low[kind] === high[kind] || contested === null) return low[kind];
  const weights = CONTESTED.map((one) => (posts[one] ?? 0) * shares[one]);
  const part = (contested * (posts[kind] ?? 0) * shares[kind]) / Math.max(1e-9, sum(weights));
  return Math.min(high[kind], Math.max(low[kind], part));
}

function isContested(kind: PostKind): kind is ContestedKind {
  return (CONTESTED as readonly PostKind[]).includes(kind);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
