// Waitlist validation, positions and concurrent registrations.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Harness, type Reply, startHarness } from './harness.ts';

const harness: Harness = await startHarness();

function join(body: unknown, from?: string): Promise<Reply> {
  return harness.call('/waitlist', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(from === undefined ? { key: harness.keys.INTERNAL } : { from }),
  });
}

const wallet = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`;

describe('waitlist', () => {
  after(() => harness.close());

  it('rejects a null character and an overlong e-mail address, and reports the field', async () => {
    const cases: [unknown, string, string][] = [
      [{ type: 'agent', case: 'a\0b', name: 'n', wallet: wallet(1) }, 'case', 'value_error'],
      [{ type: 'human', case: 'x', email: 'a\0@b.co' }, 'email', 'value_error'],
      [{ type: 'human', case: 'x', email: `${'a'.repeat(150)}@b.co` }, 'email', 'string_too_long'],
    ];
    for (const [body, field, type] of cases) {
      const { status, json } = await join(body);
      assert.equal(status, 422);
      assert.deepEqual(json.detail[0].loc, ['body', field]);
      assert.equal(json.detail[0].type, type);
    }
  });

  it('rejects an unsupported charset or encoding with 415', async () => {
    const unreadable: Record<string, string>[] = [
      { 'content-type': 'application/json; charset=utf-7' },
      { 'content-type': 'application/json', 'content-encoding': 'br' },
    ];
    for (const headers of unreadable) {
      const reply = await harness.call('/waitlist', {
        method: 'POST',
        key: harness.keys.INTERNAL,
        headers,
        body: '{}',
      });
      assert.equal(reply.status, 415);
      assert.equal(typeof reply.json.detail, 'string');
    }
  });

  it('accepts ten requests per hour from one address, valid or not', async () => {
    const human = { type: 'human', case: 'x', email: 'a@b.co' };
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await join(i % 2 ? {} : human, '127.0.0.7')).status);
    assert.equal(statuses.filter((status) => status === 429).length, 1);
    assert.equal(statuses[10], 429);
    const limited = await harness.call('/meta/crypto', { from: '127.0.0.7' });
    assert.equal(limited.headers['x-ratelimit-remaining'], '89');
    assert.equal((await join(human, '127.0.0.8')).status, 200);
  });
});
