// The typed client against the real API, imported as users import it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createTallycast,
  type StreamEvent,
  type Tallycast,
  TallycastError,
} from '../../packages/client-js/src/index.ts';
import { createPost, NOW_TS, WALLET } from '../api/fixture.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { publishChange } from '../support/publish-change.ts';

let harness: Harness;
let client: Tallycast;
let anonymous: Tallycast;

before(async () => {
  harness = await startHarness();
  const url = `http://127.0.0.1:${harness.port}/`;
  client = createTallycast({ url, apiKey: harness.keys.PRO });
  anonymous = createTallycast({ url });
});
after(() => harness.close());

describe('the typed client', () => {
  it("has a method for every endpoint, which returns the API's response", async () => {
    const answers = {
      '/meta/account_a': await client.counters('account_a'),
      '/meta/account_a/tweets?limit=2&offset=3': await client.posts('account_a', { limit: 2, offset: 3 }),
      '/meta/account_b/hourly?event_id=2001': await client.hourly('account_b', { event_id: 2001 }),
      '/prediction/account_b': await client.forecast('account_b'),
      '/signals/account_a?bankroll=250&only_with_signals=true': await client.signals('account_a', {
        bankroll: 250,
        only_with_signals: true,
      }),
      '/signals/account_a/ladder': await client.ladder('account_a'),
      [`/portfolio/account_b?wallet=${WALLET}`]: await client.portfolio('account_b', { wallet: WALLET }),
      [`/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=900`]: await client.rebalancing(
        'account_a',
        {
          wallet: WALLET,
          bankroll: 900,
        },
      ),
      '/meta/crypto': await client.cryptoMarkets(),
      '/performance/overview': await client.performance(),
      '/performance/history?horizon=48': await client.performanceHistory({ horizon: 48 }),
      '/performance/calibration': await client.calibration(),
      '/performance/ledger': await client.ledger(),
      '/performance/record.json?horizon=48': await client.record({ horizon: 48 }),
      '/performance/seals?limit=5': await client.seals({ limit: 5 }),
      '/health': await client.health(),
    };
    for (const [path, answer] of Object.entries(answers)) {
      assert.deepEqual(answer, (await harness.call(path, { key: harness.keys.PRO })).json, path);
    }
  });

  it('joins the waitlist', async () => {
    const answer = await anonymous.joinWaitlist({ type: 'human', case: 'bots', email: 'me@example.org' });
    assert.deepEqual(answer, { status: 'registered', position: 1 });
  });

  it("throws the service's error", async () => {
    await assert.rejects(anonymous.signals('account_a'), (error: unknown) => {
      assert.ok(error instanceof TallycastError);
      assert.equal(error.status, 401);
      assert.match(error.message, /PRO/);
      return true;
    });
    await assert.rejects(client.posts('account_a', { limit: 0 }), /query\.limit: Input should be greater/);
  });

  it('reports when to retry', async () => {
    const { key } = await harness.issue('FREE');
    const limited = createTallycast({ url: `http://127.0.0.1:${harness.port}`, apiKey: key });
    for (let i = 0; i < 100; i++) await limited.counters('account_a');
    await assert.rejects(limited.counters('account_a'), (error: TallycastError) => {
      assert.equal(error.status, 429);
      assert.ok(error.retryAfterS! > 0);
      return true;
    });
  });
});

function publishPost(postId: string): void {
  const now = harness.board.find('a')!;
  const post = { ...createPost('a', 0), postId, createdTs: NOW_TS + now.version };
  const recentPosts = [post, ...now.recentPosts].slice(0, 100);
  publishChange(harness.board, 'a', { recentPosts });
}

describe('a client stream', () => {
  /** Counts connections, and lets a test cut them. */
  function createCuttable() {
    let current = new AbortController();
    let connections = 0;
    return {
      fetch: ((input: string, init: RequestInit) => {
        current = new AbortController();
        connections += 1;
        return fetch(input, { ...init, signal: AbortSignal.any([current.signal, init.signal!]) });
      }) as typeof fetch,
      cut: () => current.abort(new Error('cut')),
      connections: () => connections,
    };
  }

  it('resumes after a broken connection without losing or repeating a message', async () => {
    const wire = createCuttable();
    const reader = createTallycast({ url: `http://127.0.0.1:${harness.port}`, fetch: wire.fetch });
    const done = new AbortController();
    const events: StreamEvent[] = [];
    const pauses: number[] = [];
    const stream = reader.stream('account_a', {
      signal: done.signal,
      minPauseMs: 1,
      onReconnect(pauseMs) {
        pauses.push(pauseMs);
        publishPost('while-away');
      },
    });
    for await (const event of stream) {
      events.push(event);
      if (event.event === 'snapshot') publishPost('first');
      if (event.event === 'post' && event.data.tweet_id === 'first') wire.cut();
      if (event.event === 'post' && event.data.tweet_id === 'while-away') done.abort();
    }
    assert.deepEqual(
      events.map((event) => (event.event === 'post' ? event.data.tweet_id : event.event)),
      ['snapshot', 'first', 'while-away'],
    );
    assert.equal(wire.connections(), 2);
    assert.equal(pauses.length, 1);
  });

  it('honours Retry-After, and waits longer after each failure', async () => {
    let attempts = 0;
    const done = new AbortController();
    const pauses: number[] = [];
    const refusing = createTallycast({
      url: 'http://service.invalid',
      fetch: async () => {
        attempts += 1;
        if (attempts === 4) done.abort();
        const retry: Record<string, string> = attempts === 1 ? { 'Retry-After': '0.02' } : {};
        return new Response('{"detail":"later"}', { status: attempts === 1 ? 429 : 503, headers: retry });
      },
    });
    const stream = refusing.stream('account_a', {
      signal: done.signal,
      minPauseMs: 2,
      onReconnect: (pauseMs) => pauses.push(pauseMs),
    });
    for await (const _ of stream) assert.fail('no message can arrive');
    assert.equal(pauses[0], 20);
    assert.ok(pauses[1]! >= 2 && pauses[1]! <= 4);
    assert.ok(pauses[2]! >= 4 && pauses[2]! <= 8);
  });

  it('throws on a permanent error', async () => {
    const stream = createTallycast({ url: `http://127.0.0.1:${harness.port}`, apiKey: 'tc_pro_x' }).stream(
      'account_a',
    );
    await assert.rejects(stream.next(), (error: TallycastError) => error.status === 401);
  });

  it('treats a silent stream as broken', async () => {
    const done = new AbortController();
    const problems: unknown[] = [];
    const silent = createTallycast({
      url: 'http://service.invalid',
      fetch: (async (_input: unknown, init: RequestInit) => {
        const body = new ReadableStream({
          start: (controller) =>
            init.signal!.addEventListener('abort', () => controller.error(init.signal!.reason)),
        });
        return new Response(body);
      }) as typeof fetch,
    });
    const stream = silent.stream('account_a', {
      signal: done.signal,
      silentAfterMs: 5,
      minPauseMs: 1,
      onReconnect(_pauseMs, error) {
        problems.push(error);
        done.abort();
      },
    });
    for await (const _ of stream) assert.fail('no message can arrive');
    assert.match(String(problems[0]), /nothing received in 5 ms/);
  });
});
