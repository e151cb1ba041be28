// Usage counts are exact to the request and byte, and recording them delays no request.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store, UsageColumns, UsageStore } from '../../src/store/ports.ts';
import { USAGE_WIDTH } from '../../src/store/queries/usage.ts';
import { type Harness, startHarness } from './harness.ts';

async function callMany(
  harness: Harness,
  times: number,
  key: string,
): Promise<{ bytes: number; errors: number }> {
  const paths = [
    '/meta/account_a',
    '/prediction/account_b',
    '/meta/account_a/tweets?limit=3',
    '/nothing',
    '/health',
  ];
  let bytes = 0;
  let errors = 0;
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const reply = await harness.call(paths[next++ % paths.length]!, { key });
      bytes += reply.bytes;
      if (reply.status >= 400) errors += 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  return { bytes, errors };
}

function countRequests({ length, numbers }: UsageColumns): number {
  let requests = 0;
  for (let row = 0; row < length; row++) requests += numbers[(row + 1) * USAGE_WIDTH - 1]!;
  return requests;
}

describe('usage tracking', () => {
  it('counts 1,000 requests and their bytes exactly', async () => {
    const harness = await startHarness();
    try {
      const { key } = await harness.issue('INTERNAL');
      const sent = await callMany(harness, 1_000, key);
      const { json } = await harness.call('/usage/summary', { key });
      assert.equal(json.data.total_requests, 1_000);
      assert.equal(json.data.total_errors, sent.errors);
      assert.equal(json.data.error_rate, sent.errors / 1_000);
      assert.equal(json.data.total_bandwidth_bytes, sent.bytes);
      assert.ok(json.data.avg_response_ms > 0);
      const second = Math.floor(harness.clock.now() / 1000);
      const byEndpoint = await harness.call(`/usage/by-endpoint?start=${second}&end=${second}`, { key });
      const rows = byEndpoint.json.data as { endpoint: string; requests: number }[];
      assert.equal(rows.find(({ endpoint }) => endpoint === '/api/v1/meta/account_a')!.requests, 200);
      assert.equal(rows.find(({ endpoint }) => endpoint === 'unmatched')!.requests, 200);
      const errors = await harness.call('/usage/errors?limit=5', { key });
      assert.equal(errors.json.data.length, 5);
      assert.equal(errors.json.data[0].status_code, 404);
      assert.equal(errors.json.data[0].message, 'Not Found');
      const other = await harness.call('/usage/summary', { key: harness.keys.INTERNAL });
      assert.equal(other.json.data.total_requests, 0);
    } finally {
      await harness.close();
    }
  });

  it('delays no request and loses nothing while the store stalls', async () => {
    let release = () => {};
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    let appended = 0;
    const wrapStore = (store: Store): Store => ({
      ...store,
      usage: {
        ...store.usage,
        append: async (rows) => {
          await stalled;
          appended += countRequests(rows as UsageColumns);
          await store.usage.append(rows);
        },
      } as UsageStore,
    });
    const harness = await startHarness({ wrapStore });
    try {
      await callMany(harness, 50, harness.keys.PRO);
      await harness.clock.advanceAsync(5_000);
      // The flush is now waiting for the store; requests continue.
      await callMany(harness, 200, harness.keys.PRO);
      assert.equal(appended, 0);
      const stats = await harness.call('/usage/stats', { key: harness.keys.INTERNAL });
      // For each of two seconds: one row per existing path (four) and one per error.
      assert.equal(stats.json.data.buffer.size, 4 + 10 + 4 + 40);
      release();
    } finally {
      release();
      await harness.close();
    }
    assert.equal(appended, 251);
  });

  it('returns 503 instead of incomplete totals when the store is too slow', async () => {
    const wrapStore = (store: Store): Store => ({
      ...store,
      usage: { ...store.usage, totals: () => new Promise(() => {}) } as UsageStore,
    });
    const harness = await startHarness({ wrapStore });
    try {
      const pending = harness.call('/usage/summary', { key: harness.keys.INTERNAL });
      let status = 0;
      void pending.then((reply) => {
        status = reply.status;
      });
      for (let i = 0; i < 1000 && status === 0; i++) await harness.clock.advanceAsync(100);
      assert.equal((await pending).status, 503);
      assert.ok((await pending).headers['retry-after']);
    } finally {
      await harness.close();
    }
  });
});
