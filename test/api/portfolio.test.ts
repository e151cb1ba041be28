// A wallet's positions: market requests, caching, failures.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { MINUTE_MS } from '../../src/domain/units.ts';
import { SourceError } from '../../src/runtime/errors.ts';
import { waitUntil } from '../support/boot.ts';
import { createSnapshot, NOW_TS, WALLET } from './fixture.ts';
import { type CallOptions, type Harness, type Reply, startHarness } from './harness.ts';

const harness: Harness = await startHarness();
let version = 1;

describe('the portfolio API', () => {
  after(() => harness.close());
  beforeEach(() => {
    harness.wallet.calls = 0;
    harness.wallet.error = null;
    publish(harness.clock.now());
  });

  /** Publishes new forecasts, which invalidate the cache. */
  function publish(asofTs: number): void {
    version += 1;
    const snapshot = createSnapshot('a', { version });
    const events = snapshot.events.map((state) => ({
      ...state,
      forecast: { ...state.forecast!, asofTs: asofTs + 10 * version },
    }));
    harness.board.replace({ ...snapshot, events });
  }

  /** Keeps feeds fresh; they would become stale after a few minutes without updates. */
  function hearForHours(): void {
    const snapshot = createSnapshot('a', { version: ++version });
    const feeds = snapshot.feeds.map((feed) => ({ ...feed, staleAfterMs: 60 * MINUTE_MS }));
    harness.board.replace({ ...snapshot, feeds });
  }

  /** Sends 40 slow requests with one key from eight addresses: 32 reach the market, and 8 are refused. */
  async function crowd(
    ask: (i: number, options: CallOptions) => Promise<Reply>,
    isRefused: (reply: Reply) => boolean,
    meanwhile: (key: string) => Promise<void> = async () => {},
  ): Promise<void> {
    const slow = Promise.withResolvers<void>();
    harness.wallet.wait = slow.promise;
    const { key } = await harness.issue('PRO');
    await harness.call('/meta/account_a', { key });
    let refused = 0;
    const asked = Array.from({ length: 40 }, async (_, i) => {
      if (isRefused(await ask(i, { key, from: `127.0.9.${1 + (i % 8)}` }))) refused += 1;
    });
    await waitUntil(() => harness.wallet.calls === 32 && refused === 8);
    await meanwhile(key);
    slow.resolve();
    harness.wallet.wait = null;
    await Promise.all(asked);
    assert.equal(refused, 8);
  }

  it('allows 32 concurrent calls per key, without affecting other keys or counting the refused ones', () =>
    crowd(
      (i, options) => harness.call(`/portfolio/account_a?wallet=0x${String(i).padStart(40, '0')}`, options),
      ({ status }) => status === 429,
      async (key) => {
        assert.equal((await pro('/signals/account_a')).status, 200);
        const { headers } = await harness.call('/meta/account_a', { key });
        assert.equal(headers['x-ratelimit-remaining'], String(10_000 - 34));
      },
    ));

  it('applies the same limit to agent calls', () =>
    crowd(
      (id, options) => {
        const wallet = `0xa${String(id).padStart(39, '0')}`;
        const params = { name: 'get_portfolio', arguments: { account: 'account_a', wallet } };
        return harness.call('//mcp', {
          ...{ ...options, method: 'POST' },
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
        });
      },
      ({ text }) => text.includes('concurrent calls'),
    ));

  const pro = (path: string) => harness.call(path, { key: harness.keys.PRO });

  it("values Yes and No positions in that account's active events only", async () => {
    const { json } = await pro(`/portfolio/account_a?wallet=${WALLET}`);
    assert.equal(json.data.length, 2);
    const [first, second] = json.data;
    assert.equal(first.wallet, WALLET);
    assert.deepEqual(first.event, {
      id: 1001,
      title: 'Ends tomorrow, “quoted” 😀',
      end_ts: NOW_TS + 86_400_000,
    });
    assert.equal(first.prediction.p50, 127);
    assert.equal(first.positions.length, 2);
    assert.equal(first.portfolio.total_positions, 2);
    const yes = first.positions.find((position: { outcome: string }) => position.outcome === 'Yes');
    assert.equal(yes.event_id, '1001');
    assert.equal(yes.analysis.win_probability, 0.55);
    assert.equal(yes.analysis.signal, 'STRONG_BUY');
    assert.equal(yes.analysis.recommendation, 'HOLD');
    assert.equal('sizing' in yes, false);
    const no = first.positions.find((position: { outcome: string }) => position.outcome === 'No');
    assert.equal(no.analysis.win_probability, 0.75);
    assert.deepEqual(second.positions, []);
  });

  it('adds sizing when a bankroll is given, for account A only', async () => {
    const a = await pro(`/portfolio/account_a?wallet=${WALLET}&bankroll=1000`);
    assert.ok(a.json.data[0].positions[0].sizing);
    const b = await pro(`/portfolio/account_b?wallet=${WALLET}&bankroll=nonsense`);
    assert.equal(b.status, 200);
    assert.equal('sizing' in b.json.data[0].positions[0], false);
  });

  it('lists only adjustments at or above the threshold', async () => {
    const { json } = await pro(`/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=1000&threshold=1`);
    for (const element of json.data) {
      assert.equal(element.threshold, 1);
      for (const position of element.positions) {
        assert.ok(position.adjustment >= 1);
        assert.ok(['ADD_MORE', 'TRIM'].includes(position.action));
      }
    }
  });

  describe('with a position that cannot be read', () => {
    const reason = 'a row has no token, condition or size';
    const answers = async (tokenId: string | null) => {
      harness.wallet.unread = [{ tokenId, reason }];
      publish(harness.clock.now());
      const value = await pro(`/portfolio/account_a?wallet=${WALLET}&bankroll=1000`);
      const change = await pro(`/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=1000&threshold=1`);
      harness.wallet.unread = [];
      publish(harness.clock.now());
      return { value, change };
    };

    it('values the other positions, lists the unreadable one and suggests no sizes', async () => {
      const { value, change } = await answers('yes-1001-0');
      assert.equal(value.status, 200);
      const [first, second] = value.json.data;
      assert.deepEqual(first.unread_positions, [{ token_id: 'yes-1001-0', reason }]);
      assert.match(first.message, /1 position\(s\) of this wallet could not be read/);
      assert.equal(first.positions.length, 2);
      assert.ok(first.positions.every((position: object) => !('sizing' in position)));
      assert.equal('unread_positions' in second, false);
      assert.equal(change.status, 503);
      assert.ok(Number(change.headers['retry-after']) >= 1);
      assert.match(change.json.detail, /could not be read/);
    });

    it('lists the position under every event if its token is also unknown', async () => {
      const { value, change } = await answers(null);
      for (const record of value.json.data)
        assert.deepEqual(record.unread_positions, [{ token_id: null, reason }]);
      assert.equal(change.status, 503);
    });

    it('ignores the position if it belongs to another market', async () => {
      const { value, change } = await answers('yes-2001-0');
      assert.ok(value.json.data.every((record: object) => !('unread_positions' in record)));
      assert.ok(value.json.data[0].positions[0].sizing);
      assert.equal(change.status, 200);
    });
  });

  it('rejects an invalid wallet address and reports a missing one', async () => {
    for (const wallet of ['', 'x', '0x12', `${WALLET}0`, `0X${WALLET.slice(2)}`, `${WALLET}%0A`]) {
      assert.equal((await pro(`/portfolio/account_a?wallet=${wallet}`)).status, 400, wallet);
    }
    const missing = await pro('/portfolio/account_b');
    assert.equal(missing.status, 422);
    assert.deepEqual(missing.json.detail[0].loc, ['query', 'wallet']);
  });

  it("caches a wallet's positions for five minutes across bankrolls and thresholds", async () => {
    hearForHours();
    const path = `/portfolio/account_a?wallet=${WALLET}`;
    await pro(path);
    await pro(`/portfolio/account_a?wallet=${WALLET.toLowerCase()}`);
    assert.equal(harness.wallet.calls, 1);
    await pro(`${path}&bankroll=10`);
    assert.equal(harness.wallet.calls, 1);
    harness.clock.step(5 * MINUTE_MS - 1);
    const kept = await pro(path);
    assert.equal(harness.wallet.calls, 1);
    assert.equal(kept.json.timestamp, harness.clock.now());
    // Responses are reused for one second.
    harness.clock.step(1_000);
    await pro(path);
    assert.equal(harness.wallet.calls, 2);
  });

  it('values cached positions at the prices of now', async () => {
    hearForHours();
    const read = async () => {
      const [portfolio, prediction] = [
        await pro(`/portfolio/account_a?wallet=${WALLET}`),
        await pro('/prediction/account_a'),
      ];
      const [own] = portfolio.json.data[0].positions;
      const shown = prediction.json.data[0].markets.find(
        ({ title }: { title: string }) => title === own.bucket,
      );
      return { own: own.current_price, shown: shown.market_price };
    };
    const before = await read();
    const { calls } = harness.wallet;
    const snapshot = harness.board.find('a')!;
    const quotes = Object.entries(snapshot.quotes).map(([tokenId, quote]) => {
      const moved = { bid: quote.bid! + 0.01, ask: quote.ask! + 0.01 };
      return [tokenId, tokenId.startsWith('yes') ? { ...quote, ...moved } : quote];
    });
    harness.board.replace({ ...snapshot, version: ++version, quotes: Object.fromEntries(quotes) });
    const after = await read();
    assert.notEqual(after.own, before.own);
    assert.equal(after.own, after.shown);
    assert.equal(harness.wallet.calls, calls);
  });

  it('invalidates the cache when new forecasts are published', async () => {
    const path = `/portfolio/account_a?wallet=${WALLET}`;
    await pro(path);
    publish(harness.clock.now() + 1);
    await pro(path);
    assert.equal(harness.wallet.calls, 2);
  });

  it('shares one market request among concurrent callers', async () => {
    await Promise.all(Array.from({ length: 8 }, () => pro(`/portfolio/account_a?wallet=${WALLET}`)));
    assert.equal(harness.wallet.calls, 1);
  });

  it('returns 503 with Retry-After while the market is unreachable, and does not cache the failure', async () => {
    harness.wallet.error = new SourceError('unavailable', { isRetryable: true });
    const reply = await pro(`/portfolio/account_a?wallet=${WALLET}`);
    assert.equal(reply.status, 503);
    assert.ok(Number(reply.headers['retry-after']) >= 1);
    assert.equal(typeof reply.json.detail, 'string');
    harness.wallet.error = null;
    assert.equal((await pro(`/portfolio/account_a?wallet=${WALLET}`)).status, 200);
  });
});
