import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionError, InvalidRequestError, RateLimitedError, UnavailableError } from './errors.ts';
import { createTallycast, type TallycastOptions } from './tallycast.ts';

/** Plays the given responses in order: a status, or null for no response. Counts the calls. */
function answering(...statuses: (number | null)[]) {
  const calls: string[] = [];
  const ask = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const status = statuses[Math.min(calls.length, statuses.length - 1)];
    calls.push(`${init?.method} ${input}`);
    if (status === null || status === undefined) throw new TypeError('fetch failed', { cause: 'cut' });
    const headers = { 'Retry-After': status === 429 ? '0.001' : '0' };
    return new Response(JSON.stringify({ detail: `status ${status}`, ok: true }), { status, headers });
  };
  return { calls, fetch: ask as typeof fetch };
}

function clientOf(ask: typeof fetch, more: Partial<TallycastOptions> = {}) {
  return createTallycast({ url: 'http://service.invalid/', fetch: ask, longestPauseMs: 20, ...more });
}

describe('call', () => {
  it('is retried after temporary failures, up to the limit', async () => {
    const passing = answering(503, 429, 200);
    assert.ok(await clientOf(passing.fetch).counters('account_a'));
    assert.equal(passing.calls.length, 3);
    const lasting = answering(503);
    await assert.rejects(clientOf(lasting.fetch).counters('account_a'), UnavailableError);
    assert.equal(lasting.calls.length, 3);
    const once = answering(503);
    await assert.rejects(clientOf(once.fetch, { retries: 0 }).counters('account_a'), UnavailableError);
    assert.equal(once.calls.length, 1);
  });

  it('is not retried after a permanent error', async () => {
    const wrong = answering(422, 200);
    await assert.rejects(clientOf(wrong.fetch).counters('account_a'), InvalidRequestError);
    assert.equal(wrong.calls.length, 1);
  });

  it('does not wait longer than the longest allowed pause', async () => {
    const { fetch: ask } = answering(429, 200);
    const hour = (async (...given: Parameters<typeof fetch>) => {
      const response = await ask(...given);
      return new Response(response.body, { status: response.status, headers: { 'Retry-After': '3600' } });
    }) as typeof fetch;
    await assert.rejects(clientOf(hour).counters('account_a'), (error: RateLimitedError) => {
      assert.ok(error instanceof RateLimitedError);
      assert.equal(error.retryAfterS, 3600);
      return true;
    });
  });

  it('that changes data is retried only if the service did not process it', async () => {
    const refused = answering(503, 200);
    const body = { type: 'human', case: 'bots', email: 'me@example.org' } as const;
    await assert.rejects(clientOf(refused.fetch).joinWaitlist(body), UnavailableError);
    assert.equal(refused.calls.length, 1);
    const limited = answering(429, 200);
    await clientOf(limited.fetch).joinWaitlist(body);
    assert.equal(limited.calls.length, 2);
  });

  it('is not retried after a lost response if a custom fetch may have paid', async () => {
    const cut = answering(null, 200);
    await assert.rejects(clientOf(cut.fetch).counters('account_a'), ConnectionError);
    assert.equal(cut.calls.length, 1);
  });

  it('times out', async () => {
    const never = ((_input: unknown, init: RequestInit) =>
      new Promise((_, reject) => {
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason));
      })) as typeof fetch;
    await assert.rejects(clientOf(never, { timeoutMs: 5 }).counters('account_a'), /no response within 5 ms/);
  });

  it('ends when its caller aborts, even between attempts', async () => {
    const stop = new AbortController();
    const failing = (async () => {
      stop.abort(new Error('enough'));
      return new Response('{}', { status: 503 });
    }) as typeof fetch;
    await assert.rejects(clientOf(failing).counters('account_a', { signal: stop.signal }), /enough/);
  });

  it('encodes accounts and values in the URL', async () => {
    const { calls, fetch: ask } = answering(200);
    const client = clientOf(ask);
    await client.signals('a/b', { bankroll: 250, only_with_signals: undefined });
    await client.call('GET /usage/errors', { query: { limit: 3 } });
    assert.deepEqual(calls, [
      'GET http://service.invalid/api/v1/signals/a%2Fb?bankroll=250',
      'GET http://service.invalid/api/v1/usage/errors?limit=3',
    ]);
  });

  it('to /health returns the body even with status 503', async () => {
    const { fetch: ask } = answering(503);
    assert.ok(await clientOf(ask).health());
  });
});
