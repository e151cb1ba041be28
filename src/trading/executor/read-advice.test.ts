import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../runtime/errors.ts';
import { advise, START_TS } from './executor-bench.test-support.ts';
import { type OpportunityRow, readTradingKey, toAdvice } from './read-advice.ts';

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

const KEY = '11'.repeat(32);
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';

describe('trading key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-key-'));
  const file = join(folder, 'key');
  writeFileSync(file, `0x${KEY}\n`);
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is read from a private file, or from the environment', () => {
    chmodSync(file, 0o600);
    assert.equal(readTradingKey({ file, value: undefined }).address, ADDRESS);
    assert.equal(readTradingKey({ file: undefined, value: KEY }).address, ADDRESS);
  });

  it('is rejected from a file that others can read or write', () => {
    for (const mode of [0o640, 0o604, 0o620, 0o644]) {
      chmodSync(file, mode);
      assert.throws(() => readTradingKey({ file, value: undefined }), /can be read by others: chmod 600/);
    }
  });

  it('does not appear in the error message if malformed', () => {
    for (const value of [`${KEY}ff`, `${KEY.slice(1)}g`, `${KEY} ${KEY}`]) {
      assert.throws(
        () => readTradingKey({ file: undefined, value }),
        (error: unknown) => error instanceof UsageError && !error.message.includes('1111'),
      );
    }
  });
});
