// A whole week of one account that deletes a fifth of its posts, on two venues with opposite rules for
// deleted posts.  Ingest and settlement run in
// this process, on a manual clock.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createFaultyStore } from '../../lab/storm/faulty-store.ts';
import { createGate } from '../../lab/storm/gate.ts';
import { createStage } from '../../lab/storm/stage.ts';
import { ACCOUNT_A, ACCOUNT_B } from '../../simulator/account-parameters.ts';
import { easternDayNumber, easternMidnightTs } from '../../simulator/eastern-time.ts';
import { listContracts } from '../../simulator/kalshi/contracts.ts';
import { countListed } from '../../simulator/kalshi/settlement-list.ts';
import { createSimulatorState } from '../../simulator/simulator-state.ts';
import type { EventTruth, PostTruth } from '../../simulator/truth.ts';
import { openSources } from '../../src/app/open-sources.ts';
import { isInside, type MarketEvent } from '../../src/domain/market-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createIngest, createReadingTurns, type Ingest } from '../../src/ingest/ingest.ts';
import { createSettlementJob } from '../../src/jobs/settling/settle-events.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { AccountSources, QuoteSource, Sources } from '../../src/sources/source.ts';
import { createBoard } from '../../src/state/board.ts';
import type { Settlement, Store } from '../../src/store/ports.ts';
import { openTempStore } from '../support/temp-store.ts';

const SEED = 7;
/** Friday morning in New York: the first venue's week starts at noon, the second's on Sunday. */
const START_TS = Date.UTC(2026, 5, 5, 14);
/** An hour after the second venue has settled its week, on a Sunday. */
const END_TS = Date.UTC(2026, 5, 14, 15);
const STEP_MS = 45 * MINUTE_MS;
/** Long enough that a source that responded in the previous step is not stale. */
const TIME_SCALE = 1_000;
/** Shortens each pause between requests to a millisecond. */
const AWAKE_MS = 20;
/** The deletion check requests younger posts in every round, ten at a time, and older ones rarely. */
const YOUNG_MS = 2 * HOUR_MS;
/** The settlement list flags the rest three hours after midnight. */
const RUN_AFTER_MS = 3 * HOUR_MS;
/** The oracle overlooks one post in a hundred until days later; settled counts follow it for a week. */
const REVISED_MS = 7 * DAY_MS;
const accounts = [ACCOUNT_A, { ...ACCOUNT_B, deleteShare: 0.2 }];

describe('a week of one account on two venues', () => {
  const stage = createStage(SEED, {
    startTs: START_TS,
    accounts,
    flags: ['--venues', 'kalshi', '--read-past', 'false'],
  });
  const { clock, simulator, quiet } = stage;
  const board = createBoard();
  /** Counted posts that existed at one of the steps; only the oracle saw the others before their deletion. */
  const existing = new Set<string>();
  const wrong: string[] = [];
  const checks = { market: 0, kalshi: 0, undecided: 0 };
  let store: Store;
  let ingest: Ingest;

  before(async () => {
    ({ store } = await openTempStore(clock));
    ingest = await startIngest();
    for (let ts = START_TS; ts < END_TS; ts += STEP_MS) {
      // As if woken: every loop runs once, and no timeout expires meanwhile.
      clock.step(STEP_MS - AWAKE_MS);
      await stage.live(AWAKE_MS, 1);
      checkCounts();
    }
  });
  after(async () => {
    await ingest?.stop();
    await store?.close();
  });

  async function startIngest(): Promise<Ingest> {
    const tools = { clock, random: stage.random, logger: silentLogger };
    const tracked = createFaultyStore({
      ...{ ...tools, store, quiet, gate: createGate(), serverClock: clock, watcher: stage.ledger.watcher },
      trouble: () => ({ kind: 'none' }),
      isRetired: () => false,
    });
    const settling = createSettlementJob({
      ...tools,
      accountIds: ['b'],
      store: tracked,
      onSettled: async () => {},
    });
    const network = {
      createSocket: stage.network.createSocket,
      fetch: (url: string, init?: RequestInit) => quiet.track(stage.network.fetch(url, init)),
    };
    const { config, openSimulator } = stage;
    const started = await createIngest({
      ...{
        ...tools,
        board,
        store: tracked,
        timeScale: TIME_SCALE,
        usePush: false,
        blankTextOnDeletion: false,
      },
      sources: withoutPrices(openSources({ ...tools, config, simulator: openSimulator, network })),
      logEveryMs: HOUR_MS,
      turns: createReadingTurns(),
      onSettled: settling.noteResolutions,
    });
    started.start();
    settling.start();
    return { ...started, stop: () => Promise.all([started.stop(), settling.stop()]).then(() => {}) };
  }

  /** Whether the deletion may still be unknown; a post that only the oracle saw is captured after its deletion. */
  function isUnnoticed({ createdTs, deletedTs, importedTs }: PostTruth, nowTs: number): boolean {
    if (deletedTs === null) return false;
    const sinceTs = Math.max(deletedTs, importedTs ?? 0);
    const nextRoundTs = START_TS + Math.ceil((sinceTs - START_TS) / STEP_MS) * STEP_MS;
    if (nextRoundTs - createdTs <= YOUNG_MS) return sinceTs > nowTs - 2 * STEP_MS;
    const night = easternDayNumber(nowTs - STEP_MS - RUN_AFTER_MS);
    return sinceTs > easternMidnightTs(night) + RUN_AFTER_MS;
  }

  /** Counts of an event that are correct, given what could be seen. */
  function boundsOf(event: MarketEvent, posts: readonly PostTruth[], nowTs: number): [number, number] {
    const inside = posts.filter(({ createdTs }) => isInside(event.window, createdTs));
    const existed = inside.filter(({ id }) => existing.has(id));
    const visible = inside.filter(({ id, importedTs }) => existing.has(id) || importedTs !== null);
    if (!event.terms) return [existed.length, visible.length];
    const standing = existed.filter(({ deletedTs }) => deletedTs === null).length;
    return [standing, standing + visible.filter((post) => isUnnoticed(post, nowTs)).length];
  }

  /** The second venue's calendar, as far as this run can follow it from listing to settlement. */
  const contracts = listContracts('b', ACCOUNT_B.kalshi!, START_TS, END_TS).filter(
    ({ kind, window, settleTs }) =>
      kind !== 'other' && window.startTs > START_TS && settleTs < END_TS - 30 * MINUTE_MS,
  );

  function checkListing(nowTs: number): void {
    const listed = new Set(board.find('b')?.events.map(({ event }) => event.slug));
    const due = contracts.filter(
      ({ openTs, window }) => openTs <= nowTs - 4 * STEP_MS && window.endTs > nowTs,
    );
    for (const { ticker } of due) if (!listed.has(ticker)) wrong.push(`${nowTs} ${ticker} is not followed`);
  }

  function checkCounts(): void {
    const nowTs = simulator.now();
    checkListing(nowTs);
    const posts = simulator.truePosts(START_TS, nowTs, 'b').filter(({ isCounted }) => isCounted);
    for (const { id, deletedTs } of posts) if (deletedTs === null) existing.add(id);
    for (const { event, counters, doubt } of board.find('b')?.events ?? []) {
      if (!isLived(event) || event.window.startTs > nowTs) continue;
      const [least, most] = boundsOf(event, posts, nowTs);
      checks[event.terms ? 'kalshi' : 'market']++;
      // If a thread's start is deleted before we look, only the oracle's list shows later whether the reply counts.
      const { counted = 0, uncounted = 0 } = doubt ?? {};
      if (counted > 0) checks.undecided++;
      if (counters.real! < least - uncounted || counters.real! > most + counted)
        wrong.push(`${clock.now()} ${event.title}: ${counters.real}, not ${least} to ${most}`);
    }
  }

  it('has correct counts on both venues at every moment', () => {
    assert.deepEqual(wrong.slice(0, 5), []);
    assert.ok(Math.min(checks.market, checks.kalshi) > 600, JSON.stringify(checks));
    assert.ok(checks.undecided < (checks.market + checks.kalshi) / 50, JSON.stringify(checks));
  });

  async function listSettled(isOf: (event: MarketEvent) => boolean): Promise<[MarketEvent, Settlement][]> {
    const events = (await store.events.list('b', START_TS)).filter((event) => isLived(event) && isOf(event));
    const settled = await store.settlements.latest(events.map(({ eventId }) => eventId));
    return settled.map((one) => [events.find(({ eventId }) => eventId === one.eventId)!, one]);
  }

  function openTruth() {
    const state = createSimulatorState({ seed: SEED, anchorTs: simulator.anchorTs, clock, accounts });
    state.now();
    return { ...state.accounts[1]!, seedKey: state.seedKey };
  }

  it("settles the first venue's events by its oracle's count and the winning bucket", async () => {
    const { oracle } = openTruth();
    const countOf = ({ startTs, endTs }: Pick<EventTruth, 'startTs' | 'endTs'>) =>
      oracle.countIn(startTs, endTs, Math.min(simulator.now(), endTs + REVISED_MS));
    const truths = simulator
      .trueEvents(START_TS)
      .filter(({ accountId, final, startTs }) => accountId === 'b' && final !== null && startTs > START_TS);
    const settled = await listSettled(({ terms }) => !terms);
    assert.deepEqual(
      settled.map(([, { eventId, finalCount, winningLabel }]) => [eventId, finalCount, winningLabel]).sort(),
      truths.map((truth) => [truth.eventId, countOf(truth), truth.winningLabel]).sort(),
    );
    assert.ok(truths.some(({ startTs, endTs }) => endTs - startTs >= 7 * DAY_MS));
  });

  it("settles the second venue's events by its own list's count and the paid bucket", async () => {
    const { ledger, seedKey } = openTruth();
    const settled = await listSettled(({ terms }) => terms?.venue === 'kalshi');
    let differences = 0;
    for (const [{ title, window, buckets }, { finalCount, winningLabel }] of settled) {
      const { startTs, endTs } = window;
      const settleTs = easternMidnightTs(easternDayNumber(endTs) + 1) - 14 * HOUR_MS;
      const count = countListed(ledger, seedKey, startTs, endTs, settleTs);
      const paid = buckets.find(({ lo, hi }) => count >= lo && (hi === null || count <= hi));
      assert.deepEqual([finalCount, winningLabel], [count, paid?.label], title);
      if (ledger.countIn(startTs, endTs) !== count) differences++;
    }
    const followed = new Set(settled.map(([{ slug }]) => slug));
    const lost = contracts.filter(({ ticker }) => !followed.has(ticker)).map(({ ticker }) => ticker);
    const count = (kind: string) => contracts.filter((one) => one.kind === kind).length;
    assert.deepEqual(lost, []);
    assert.ok(count('day') >= 7 && count('week') >= 1, `${count('day')} ${count('week')}`);
    assert.ok(differences > settled.length / 2, 'the two rules count most windows differently');
  });

  /** Checks whether the event was followed from start to end. */
  function isLived({ window }: Pick<MarketEvent, 'window'>): boolean {
    return window.startTs > START_TS;
  }
});

const NO_QUOTES: QuoteSource = {
  fetchQuotes: async () => [],
  openQuoteStream: (_tokenIds, _handlers, signal) => ({ setTokens() {}, ended: untilAborted(signal) }),
};

/** Leaves out prices, because counts do not depend on them and they take most of the time. */
function withoutPrices(sources: Sources): Sources {
  const own = sources.accounts.filter(({ account }) => account.accountId === 'b');
  const quiet = own.map(
    (each): AccountSources => ({
      ...each,
      venues: each.venues?.map((venue) => ({ ...venue, quotes: NO_QUOTES })) ?? [],
    }),
  );
  return {
    ...sources,
    accounts: quiet,
    quotes: NO_QUOTES,
    crypto: { fetchMarkets: async () => [] },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
