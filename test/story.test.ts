// End to end: a simulated post reaches the count, the listing, the stream and the forecast; a trader reads
// signals; the service restarts, and nothing is lost.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKeyService } from '../src/access/key-service.ts';
import { type App, startApp } from '../src/app/composition.ts';
import { loadConfig } from '../src/config/config.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { silentLogger } from '../src/runtime/logger.ts';
import { waitUntil, writeYoungSimulator } from './support/boot.ts';
import { makeTempFolder } from './support/temp-store.ts';

interface MetaRecord {
  event_id: number;
  real_counter: number;
  market_oracle_counter: number;
  settlement_delta: number;
}

describe('a post, end to end', () => {
  const dataDir = makeTempFolder('story');
  const config = loadConfig(['--port', '0', '--data-dir', dataDir, '--simulator-seed', '7'], {});
  let app: App;
  let key: string;
  let postId: string;

  before(async () => {
    writeYoungSimulator(dataDir, 7);
    app = await startApp(config, { logger: silentLogger });
    key = (await createKeyService(app.store.keys, systemClock).issue({ tier: 'PRO', label: 'story' })).key;
    await waitUntil(() =>
      ['a', 'b'].every((id) => app.board.find(id)?.events.some((state) => state.forecast !== null)),
    );
  });
  after(async () => {
    await app.stop();
  });

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`${app.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
    assert.equal(response.status, 200, `${path} returned ${response.status}`);
    return ((await response.json()) as { data: T }).data;
  }

  const realCounts = async () =>
    Object.fromEntries(
      (await get<MetaRecord[]>('/meta/account_a')).map((record) => [record.event_id, record.real_counter]),
    );

  it('meets a record that already compares past forecasts with the market', async () => {
    await waitUntil(async () => {
      const response = await fetch(`${app.url}/api/v1/performance/record.json`, {
        headers: { 'X-API-Key': key },
      });
      const { recomputed } = (await response.json()) as {
        recomputed?: { forecasters: { name: string; log_score: { events: number } }[] };
      };
      const market = recomputed?.forecasters.find(({ name }) => name === 'market');
      return (market?.log_score.events ?? 0) > 10;
    });
  });

  it('is counted in every open window and listed first soon after it is published', async () => {
    const before = await realCounts();
    postId = app.simulator!.simulator!.injectPost({ accountId: 'a', kind: 'original' }).id;
    await waitUntil(() => app.board.find('a')!.recentPosts.some((post) => post.postId === postId));
    // The counters follow the posts slightly later.
    await waitUntil(async () => {
      const after = await realCounts();
      return Object.entries(before).every(([eventId, count]) => after[eventId]! >= count + 1);
    });
    const posts = await get<{ tweet_id: string; is_counted: boolean }[]>('/meta/account_a/tweets?limit=5');
    assert.ok(posts.some((post) => post.tweet_id === postId && post.is_counted));
  });

  it('updates the forecast, with no percentile below the count and probabilities that sum to 1', async () => {
    type Prediction = {
      real_counter: number;
      forecast: { p5: number; p50: number; p95: number };
      markets: { model_prob: number }[];
    };
    for (const record of await get<Prediction[]>('/prediction/account_a')) {
      const { p5, p50, p95 } = record.forecast;
      assert.ok(p5 <= p50 && p50 <= p95);
      const sum = record.markets.reduce((total, market) => total + market.model_prob, 0);
      assert.ok(Math.abs(sum - 1) < 1e-4, `probabilities sum to ${sum}`);
    }
  });

  it('leads to signals for a trader and a portfolio for the demo wallet', async () => {
    const signals = await get<{ signals: { suggested_bet: number; action: string }[] }[]>(
      '/signals/account_a?bankroll=500',
    );
    assert.ok(signals.length > 0 && signals.every((event) => event.signals.length > 0));
    const stakes = signals.flatMap((event) => event.signals.map((signal) => signal.suggested_bet));
    assert.ok(stakes.reduce((sum, stake) => sum + stake, 0) <= 500);
    for (const account of ['account_a', 'account_b']) {
      const events = await get<{ positions: { outcome: string }[] }[]>(
        `/portfolio/${account}?wallet=${app.simulator!.demoWallet}`,
      );
      const sides = new Set(events.flatMap((event) => event.positions.map((position) => position.outcome)));
      assert.deepEqual([...sides].sort(), ['No', 'Yes'], account);
    }
  });
});
