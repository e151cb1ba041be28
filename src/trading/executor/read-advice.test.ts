import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advise, START_TS } from './executor-bench.test-support.ts';
import { type OpportunityRow, toAdvice } from './read-advice.ts';

describe('advice', () => {
  const unreadable: Record<string, unknown>[] = [
    { gain_per_usd: undefined },
    { seconds_remaining: '7200' },
    { limit_price: undefined },
    { limit_price: 20 },
    { shares: Number.NaN },
    { depth_shares: 'all' },
    { settlement_risk: 'low' },
    { token_id: 11 },
  ];
  for (const changes of unreadable) {
    const [[name, value]] = Object.entries(changes) as [[string, unknown]];
    it(`is rejected if its ${name} is ${value}`, () => {
      assert.throws(() => advise(changes as Partial<OpportunityRow>), new RegExp(`${name} is missing`));
    });
  }

  it("is rejected if its age or the service's status is unknown", () => {
    const limits = { maxCountLead: 10, maxSettlementRisk: 0.25 };
    const answer = { timestamp: 'now' as unknown as number, data: [] };
    assert.throws(() => toAdvice(answer, { status: 'ok' }, limits), /timestamp is missing/);
    const health = {} as { status: string };
    assert.throws(() => toAdvice({ timestamp: START_TS, data: [] }, health, limits), /status is missing/);
  });
});
