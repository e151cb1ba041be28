// Connects sources to store and state: feeds per account, and one price feed and one crypto feed for all.

import type { Account } from '../domain/account.ts';
import type { FeedName, FeedStatus } from '../domain/feed.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/units.ts';
import { sleep } from '../runtime/clock.ts';
import { createTurnQueue, type TurnQueue } from '../runtime/turn-queue.ts';
import { getStaleAfterMs, type RegisteredFeed } from '../sources/feeds.ts';
import type { AccountSources, OracleTracking, SettledEvent, Sources } from '../sources/source.ts';
import type { Board } from '../state/board.ts';
import type { CryptoSnapshot } from '../state/snapshot.ts';
import type { Store } from '../store/ports.ts';
import { createCryptoFeed } from './feeds/crypto-feed.ts';
import type { IngestTools } from './feeds/feed-loop.ts';
import { createFeedWatch } from './feeds/feed-watch.ts';
import { createMarketFeed } from './feeds/market-feed.ts';
import { createOracleFeed } from './feeds/oracle-feed.ts';
import { createPostFeed } from './feeds/post-feed.ts';
import { createPriceFeed } from './feeds/price-feed.ts';
import { createSettledFeed } from './feeds/settled-feed.ts';
import { createVenueFeed } from './feeds/venue-feed.ts';
import { type AccountRecorder, createAccountRecorder } from './recorder/account-recorder.ts';
import { createCaptureDelays } from './recorder/capture-delays.ts';
import { firstVersionOf, rebuildSnapshot } from './recorder/rebuild.ts';
import { CRYPTO_SNAPSHOT_NAME, createStateLog } from './recorder/state-log.ts';
import { backfill } from './repair/backfill.ts';
import { createGapRepair } from './repair/gap-repair.ts';
import { createDeletionCheck, createDoubtCheck } from './repair/post-checks.ts';
import { type Service, startWhen } from './service.ts';
import { openSpendKeeper, type SpendKeeper } from './spend-keeper.ts';

export interface IngestOptions extends IngestTools {
  sources: Sources;
  store: Store;
  board: Board;
  usePush: boolean;
  blankTextOnDeletion: boolean;
  /** How often observations are logged. */
  logEveryMs: number;
  /** In which accounts read their past: posts before ended events, and work on past events after both. */
  turns: TurnQueue;
  onSettled: (account: Account, settled: readonly SettledEvent[]) => Promise<void>;
  /** Called when the backfill of one account is complete; accounts do not wait for each other. */
  onCaughtUp?: (account: Account) => void;
}

/** Pages of hundreds of accounts would delay every one of them, and forecasts wait for the last page. */
const READ_AT_ONCE = 16;

export function createReadingTurns(): TurnQueue {
  return createTurnQueue(READ_AT_ONCE);
}

export interface Ingest extends Service {
  readonly recorders: readonly AccountRecorder[];
  /** Settles when every account's backfill is as complete as it can be; immediately on later starts. */
  readonly caughtUp: Promise<void>;
}

/** What a replica or a start reads at most besides a whole snapshot. */
const WHOLE_EVERY_MS = 3 * MINUTE_MS;

/** How long the backfill runs without yielding. */
const PAST_FIRST_MS = 10 * SECOND_MS;

/** Longer than the longest window. */
const DOUBTS_BACK_MS = 40 * DAY_MS;

const SHOWN_FEEDS: readonly FeedName[] = ['own', 'oracle', 'ui', 'market', 'prices', 'forecast'];

/** Rebuilds the state from the store; makes no external request before start(). */
export async function createIngest(options: IngestOptions): Promise<Ingest> {
  const { sources, store, board, clock, logger, turns } = options;
  const recorders = await Promise.all(sources.accounts.map(({ account }) => openRecorder(options, account)));
  const accountIds = recorders.map((recorder) => recorder.account.accountId);
  const stopping = new AbortController();
  const caughtUp = sources.accounts.map(() => Promise.withResolvers<void>());
  const spend = await openSpendKeeper(sources.meters ?? [], store.cursors);
  const services: Service[] = [
    ...sources.accounts.flatMap((accountSources, index) =>
      accountServices(
        options,
        accountSources,
        recorders[index]!,
        caughtUp[index]!.promise,
        spend,
        stopping.signal,
      ),
    ),
    createPriceFeed({ ...options, source: sources.quotes, recorders }),
    ...venuePriceFeeds(options, recorders),
    await openCryptoFeed(options),
    createFeedWatch({ ...options, recorders }),
    createStateLog({
      board,
      snapshots: store.snapshots,
      accountIds,
      periodMs: options.logEveryMs,
      wholeEveryMs: WHOLE_EVERY_MS * options.timeScale,
      clock,
      logger,
    }),
  ];
  let backfilling: Promise<unknown> = Promise.resolve();

  async function bringInPast(each: AccountSources, index: number): Promise<void> {
    const recorder = recorders[index]!;
    const { signal } = stopping;
    const onRound = (isReady: boolean) => {
      if (isReady && !signal.aborted) options.onCaughtUp?.(recorder.account);
      caughtUp[index]!.resolve();
    };
    const onRead = spend.save;
    await backfill({
      ...options,
      sources: each,
      recorder,
      signal,
      turns,
      onRead,
      onRound,
    });
    caughtUp[index]!.resolve();
  }

  return {
    recorders,
    caughtUp: Promise.all(caughtUp.map(({ promise }) => promise)).then(() => {}),
    start() {
      for (const service of services) service.start();
      backfilling = Promise.all(sources.accounts.map((each, index) => bringInPast(each, index)));
    },
    async stop() {
      stopping.abort();
      await backfilling;
      await Promise.all(services.map((service) => service.stop()));
      // Fails if another process leads by now; then this forgets a second of cost, like a crash.
      await spend.save().catch(() => {});
    },
  };
}

async function openCryptoFeed(options: IngestOptions): Promise<Service> {
  const { sources, store, board } = options;
  const saved = await store.snapshots.find(CRYPTO_SNAPSHOT_NAME);
  if (saved) board.publishCrypto(JSON.parse(saved.body) as CryptoSnapshot);
  const initialVersion = Math.max(firstVersionOf(await store.readEpoch()), saved?.version ?? 0);
  return createCryptoFeed({ ...options, source: sources.crypto, initialVersion });
}

/** One feed per additional venue, so that a silent venue does not look fresh because another responds. */
function venuePriceFeeds(
  { sources, ...options }: IngestOptions,
  recorders: readonly AccountRecorder[],
): Service[] {
  const listed = sources.accounts.flatMap(({ venues = [] }, i) =>
    venues.map((venue) => ({ ...venue, recorder: recorders[i]! })),
  );
  return [...Map.groupBy(listed, ({ venue }) => venue)].map(([venue, group]) =>
    createPriceFeed({
      ...options,
      venue,
      source: group[0]!.quotes,
      recorders: group.map(({ recorder }) => recorder),
    }),
  );
}

async function openRecorder(options: IngestOptions, account: Account): Promise<AccountRecorder> {
  const { store, board, clock, timeScale } = options;
  const open = (feed: FeedName, registered: RegisteredFeed = feed): FeedStatus => ({
    feed,
    updatedTs: null,
    staleAfterMs: getStaleAfterMs(registered, timeScale),
    problem: null,
  });
  const venues = new Set(account.contracts?.map(({ venue }) => venue));
  const feeds = [
    ...SHOWN_FEEDS.map((feed) => open(feed)),
    ...[...venues].flatMap((venue) => [
      { ...open('oracle', 'settlement-list'), venue },
      { ...open('prices'), venue },
    ]),
  ];
  const delays = createCaptureDelays(await store.posts.listCaptureDelays(account.accountId, 1_000));
  const rebuilt = await rebuildSnapshot(store, account, feeds, clock.now());
  const initial = { ...rebuilt, captureDelay: delays.summary() };
  const doubtful = await store.posts.listDoubtful(account.accountId, clock.now() - DOUBTS_BACK_MS);
  const doubtfulIds = doubtful.map(({ postId }) => postId);
  return createAccountRecorder({ ...options, account, initial, board, delays, doubtfulIds });
}

function accountServices(
  options: IngestOptions,
  sources: AccountSources,
  recorder: AccountRecorder,
  caughtUp: Promise<void>,
  spend: SpendKeeper,
  stopping: AbortSignal,
): Service[] {
  const { store } = options;
  const postFeed = createPostFeed({
    ...options,
    sources: sources.posts,
    recorder,
    cursors: store.cursors,
    onRead: spend.save,
  });
  let trackings: readonly OracleTracking[] = [];
  const onTrackings = (latest: readonly OracleTracking[]) => {
    trackings = latest;
  };
  const onSettled = (settled: readonly SettledEvent[]) => options.onSettled(recorder.account, settled);
  // Running events come before ended ones: a first start reads hundreds of ended events, one by one.
  const backfillOrTimeout = Promise.race([
    caughtUp,
    sleep(options.clock, PAST_FIRST_MS * options.timeScale, stopping),
  ]);
  return [
    postFeed,
    createDeletionCheck({ ...options, postFeed, recorder, posts: store.posts }),
    createDoubtCheck({ ...options, postFeed, recorder, posts: store.posts }),
    createOracleFeed({ ...options, source: sources.oracle, recorder, events: store.events, onTrackings }),
    createMarketFeed({ ...options, source: sources.market, recorder, trackings: () => trackings }),
    createGapRepair({
      ...options,
      oracle: sources.oracle,
      postFeed,
      recorder,
      posts: store.posts,
      oraclePosts: store.oraclePosts,
      caughtUp,
    }),
    takeTurnToLook(options.turns, backfillOrTimeout, stopping, (onLooked) =>
      createSettledFeed({ ...options, sources, recorder, store, onSettled, onLooked }),
    ),
    ...(sources.venues ?? []).map((venue) =>
      startWhen(
        backfillOrTimeout,
        stopping,
        createVenueFeed({ ...options, sources: venue, recorder, store, onSettled }),
      ),
    ),
  ];
}

/** Starts a feed in its turn, which lasts until its first look has ended. */
function takeTurnToLook(
  turns: TurnQueue,
  ready: Promise<void>,
  stopping: AbortSignal,
  create: (onLooked: () => void) => Service,
): Service {
  const [begun, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  stopping.addEventListener('abort', () => looked.resolve(), { once: true });
  void ready.then(() =>
    turns.enter(0, () => {
      begun.resolve();
      return looked.promise;
    }),
  );
  return startWhen(begun.promise, stopping, create(looked.resolve));
}
