// Every adapter against the simulator over real HTTP and websockets: its output must match the simulator's state.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SimulatorServer, startSimulatorServer } from '../simulator/server.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { createSimulatorClock } from '../simulator/simulator-clock.ts';
import { isActiveAt } from '../src/domain/market-event.ts';
import type { Post } from '../src/domain/post.ts';
import type { Quote } from '../src/domain/quote.ts';
import { DAY_MS } from '../src/domain/units.ts';
import { checkSources } from '../src/sources/doctor.ts';
import { findTracking } from '../src/sources/join-trackings.ts';
import type { AccountSources, Sources } from '../src/sources/source.ts';
import { openSimulatedSources } from './support/simulated-sources.ts';

const START_TS = Date.UTC(2026, 7, 16, 12);
const never = new AbortController().signal;

let simulator: Simulator;
let server: SimulatorServer;
let sources: Sources;

before(async () => {
  const clock = createSimulatorClock(START_TS, 1);
  simulator = createSimulator({ seed: 7, anchorTs: START_TS - 130 * DAY_MS - (START_TS % DAY_MS), clock });
  server = await startSimulatorServer(simulator);
  sources = openSimulatedSources(simulator, server, { clock });
});

after(() => server.close());

async function readHistory(entry: AccountSources, sinceTs: number): Promise<Post[]> {
  const posts: Post[] = [];
  for await (const batch of entry.posts[0]!.fetchHistory(
    { sinceTs, untilTs: simulator.now() },
    () => {},
    never,
  ))
    posts.push(...batch);
  return posts;
}

describe('source adapters on the simulator', () => {
  it('read ten days of posts exactly', async () => {
    for (const entry of sources.accounts) {
      const sinceTs = START_TS - 10 * DAY_MS;
      const nowTs = simulator.now();
      const posts = (await readHistory(entry, sinceTs)).filter(
        ({ createdTs }) => createdTs >= sinceTs && createdTs < nowTs,
      );
      const truth = simulator
        .truePosts(sinceTs, nowTs, entry.account.accountId)
        .filter((post) => post.deletedTs === null || post.deletedTs > nowTs)
        // The server shows replies to others only to logged-in users.
        .filter((post) => entry.account.platform !== 'mastodon' || post.kind !== 'reply');
      assert.deepEqual(
        new Set(posts.map(({ rootPostId }) => rootPostId)),
        new Set(truth.map(({ id }) => id)),
      );
      const kinds = new Map(posts.map((post) => [post.rootPostId, post]));
      for (const post of truth)
        assert.ok(Math.abs(kinds.get(post.id)!.createdTs - post.createdTs) <= 1_000, post.id);
    }
  });

  it('see a new post on the next poll, and its deletion', async () => {
    for (const entry of sources.accounts) {
      const posts = entry.posts[0]!;
      const first = await posts.fetchLatest(null, never);
      const { id } = simulator.injectPost({
        accountId: entry.account.accountId,
        kind: 'original',
        deleteAfterMs: 400,
      });
      const next = await posts.fetchLatest(first.cursor, never);
      assert.ok(next.posts.some(({ postId }) => postId === id));
      assert.deepEqual(await posts.findMissing!([id, first.posts[0]!.postId], never), []);
      while ((await posts.findMissing!([id], never)).length === 0) {}
      assert.deepEqual(await posts.findMissing!([id, first.posts[0]!.postId], never), [id]);
    }
  });

  it('receive a pushed post and its deletion', async () => {
    const { posts: listed, account } = sources.accounts.find((entry) => entry.posts[0]!.openStream)!;
    const posts = listed[0]!;
    const stop = new AbortController();
    const seen: string[] = [];
    let injectedId = '';
    await posts.openStream!(
      {
        onOpen: () => {
          injectedId = simulator.injectPost({
            accountId: account.accountId,
            kind: 'quote',
            deleteAfterMs: 300,
          }).id;
        },
        onPost: (post) => seen.push(`${post.postId} ${post.isQuote}`),
        onDeletion: ({ postId }) => {
          seen.push(`${postId} gone`);
          if (postId === injectedId) stop.abort();
        },
        onAlive() {},
      },
      stop.signal,
    );
    assert.ok(seen.includes(`${injectedId} true`));
    assert.ok(seen.includes(`${injectedId} gone`));
  });

  it("provide each active event's window, ladder, oracle count and page count", async () => {
    for (const entry of sources.accounts) {
      const { trackings, skipped } = await entry.oracle.fetchTrackings(simulator.now() - DAY_MS, never);
      const listing = await entry.market.fetchEvents(trackings, never);
      const truth = simulator
        .trueEvents(simulator.now())
        .filter(({ accountId }) => accountId === entry.account.accountId);
      const active = listing.events.filter(({ window }) => isActiveAt(window, simulator.now()));
      assert.ok(active.length >= 2, 'at least two active events');
      assert.deepEqual([skipped, listing.conflicts], [[], []]);
      for (const event of active) {
        const known = truth.find(({ eventId }) => eventId === event.eventId)!;
        assert.deepEqual(event.window, { startTs: known.startTs, endTs: known.endTs });
      }
      assert.ok([...listing.uiCounts.values()].some((count) => count !== null));
      const joined = active.filter((event) => findTracking(event, trackings)?.count != null);
      assert.ok(joined.length >= 1, 'oracle counts match an event');
      for (const { reason } of listing.rejected) assert.match(reason, /add-on|archived|word market/);
    }
  });

  it('list at least thirty settled events per account with their winners', async () => {
    for (const entry of sources.accounts) {
      const { settled } = await entry.market.fetchSettled(START_TS - 130 * DAY_MS, never);
      assert.ok(settled.length >= 30, `${settled.length} settled`);
      const truth = new Map(simulator.trueEvents(0).map((event) => [event.eventId, event]));
      for (const { event, winningLabel } of settled) {
        const winner = event.buckets.find(({ label }) => label === winningLabel);
        assert.notEqual(winningLabel, null, event.title);
        const settledCount = truth.get(event.eventId)?.final;
        if (winner && settledCount != null) {
          assert.ok(winner.lo <= settledCount && settledCount <= (winner.hi ?? Infinity), event.title);
        }
      }
    }
  });

  it('get the same quotes by REST and by push', async () => {
    const { events } = await sources.accounts[0]!.market.fetchEvents([], never);
    const ids = events
      .flatMap(({ buckets }) => buckets.filter(({ isOpen }) => isOpen))
      .slice(0, 8)
      .map(({ yesTokenId }) => yesTokenId);
    const rest = await sources.quotes.fetchQuotes(ids, never);
    assert.deepEqual(rest.map(({ tokenId }) => tokenId).sort(), [...ids].sort());
    for (const { bid, ask } of rest) assert.ok(bid === null || ask === null || bid < ask);
    const pushed = new Map<string, Quote>();
    const stop = new AbortController();
    const onQuote = (quote: Quote) => {
      pushed.set(quote.tokenId, quote);
      if (pushed.size === ids.length) stop.abort();
    };
    await sources.quotes.openQuoteStream(ids, { onQuote }, stop.signal).ended;
    assert.equal(pushed.size, ids.length);
  });

  it("find the demo wallet's Yes and No positions in events of both accounts", async () => {
    const positions = await sources.wallets.fetchPositions(simulator.demoWallet, never);
    assert.deepEqual(new Set(positions.map(({ side }) => side)), new Set(['Yes', 'No']));
    for (const entry of sources.accounts) {
      const { events } = await entry.market.fetchEvents([], never);
      const tokens = new Set(
        events.flatMap(({ buckets }) => buckets.flatMap((bucket) => [bucket.yesTokenId, bucket.noTokenId])),
      );
      assert.ok(
        positions.some(({ tokenId }) => tokens.has(tokenId)),
        entry.account.accountId,
      );
    }
  });

  it('list crypto markets of several kinds, and receive the price that each settles on', async () => {
    const stop = new AbortController();
    const seen = new Set<string>();
    await sources.crypto.openReferenceStream(
      {
        onPrice: ({ asset, price, source }) => {
          assert.ok(price > 0);
          seen.add(`${asset} ${source}`);
          if (seen.size === 8) stop.abort();
        },
      },
      stop.signal,
    );
    const markets = await sources.crypto.fetchMarkets(never);
    assert.ok(new Set(markets.map(({ marketType }) => marketType)).size >= 3);
    const settled = new Set(markets.map(({ asset, referenceSource }) => `${asset} ${referenceSource}`));
    assert.ok(
      [...settled].every((pair) => seen.has(pair)),
      'each market receives the price that it settles on',
    );
    assert.deepEqual(new Set(markets.map(({ referenceSource }) => referenceSource)).size, 2);
  });

  it('pass the doctor', async () => {
    const findings = await checkSources(sources, { clock: createSimulatorClock(START_TS, 1) });
    assert.deepEqual(
      findings.filter(({ verdict }) => verdict !== 'ok'),
      [],
    );
  });
});
