// Interfaces of the external sources, independent of any vendor.

import type { Account } from '../domain/account.ts';
import type { VenueId } from '../domain/contract.ts';
import type { CryptoMarket } from '../domain/crypto-market.ts';
import type { CountWindow, MarketEvent } from '../domain/market-event.ts';
import type { OutcomeSide, UnreadPosition, WalletPosition } from '../domain/position.ts';
import type { Post } from '../domain/post.ts';
import type { Quote } from '../domain/quote.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HttpTransport } from './http-transport.ts';
import type { SpendMeter, SpendSummary } from './spend-meter.ts';

/** An unusable element of a response; the rest of the response is valid. */
export interface SkippedItem {
  what: string;
  reason: string;
  /** True if it is dated in the future. */
  isFuture?: boolean;
}

export interface PostPage {
  /** Oldest first. May repeat posts: a short overlap catches late ones. */
  posts: Post[];
  /** Pass it to the next call. Unchanged for a partial page, so that nothing is skipped. */
  cursor: string | null;
  skipped: SkippedItem[];
  /** Why the response is incomplete (e.g. a later page failed); null if complete. */
  problem: string | null;
  /** The time the response refers to, if the source lags and reports it. */
  asofTs?: number | null;
}

export interface HistoryRange {
  sinceTs: number;
  untilTs: number;
}

export interface PostStreamHandlers {
  onOpen?(): void;
  onPost(post: Post): void;
  onDeletion(deletion: { postId: string; deletedTs: number }): void;
  /** Called on any sign of life, including keep-alives. */
  onAlive(): void;
  onSkipped?(item: SkippedItem): void;
}

export type PostSourceKind = 'x' | 'mastodon' | 'oracle' | 'rss' | 'rollcall';

/** What a source knows about a post. Unknown facts are declared as such, never guessed. */
export interface SourceKnowledge {
  /** Whether replies are marked; if not, the count is a range. */
  replies: boolean;
  /** Whether versions of an edited post are linked. */
  edits: boolean;
}

export interface PostSource {
  readonly kind: PostSourceKind;
  /** Unique among an account's sources; cursors are stored under it. */
  readonly name: string;
  readonly knows: SourceKnowledge;
  /** Known median delay of the source's posts. */
  readonly lagMs: number;
  /** Polling period while the source leads. */
  readonly periodMs: number;
  /** Unhealthy after this long without a response, or if the view it reports is older than this. */
  readonly staleAfterMs: number;
  /** True if its list keeps deleted posts and old versions of edited ones. */
  readonly keepsGone?: boolean;
  /** Amount spent so far; null if free. */
  spend(): SpendSummary | null;
  /** Returns everything newer than the cursor; for a null cursor only the newest page. */
  fetchLatest(cursor: string | null, signal: AbortSignal): Promise<PostPage>;
  /**
   * Backfill in batches, newest batch first and each batch oldest first, from just before `untilTs` back to
   * `sinceTs` or the platform's limit. `untilTs` is where an earlier attempt stopped.
   */
  fetchHistory(
    range: HistoryRange,
    onSkipped: (items: readonly SkippedItem[]) => void,
    signal: AbortSignal,
  ): AsyncIterable<Post[]>;
  /** Ids that the platform reports as deleted. An id it does not report on is not missing. */
  findMissing?(postIds: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Posts by id, with flags; posts not found are omitted. */
  fetchByIds?(postIds: readonly string[], signal: AbortSignal): Promise<Post[]>;
  /** Remaining credit in USD, as reported by the platform; null if unknown. */
  fetchCredit?(signal: AbortSignal): Promise<number | null>;
  /** Opens the push stream. Resolves on abort; rejects with SourceError if the stream ends otherwise. */
  openStream?(handlers: PostStreamHandlers, signal: AbortSignal): Promise<void>;
}

export interface OracleTracking {
  trackingId: string;
  title: string;
  /** Slug of the linked market event; null if there is none. */
  marketSlug: string | null;
  /** The oracle's window, with ':59' ends rounded up. Never used as the only source of a window. */
  window: CountWindow;
  /** null if the oracle gave no count. */
  count: number | null;
  /** When the oracle last synced; null if unknown. */
  lastSyncTs: number | null;
  /** Why its last sync failed; null if it succeeded. */
  syncError: string | null;
  isActive: boolean;
}

export interface OraclePost {
  postId: string;
  createdTs: number;
  importedTs: number | null;
  text: string | null;
  /** From the 'RT @' prefix: the oracle gives no flags. */
  isRetweet: boolean;
  /** Starts with a mention, as replies do; the oracle does not say whether it is a reply. */
  mayBeReply: boolean;
}

export interface OracleTrackings {
  trackings: OracleTracking[];
  skipped: SkippedItem[];
}

export interface OracleSource {
  /** Trackings with their counts: active ones and those that ended after `endedSinceTs`. */
  fetchTrackings(endedSinceTs: number, signal: AbortSignal): Promise<OracleTrackings>;
  /** Reads every ended tracking not yet known, and passes on each one before requesting the next. */
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
  /** When the oracle last synced, according to its latest responses; null if unknown. */
  lastSyncTs(): number | null;
  /** Why its last sync failed, according to its latest response; null if it succeeded. */
  syncError(): string | null;
}

export interface SettlementReadings {
  readings: { eventId: number; count: number }[];
  /** Posts that the list marks as deleted; some may have been deleted before our first start. */
  deletedIds: string[];
  /** The time the counts refer to. */
  asofTs: number;
  /** Why a count may be too low; null if the whole list was read. */
  problem: string | null;
}

/** The list that an additional venue's contracts settle on. */
export interface SettlementSource {
  readonly name: string;
  /** The count of each contract by its own rule. */
  fetchCounts(events: readonly MarketEvent[], signal: AbortSignal): Promise<SettlementReadings>;
}

/** An additional venue of an account: its listing and settlement source. */
export interface VenueSources {
  readonly venue: VenueId;
  market: MarketSource;
  /** Quotes of all the venue's contracts, for every account. */
  quotes: QuoteSource;
  /** Keyed by the settlement source in a contract's terms. */
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
  /** Open events, sorted by window end and id. */
  events: MarketEvent[];
  /** Count shown on the market's page per event id; null if the event has none. */
  uiCounts: Map<number, number | null>;
  /** Yes quotes as listed (no depth), shown until a book is known. */
  quotes: Quote[];
  rejected: RejectedEvent[];
  conflicts: WindowConflict[];
  /** When the market produced the list, which may have been cached since. */
  asofTs: number;
  /** Problems the operator should know about although the list was read, e.g. an unknown protocol version. */
  alarms: string[];
  /** Messages about relevant events that cannot be followed. */
  missed: string[];
  /** Messages about unusable elements that are not needed. */
  oddities: string[];
}

export interface SettledEvent {
  event: MarketEvent;
  /** null until the market publishes the winning bucket. */
  winningLabel: string | null;
  closedTs: number | null;
  uiCount: number | null;
}

export interface SettledListing {
  settled: SettledEvent[];
  rejected: RejectedEvent[];
  /** Why some winners may be missing; null if all known results were read. */
  problem: string | null;
}

export interface MarketSource {
  /** `trackings` help to confirm windows; an empty list is fine. */
  fetchEvents(trackings: readonly OracleTracking[], signal: AbortSignal): Promise<MarketListing>;
  /** Closed events that ended at or after `sinceTs`. */
  fetchSettled(sinceTs: number, signal: AbortSignal): Promise<SettledListing>;
}

export interface QuoteStreamHandlers {
  onOpen?(): void;
  onQuote(quote: Quote): void;
  /** Called when a market is resolved. */
  onResolved?(resolution: { conditionId: string; winningTokenId: string }): void;
  /** Called when readable data of a subscribed token arrives; heartbeats and broadcasts do not count. */
  onAlive?(): void;
  /** Called for an unreadable frame; quotes it may have changed wait for the next snapshot. */
  onBroken?(problem: string): void;
}

export interface QuoteStream {
  /** Replaces the set of subscribed tokens. */
  setTokens(tokenIds: readonly string[]): void;
  /** Resolves on abort; rejects with SourceError when the stream ended or fell silent, so open a new one. */
  readonly ended: Promise<void>;
}

export interface QuoteSource {
  /** Best bid and ask with their sizes, omitting tokens without a book. Unreadable books go to `onUnread`. */
  fetchQuotes(
    tokenIds: readonly string[],
    signal: AbortSignal,
    onUnread?: (problem: string) => void,
  ): Promise<Quote[]>;
  /** What the venue currently refuses although prices arrive; null or absent if nothing. */
  restriction?(): string | null;
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

/** Historical prices of tokens, from the market's own history. */
export type FetchPastPrices = (
  tokenId: string,
  span: { startTs: number; endTs: number },
  signal: AbortSignal,
) => Promise<PastPrice[]>;

export interface WalletSource {
  /**
   * Every non-empty holding, Yes and No; an unknown wallet holds nothing. Unreadable rows go to `onUnread`;
   * without that listener they fail the call. `findSide` returns the side of a followed token if the row does
   * not give it.
   */
  fetchPositions(
    wallet: string,
    signal: AbortSignal,
    onUnread?: (unread: UnreadPosition) => void,
    findSide?: (tokenId: string) => OutcomeSide | null,
  ): Promise<WalletPosition[]>;
}

export interface CryptoSource {
  /** `onOddity` receives unreadable parts. */
  fetchMarkets(signal: AbortSignal, onOddity?: (oddity: string) => void): Promise<CryptoMarket[]>;
}

/** All sources for one account. */
export interface AccountSources {
  account: Account;
  /** In order of preference: the first healthy one leads. */
  posts: readonly PostSource[];
  oracle: OracleSource;
  market: MarketSource;
  /** Additional venues for the account; absent if none. */
  venues?: readonly VenueSources[];
}

export interface Sources {
  /** In configuration order. */
  accounts: readonly AccountSources[];
  /** Meters for paid platforms; the ingesting process persists them. */
  meters?: readonly SpendMeter[];
  quotes: QuoteSource;
  /** Absent if the market offers no price history. */
  fetchPastPrices?: FetchPastPrices;
  wallets: WalletSource;
  crypto: CryptoSource;
}

export interface PostSourceOptions {
  account: Account;
  clock: Clock;
  /** Unique among an account's sources; the source's kind by default. */
  name?: string;
  /** Polling period while the source leads; each source has a default. */
  periodMs?: number;
}

export interface HttpPostSourceOptions extends PostSourceOptions {
  /** For a feed, the base URL is the complete URL. */
  http: HttpTransport;
}
