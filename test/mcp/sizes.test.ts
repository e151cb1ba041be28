// Default responses for agents stay small, even with many accounts, events and buckets.
// Tokens are estimated at one per three characters of JSON, which is conservative.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { completeProfile } from '../../src/domain/account-profile.ts';
import { HOUR_MS } from '../../src/domain/units.ts';
import { CHARS_PER_TOKEN } from '../../src/server/mcp/tool-declarations.ts';
import type { AccountSnapshot, EventState } from '../../src/state/snapshot.ts';
import { createSnapshot, NOW_TS } from '../api/fixture.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { connectAgent } from '../support/agent.ts';

const WALLET = `0x${'5c'.repeat(20)}`;
const ACCOUNTS = ['a', 'b', 'c', 'd', 'e'].map((accountId, place) => completeProfile({ accountId }, place));
const BUCKETS = 40;
const VALUES: Record<string, unknown> = { account: 'account_c', wallet: WALLET, event_id: 300_001 };

/** Uses token ids and titles as long as the market's. */
function enlarge(accountId: string, place: number): AccountSnapshot {
  const small = createSnapshot(accountId, { version: 2 });
  const quotes: Record<string, AccountSnapshot['quotes'][string]> = {};
  const events = Array.from({ length: 12 }, (_, i): EventState => {
    const state = small.events[0]!;
    const eventId = 100_000 * (place + 1) + i;
    const buckets = Array.from({ length: BUCKETS }, (_bucket, k) => {
      const id = (side: number) => `${side}${eventId}${k}`.padEnd(77, '7');
      const [yesTokenId, noTokenId] = [id(1), id(2)];
      const ask = k % 3 === 0 ? 0.01 : 0.05;
      const quote = { ...(small.quotes['yes-1001-0'] ?? small.quotes['yes-2001-0']!), bidShares: 5000 };
      quotes[yesTokenId] = { ...quote, tokenId: yesTokenId, bid: ask - 0.005, ask };
      quotes[noTokenId] = { ...quote, tokenId: noTokenId, bid: 0.9, ask: 0.95 };
      const lo = k * 20;
      return {
        ...state.event.buckets[0]!,
        lo,
        hi: k === BUCKETS - 1 ? null : lo + 19,
        label: `${lo}-${lo + 19}`,
        yesTokenId,
        noTokenId,
        marketId: `m${eventId}-${k}`,
        conditionId: `c${eventId}-${k}`,
      };
    });
    const window = { startTs: NOW_TS - 100 * HOUR_MS, endTs: NOW_TS + (i + 1) * HOUR_MS };
    const title = `How many posts will the account with a long name make from March ${i} to March ${i + 7}?`;
    return {
      ...state,
      event: { ...state.event, eventId, title, window, buckets },
      forecast: { ...state.forecast!, eventId, bucketProbabilities: buckets.map(() => 1 / BUCKETS) },
    };
  });
  return { ...small, events, quotes };
}

describe('the response size for an agent', () => {
  let harness: Harness;
  let client: Client;
  before(async () => {
    harness = await startHarness({ accounts: ACCOUNTS });
    for (const [place, { accountId }] of ACCOUNTS.entries()) harness.board.replace(enlarge(accountId, place));
    client = await connectAgent(`http://127.0.0.1:${harness.port}`, harness.keys.PRO);
  });
  after(async () => {
    await client.close();
    await harness.close();
  });

  const ask = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError ?? false, false, JSON.stringify(result.content));
    // Hosts forward text or structured content, which are the same.
    const texts = (result.content as { text: string }[]).map(({ text }) => text);
    return { tokens: texts.join('').length / CHARS_PER_TOKEN, result };
  };

  it('is at most 4,000 tokens for every tool by default', async (t) => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const args = Object.fromEntries((inputSchema.required ?? []).map((key) => [key, VALUES[key] ?? 1000]));
      // The events on this board are not in the store.
      if (name === 'get_event_history') continue;
      const { tokens } = await ask(name, args);
      t.diagnostic(`${name}: about ${Math.round(tokens)} tokens`);
      assert.ok(tokens < 4_000, `${name}: ${tokens}`);
    }
  });

  it('is at most 1,000 tokens for what_to_trade with any number of trades', async () => {
    const { tokens, result } = await ask('what_to_trade', { limit: 100, bankroll: 100_000 });
    assert.ok(tokens <= 1_000, String(tokens));
    const body = result.structuredContent as { data: { sentence: string }[]; left_out: { rows: number } };
    assert.ok(body.data.length >= 3, `${body.data.length} trades`);
    assert.ok(body.data.every(({ sentence }) => sentence.length > 10));
    assert.equal(body.data.length + body.left_out.rows, 100);
    const next = await ask('what_to_trade', { offset: body.data.length, bankroll: 100_000 });
    assert.ok(next.tokens <= 1_000, String(next.tokens));
    assert.match(JSON.stringify(body.left_out), new RegExp(`offset\\\\": ${body.data.length}`));
  });

  it('is limited by leaving out rows, and the response says how many and how to request them', async () => {
    const short = (await ask('get_ladder', { account: 'account_c' })).result.structuredContent as never;
    const { data, left_out } = short as { data: { rows: unknown[] }[]; left_out: { rows: number } };
    const reported = data.reduce((sum, { rows }) => sum + rows.length, 0);
    assert.equal(reported + left_out.rows, 12 * BUCKETS);
    const full = await ask('get_ladder', { account: 'account_c', detail: 'full' });
    assert.ok(full.tokens > 18_000);
    assert.equal('left_out' in (full.result.structuredContent as object), false);
  });
});
