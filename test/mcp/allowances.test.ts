// What /mcp counts against rate limits, and how it responds to plain HTTP.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateKey } from '../../src/access/key-service.ts';
import { type Harness, startHarness } from '../api/harness.ts';

const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

let harness: Harness;

before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

describe('the agent endpoint', () => {
  const post = (messages: unknown, { key, ...more }: Record<string, string> = {}, from = '127.0.0.1') =>
    harness.call('//mcp', {
      method: 'POST',
      body: JSON.stringify(messages),
      from,
      headers: { ...MCP_HEADERS, ...(key ? { 'X-API-Key': key } : {}), ...more },
    });
  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
  const callCounters = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'get_counters', arguments: { account: 'account_a' } },
  });

  it('counts every message once, valid or not', async () => {
    const { key } = await harness.issue('FREE');
    assert.equal((await post(list(1), { key })).status, 200);
    assert.equal((await post(callCounters(2), { key })).status, 200);
    const { headers } = await harness.call('/meta/account_a', { key });
    assert.equal(headers['x-ratelimit-remaining'], '97');
    for (let i = 0; i < 97; i++) assert.equal((await post(list(i), { key })).status, 200);
    const refused = await post(list(1), { key });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });

  it('closes the connection on request', async () => {
    const { key } = await harness.issue('PRO');
    const closing = await post(callCounters(1), { key, connection: 'close' });
    assert.equal(closing.headers.connection, 'close');
    assert.equal((await post(callCounters(2), { key })).headers.connection, 'keep-alive');
  });

  it('counts each message in a batch, and accepts at most twenty per batch', async () => {
    const { key } = await harness.issue('FREE');
    const batch = Array.from({ length: 20 }, (_, i) => (i % 2 ? list(i) : callCounters(i)));
    for (let i = 0; i < 5; i++) assert.equal((await post(batch, { key })).status, 200);
    assert.equal((await post(list(1), { key })).status, 429);
    const { key: other } = await harness.issue('FREE');
    assert.equal(
      (
        await post(
          Array.from({ length: 100 }, (_, i) => list(i)),
          { key: other },
        )
      ).status,
      400,
    );
  });

  it('counts requests with guessed keys too', async () => {
    const from = '127.0.0.77';
    const statuses: number[] = [];
    for (let i = 0; i < 101; i++) {
      statuses.push((await post(list(i), { key: generateKey('PRO') }, from)).status);
    }
    assert.deepEqual([...new Set(statuses.slice(0, 100))], [401]);
    assert.equal(statuses[100], 429);
  });

  it('accepts any Host header', async () => {
    for (const host of ['a b', '[', '%%%', 'x:99999', '@', '']) {
      const { status } = await post(list(1), { host, key: harness.keys.INTERNAL });
      assert.equal(status, 200, `Host: ${host}`);
    }
  });
});

describe('/mcp', () => {
  it('accepts POST only', async () => {
    for (const method of ['GET', 'DELETE', 'HEAD']) {
      const reply = await harness.call('//mcp', { method });
      assert.deepEqual([reply.status, reply.headers.allow], [405, 'POST']);
    }
  });

  it('returns a protocol error for an invalid message, not a 500', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const post = (body: string, more = {}) =>
      harness.call('//mcp', { method: 'POST', body, headers: { ...headers, ...more } });
    assert.equal((await post('{')).status, 400);
    assert.equal((await post('[]')).status, 400);
    assert.equal((await post('{}')).status, 400);
    assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await post('x'.repeat(70_000))).status, 413);
  });

  it('accepts requests from other origins', async () => {
    const reply = await harness.call('//mcp', {
      method: 'OPTIONS',
      headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
    });
    assert.equal(reply.status, 204);
    assert.match(String(reply.headers['access-control-allow-headers']), /Mcp-Method/);
  });
});
