// Why an event settled as it did: every post with its verdict, what the oracle listed, where the two differ,
// and a few plain sentences. Pure; times are UTC milliseconds.

import { countsFor, isCountedUnder } from './contract.ts';
import { describeRecord, type KindCounts, kindOf, learnKinds } from './counted-kinds.ts';
import { type CountingRule, describeRule, hangsOnRoot, isCountedBy } from './counting-rule.ts';
import {
  type Disagreement,
  type DossierInput,
  type DossierPost,
  explainSettlement,
  type OracleListing,
} from './explain-settlement.ts';
import type { MarketEvent } from './market-event.ts';
import type { CapturedPost } from './post.ts';

export interface Dossier {
  explanation: string[];
  ownCount: number;
  posts: DossierPost[];
  countsByRule: { rule: string; count: number }[];
  disagreements: Disagreement[];
}

export function compileDossier(input: DossierInput): Dossier {
  const { event, rule, listings } = input;
  const byId = new Map(listings.map((listing) => [listing.postId, listing]));
  const posts = input.posts.map((post) => judge(event, rule, post, byId));
  const ownCount = posts.filter(({ isCounted }) => isCounted).length;
  const isListComplete = listings.length > 0 && listings.length === input.oracle.at(-1)?.count;
  const disagreements = compareLists(posts, listings, isListComplete);
  const kinds = describeKinds(input, posts, isListComplete);
  const facts = { ...input, judged: posts, ownCount, disagreements, isListComplete, kinds };
  return {
    explanation: explainSettlement(facts),
    ownCount,
    posts,
    countsByRule: countByRules(rule, input.posts),
    disagreements,
  };
}

/** Kinds that the oracle counted otherwise in this window, once it is over. */
function describeKinds(
  { event, rule, oracle, compiledTs }: DossierInput,
  judged: readonly DossierPost[],
  isListComplete: boolean,
): string[] {
  const last = oracle.at(-1);
  if (!last || event.terms || compiledTs < event.window.endTs) return [];
  const countKinds = (some: readonly DossierPost[]): KindCounts => {
    const groups = Map.groupBy(some, ({ post }) => kindOf(post));
    return Object.fromEntries([...groups].map(([kind, group]) => [kind, group.length]));
  };
  // A version of an edited post says nothing about its kind.
  const posts = judged.filter(({ post, isCounted }) => isCounted === isCountedBy(rule, post));
  const { records } = learnKinds(rule, [
    {
      window: event.window,
      posts: countKinds(posts),
      oracle: last.count,
      ...(isListComplete && { listed: countKinds(posts.filter(({ listing }) => listing !== null)) }),
    },
  ]);
  return records
    .filter(({ ours, low, high }) => ours > high || ours < low)
    .map((one) => `${describeRecord(one)}.`);
}

function judge(
  event: MarketEvent,
  rule: CountingRule,
  post: CapturedPost,
  byId: ReadonlyMap<string, OracleListing>,
): DossierPost {
  const kind = nameKind(post);
  const isCounted = countsFor(event, post);
  return {
    post,
    kind,
    isCounted,
    verdict: describeVerdict(rule, post, kind, isCounted),
    listing: byId.get(post.postId) ?? byId.get(post.rootPostId) ?? null,
  };
}

function nameKind(post: CapturedPost): string {
  if (post.isCommunity) return 'community post';
  if (post.isReply) return post.isSelfReply ? 'reply to itself' : 'reply';
  if (post.isRetweet) return 'repost';
  return post.isQuote ? 'quote' : 'post';
}

function describeVerdict(rule: CountingRule, post: CapturedPost, kind: string, isCounted: boolean): string {
  const isKindCounted = isCountedBy(rule, post);
  if (!isCounted && isKindCounted) return describeExclusion(rule, post);
  if (isCounted && !isKindCounted) return 'it was recorded as counted';
  const doubt = post.isDoubtful ? '; its kind is uncertain' : '';
  return `a ${nameDecidedKind(rule, post, kind)} ${isCounted ? 'counts' : 'does not count'}${doubt}`;
}

/** Why a post does not count although its kind does. */
function describeExclusion(rule: CountingRule, post: CapturedPost): string {
  if (post.isVersion) return 'another version of this post was recorded';
  if (!rule.deletedPosts && post.deletedTs !== null) return 'deleted posts do not count';
  return post.isDoubtful ? 'it may be another version of a post' : 'it was recorded as not counted';
}

/** A rule may count some replies to itself and not others, so its verdict names the part that decided. */
function nameDecidedKind(rule: CountingRule, post: CapturedPost, kind: string): string {
  if (kind !== 'reply to itself' || !hangsOnRoot(rule)) return kind;
  return post.conversation === 'other' ? "reply to itself in another's thread" : 'reply in an own thread';
}

/** Counts under the contract's rule, then under variants that change one part of it. */
function countByRules(rule: CountingRule, posts: readonly CapturedPost[]): Dossier['countsByRule'] {
  const variants: [string, CountingRule][] = [
    [`the contract's rule: ${describeRule(rule)}`, rule],
    ['excluding deleted posts', { ...rule, deletedPosts: false }],
    ['including replies', { ...rule, replies: true, selfReplies: true, selfReplyRoots: 'any' }],
    ['excluding replies to itself', { ...rule, replies: false, selfReplies: false }],
    ['excluding reposts', { ...rule, reposts: false }],
    ['including community posts', { ...rule, communityPosts: true }],
  ];
  return variants.map(([name, variant]) => ({
    rule: name,
    count: posts.filter((post) => isCountedUnder(variant, post)).length,
  }));
}

/** A post that an incomplete list lacks may be in the part that we did not record. */
function compareLists(
  posts: readonly DossierPost[],
  listings: readonly OracleListing[],
  isListComplete: boolean,
): Disagreement[] {
  const found = new Set(posts.flatMap(({ listing }) => listing ?? []));
  const ours = posts.flatMap(({ post, isCounted, listing }): Disagreement[] => {
    if (isCounted === (listing !== null) || (isCounted && !isListComplete)) return [];
    const what = isCounted
      ? 'counted here, not in the oracle’s list'
      : 'in the oracle’s list, not counted here';
    return [{ postId: post.postId, createdTs: post.createdTs, what }];
  });
  const unseen = listings
    .filter((listing) => !found.has(listing))
    .map(({ postId, createdTs }): Disagreement => {
      return { postId, createdTs, what: 'in the oracle’s list, never seen here' };
    });
  return [...ours, ...unseen].sort((left, right) => left.createdTs - right.createdTs);
}
