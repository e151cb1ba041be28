// Questions that people ask agents, each answered by the first text part alone: no structured content, no data.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import type { AccountSnapshot } from '../../src/state/snapshot.ts';
import { createPosition, createSnapshot, NOW_TS, WALLET } from '../api/fixture.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { sampleAdvice } from '../store/samples.ts';
import { connectAgent } from '../support/agent.ts';
import { evidenceOf } from '../support/priced-event.ts';

const MINUTE_MS = 60_000;
let harness: Harness;
let client: Client;

/** Without evidence of an edge, nothing is advised. */
function withoutEdge(accountId: string): AccountSnapshot {
  return createSnapshot(accountId, { version: 2, evidence: evidenceOf(0, 1) });
}

before(async () => {
  harness = await startHarness();
  const { store, board } = harness;
  await store.events.upsert(['a', 'b'].flatMap((id) => board.find(id)!.events.map(({ event }) => event)));
  await store.settlements.record({
    ...{ eventId: 1004, accountId: 'a', finalCount: 131, winningLabel: '120-139', source: 'oracle' },
    settledTs: NOW_TS - 10 * MINUTE_MS,
  });
  await store.happenings.put([
    sampleAdvice({
      eventId: 1001,
      bucketLabel: '120-139',
      fromTs: NOW_TS - 3 * MINUTE_MS,
      endedTs: NOW_TS - MINUTE_MS,
    }),
    {
      ...{
        accountId: 'a',
        eventId: 1001,
        kind: 'price',
        bucketLabel: '120-139',
        fromTs: NOW_TS - 3 * MINUTE_MS,
      },
      ...{ endedTs: NOW_TS - 2 * MINUTE_MS, content: { fromPrice: 0.3, toPrice: 0.4 } },
    },
  ]);
  for (const accountId of ['a', 'b']) board.replace(withoutEdge(accountId));
  harness.wallet.positions = [1, 2].map((index) => createPosition(1001, index, 'Yes'));
  client = await connectAgent(`http://127.0.0.1:${harness.port}`, harness.keys.PRO);
});
after(async () => {
  await client.close();
  await harness.close();
});

const A = { account: 'account_a' };
const EVENT = { ...A, event_id: 1001 };

/** The question, the tool, its arguments, and what the answer must say. */
const QUESTIONS: readonly [string, string, Record<string, unknown>, readonly RegExp[]][] = [
  [
    'Should I buy anything now?',
    'what_to_trade',
    { bankroll: 500 },
    [
      /^No, nothing to buy now: no trade is advised for a bankroll of 500\.00 USD\./,
      /Largest disagreement between model and market, in Ends (tomorrow|later).*: Yes 120-139 is worth 55¢ to the model and costs 41¢\./,
      /Not advised: .+\. (It would be advised at [\d.]+¢ or less|No price would change that.*)\./,
    ],
  ],
  [
    'What happened in the last two hours?',
    'what_changed',
    { since: '2h' },
    [
      /^Since 2 hours ago \(Tue, Mar 10, 06:00 EDT\): .*\b1 new piece of advice\b/,
      /1 price jump/,
      /1 settlement/,
      /120-139 rose from 30¢ to 40¢/,
    ],
  ],
  [
    'What was the last advice, and what became of it?',
    'what_changed',
    { since: '1d', ...A },
    [
      /Last advice, 3 minutes ago \(Tue, Mar 10, 07:57 EDT\), in Ends tomorrow.*: Yes 120-139 at 57¢ or less, now 40¢\.$/,
    ],
  ],
  [
    'How many posts so far, and does the oracle agree?',
    'get_counters',
    EVENT,
    [
      /^1 open event of account_a\. Ends tomorrow.*: our count 80, oracle 78, market page 77, ends in 24 hours \(Wed, Mar 11, 08:00 EDT\)\.$/,
    ],
  ],
  [
    'Where will the count end?',
    'get_forecast',
    EVENT,
    [
      /^Forecast for account_a: Ends tomorrow.*, 80 so far, 24 hours left: median final count 127, with 90% probability 98 to 149; most likely bucket 120-139, model 55%, market 40¢/,
    ],
  ],
  [
    'When was the last post, and did it count?',
    'get_posts',
    A,
    [/^Latest post of account_a 0 seconds ago \(Tue, Mar 10, 08:00 EDT\), counted: "post 0"\./],
  ],
  [
    'What if 30 posts came now?',
    'what_if',
    { ...EVENT, posts_added: 30 },
    [
      /^Under this assumption, the final count of Ends tomorrow.* is \d+, with 90% probability \d+ to \d+; without it 127, 98 to 149\. Advice would be: /,
    ],
  ],
  [
    'How did the past events of this account end?',
    'get_past_events',
    A,
    [
      /^4 events of account_a, 1 settled\. Latest: Ended: settled at 131 on Tue, Mar 10, 07:50 EDT, 120-139 won\.$/,
    ],
  ],
  [
    'What is my wallet worth?',
    'get_portfolio',
    { ...A, wallet: WALLET },
    [
      /^Positions in 1 open event of account_a are worth ([\d.]+) USD, profit (-?[\d.]+) USD\. Ends tomorrow.*: 2 positions worth \1 USD, profit \2 USD\.$/,
    ],
  ],
  [
    'How many posts were counted so far?',
    'get_hourly',
    EVENT,
    [
      /^Counted posts of account_a: Ends tomorrow.*: (\d+ in the last 24 hours, )?\d+ in the \d+ hours? of its window so far.*\. By day: 2026-03-09 \d+, 2026-03-10 \d+\.$/,
    ],
  ],
  ['Can I rely on the numbers right now?', 'get_health', {}, [/^The service is ok; all feeds are fresh\.$/]],
];

describe('an agent that reads only the text', () => {
  for (const [question, name, args, answers] of QUESTIONS) {
    it(`answers "${question}"`, async (t) => {
      const result = await client.callTool({ name, arguments: args });
      const { text } = (result.content as { text: string }[])[0]!;
      t.diagnostic(text);
      for (const answer of answers) assert.match(text, answer);
    });
  }

  it('learns that not everything has been read', async () => {
    harness.board.replace(createSnapshot('b', { version: 3, isPastMissing: true }));
    const result = await client.callTool({ name: 'get_counters', arguments: EVENT });
    const { text } = (result.content as { text: string }[])[0]!;
    assert.match(
      text,
      /^The service has not read everything yet, so this may be incomplete: .* our count 80/,
    );
  });
});
