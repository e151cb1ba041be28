// What the rest of the house may ask of the outside world. Interfaces only: no vendor is named here.

import type { Account } from '../domain/account.ts';
import type { VenueId } from '../domain/contract.ts';
import type { CryptoMarket, ReferenceSource } from '../domain/crypto-market.ts';
import type { CountWindow, MarketEvent } from '../domain/market-event.ts';
import type { OutcomeSide, UnreadPosition, WalletPosition } from '../domain/position.ts';
import type { Post } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { SpendMeter, SpendSummary } from './spend-meter.ts';

/** One element of an answer that could not be used; the rest of the answer stands. */
export interface SkippedItem {
  what: string;
  reason: string;
  /** It was dated ahead of now. */
  isFuture?: boolean;
}

export interface PostPage {
  /** Oldest first. May repeat posts already given: a short overlap catches those that showed up late. */
  posts: Post[];
  /** Hand it in again next time. Unchanged when the page is partial, so nothing is passed over. */
  cursor: string | null;
  skipped: SkippedItem[];
  /** Why the answer is incomplete (a later page failed); null when it is whole. */
  problem: string | null;
  /** The instant that the answer speaks for, where the source itself lags behind and says so. */
  asofTs?: number | null;
}

export interface HistoryRange {
  sinceTs: number;
  untilTs: number;
}

export interface HistoryProgress {
  fetchedPosts: number;
  /** How far back the back-fill has reached. */
  oldestTs: number | null;
  /** The platform gives nothing older, though more was asked for. */
  hasReachedPlatformLimit: boolean;
  /** Left out since the last time. */
  skipped: readonly SkippedItem[];
}

export interface PostStreamHandlers {
  onOpen?(): void;
  onPost(post: Post): void;
  onDeletion(deletion: { postId: string; deletedTs: number }): void;
  /** Any sign of life, keep-alives included. */
  onAlive(): void;
  onSkipped?(item: SkippedItem): void;
}

export type PostSourceKind = 'x' | 'mastodon' | 'oracle' | 'rss' | 'archive' | 'twitterapi' | 'rollcall';

/** What a source can know of a post. What it cannot know is said, never guessed in silence. */
export interface SourceKnowledge {
  /** Whether a post that is no longer there can be told from one that was never seen. */
  deletions: boolean;
  /** Whether replies are told from other posts; without it the count carries bounds. */
  replies: boolean;
  /** Whether the versions of an edited post are told to be one. */
  edits: boolean;
  text: boolean;
}

export interface PostSource {
  readonly kind: PostSourceKind;
  /** Unique among the sources of an account; cursors are kept under it. */
  readonly name: string;
  readonly knows: SourceKnowledge;
  /** How late its posts are at the median, as known of the source. */
  readonly lagMs: number;
  /** How often it may be asked while it leads. */
  readonly periodMs: number;
  /** Longer without an answer (or, where it says how old its view is, an older view) and it is not healthy. */
  readonly staleAfterMs: number;
  /** Serves the past only: never leads, never repairs. */
  readonly isBackfillOnly: boolean;
  /** Its list still has posts that are gone, and old versions of edited ones beside the new. */
  readonly keepsGone?: boolean;
  /** What reading has cost so far; null where reading is free. */
  spend(): SpendSummary | null;
  /** Everything newer than the cursor. A null cursor gives the newest page only. */
  fetchLatest(cursor: string | null, signal: AbortSignal): Promise<PostPage>;
  /**
   * Back-fill: batches from new to old, each oldest first, from just before `untilTs` back to `sinceTs` or the
   * platform's limit. `untilTs` is where an earlier attempt stopped.
   */
  fetchHistory(
    range: HistoryRange,
    onProgress: (progress: HistoryProgress) => void,
    signal: AbortSignal,
  ): AsyncIterable<Post[]>;
  /** Those of the ids that the platform says no longer exist. An id it is silent about is not missing. */
  findMissing?(postIds: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Posts by their ids, flags and all; those that it no longer has are left out. */
  fetchByIds?(postIds: readonly string[], signal: AbortSignal): Promise<Post[]>;
  /** What is left to spend on it, in USD, as the platform itself says; null when it does not. */
  fetchCredit?(signal: AbortSignal): Promise<number | null>;
  /** Push. Settles when the stream ends: resolves on abort, rejects with SourceError otherwise. */
  openStream?(handlers: PostStreamHandlers, signal: AbortSignal): Promise<void>;
}

export interface OracleTracking {
  trackingId: string;
  title: string;
  /** Slug of the market event that the oracle links to; null when it links to none. */
  marketSlug: string | null;
  /** As the oracle states it, its ':59' ends rounded up. A hint: never the only word on a window. */
  window: CountWindow;
  /** null when the oracle gave no figure. */
  count: number | null;
  /** When the oracle last looked at the platform; null when it does not say. */
  lastSyncTs: number | null;
  isActive: boolean;
}

export interface OraclePost {
  postId: string;
  createdTs: number;
  importedTs: number | null;
  text: string | null;
  /** By its 'RT @' prefix: the oracle gives no flags. */
  isRetweet: boolean;
  /** Begins with a mention, as replies do: whether it is one, the oracle does not tell. */
  mayBeReply: boolean;
}

export interface OracleTrackings {
  trackings: OracleTracking[];
  skipped: SkippedItem[];
}

export interface OracleSource {
  /** Trackings with their counts: active ones, and those that ended after `endedSinceTs`. */
  fetchTrackings(endedSinceTs: number, signal: AbortSignal): Promise<OracleTrackings>;
  /** Every ended tracking that is not known yet, one after the other, each told before the next is asked for. */
  fetchEnded(
    endedSinceTs: number,
    isKnown: (trackingId: string) => boolean,
    onTracking: (tracking: OracleTracking) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
  fetchPosts(
    window: CountWindow,
    signal: AbortSignal,
    onSkipped?: (item: SkippedItem) => void,
  ): Promise<OraclePost[]>;
  /** When the oracle last looked at the platform, as far as the last answers said; null while unknown. */
  lastSyncTs(): number | null;
}

export interface SettlementReadings {
  readings: { eventId: number; count: number }[];
  /** The instant that the counts are of. */
  asofTs: number;
}

/** The list that contracts of a further venue settle on. */
export interface SettlementSource {
  readonly name: string;
  /** The count of each contract by its own rule. */
  fetchCounts(events: readonly MarketEvent[], signal: AbortSignal): Promise<SettlementReadings>;
}

/** A further venue of an account: where its contracts are listed, and what they settle on. */
export interface VenueSources {
  readonly venue: VenueId;
  market: MarketSource;
  /** By the name that a contract's terms give. */
  settlement: readonly SettlementSource[];
}

export interface RejectedEvent {
  eventId: number | null;
  title: string;
  reason: string;
}

export interface WindowConflict {
  eventId: number;
  title: string;
  conflict: string;
}

export interface MarketListing {
  /** Open events, by window end and id. */
  events: MarketEvent[];
  /** Count shown on the market's page per event id; null where the event carries none. */
  uiCounts: Map<number, number | null>;
  /** Yes quotes as listed (no depth): what to show until a book is known. */
  quotes: Quote[];
  rejected: RejectedEvent[];
  conflicts: WindowConflict[];
  /** When the market itself said all this: lists pass a cache. */
  asofTs: number;
  /** What an operator must know although the list was read, such as a protocol version nobody knows. */
  alarms: string[];
  /** Events that look like what is to be followed and cannot be, in words. */
  missed: string[];
  /** Elements that could not be used and are not missed; told, lest they be. */
  oddities: string[];
}

export interface SettledEvent {
  event: MarketEvent;
  /** null while the market has not said which bucket won. */
  winningLabel: string | null;
  closedTs: number | null;
  uiCount: number | null;
}

export interface SettledListing {
  settled: SettledEvent[];
  rejected: RejectedEvent[];
  /** Why some of them have no winner yet though they may have one; null when all that is known was read. */
  problem: string | null;
}

export interface MarketSource {
  /** `trackings` help to confirm windows; an empty list is fine. */
  fetchEvents(trackings: readonly OracleTracking[], signal: AbortSignal): Promise<MarketListing>;
  /** Closed events whose window ended at or after `sinceTs`. */
  fetchSettled(sinceTs: number, signal: AbortSignal): Promise<SettledListing>;
}

/** Shares near the best prices; null for a side that is empty. */
export interface BookDepth {
  bidShares: number | null;
  askShares: number | null;
}

/** A quote as it was seen, with its depth where the venue shows whole books. */
export interface SeenQuote extends Quote {
  depth?: BookDepth;
}

export interface QuoteStreamHandlers {
  onOpen?(): void;
  onQuote(quote: SeenQuote): void;
  /** A market resolved while we listened. */
  onResolved?(resolution: { conditionId: string; winningTokenId: string }): void;
  /** Readable data of one of the tokens arrived; heartbeats and broadcasts do not count. */
  onAlive?(): void;
  /** A frame that cannot be read; quotes that it may have changed wait for the next snapshot. */
  onBroken?(problem: string): void;
}

export interface QuoteStream {
  /** Replaces the set of tokens listened to. */
  setTokens(tokenIds: readonly string[]): void;
  /** Resolves on abort; rejects with SourceError when the stream ended or fell silent. Then open a new one. */
  readonly ended: Promise<void>;
}

export interface QuoteSource {
  /** Best bid and ask with their sizes; tokens without a book are left out. Unreadable books go to `onUnread`. */
  fetchQuotes(
    tokenIds: readonly string[],
    signal: AbortSignal,
    onUnread?: (problem: string) => void,
  ): Promise<SeenQuote[]>;
  openQuoteStream(
    tokenIds: readonly string[],
    handlers: QuoteStreamHandlers,
    signal: AbortSignal,
  ): QuoteStream;
}

export interface PastPrice {
  ts: number;
  price: number;
}

/** What tokens cost before anybody here looked, as the market itself remembers it. */
export type FetchPastPrices = (
  tokenId: string,
  span: { startTs: number; endTs: number },
  signal: AbortSignal,
) => Promise<PastPrice[]>;

export interface WalletSource {
  /**
   * Every non-empty holding, Yes and No; an unknown wallet holds nothing. Rows that cannot be read go to `onUnread`;
   * without a listener they fail the call. `findSide` names the side of a followed token, where the row does not.
   */
  fetchPositions(
    wallet: string,
    signal: AbortSignal,
    onUnread?: (unread: UnreadPosition) => void,
    findSide?: (tokenId: string) => OutcomeSide | null,
  ): Promise<WalletPosition[]>;
}

export interface ReferencePrice {
  /** Upper-case asset, e.g. BTC. */
  asset: string;
  price: number;
  source: ReferenceSource;
  observedTs: number;
}

export interface CryptoSource {
  /** Without their reference prices, which are pushed. `onOddity` is told what could not be read though the rest was. */
  fetchMarkets(signal: AbortSignal, onOddity?: (oddity: string) => void): Promise<CryptoMarket[]>;
  /** Settles like PostSource.openStream; rejects at once, not to be tried again soon, without a credential. */
  openReferenceStream(
    handlers: { onOpen?(): void; onPrice(price: ReferencePrice): void; onProblem?(problem: string): void },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Everything that concerns one account. */
export interface AccountSources {
  account: Account;
  /** In the order of preference: the first that is healthy leads. */
  posts: readonly PostSource[];
  oracle: OracleSource;
  market: MarketSource;
  /** Further venues on which the account is traded; absent for none. */
  venues?: readonly VenueSources[];
}

export interface Sources {
  /** In the order of configuration. */
  accounts: readonly AccountSources[];
  /** What reading paid platforms costs; whoever ingests keeps it over restarts. */
  meters?: readonly SpendMeter[];
  quotes: QuoteSource;
  /** Absent where the market gives none. */
  fetchPastPrices?: FetchPastPrices;
  wallets: WalletSource;
  crypto: CryptoSource;
}
