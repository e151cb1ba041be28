// A bound on the calls that wait for the store or the market; what memory can answer is always served.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { waitUntil } from '../support/boot.ts';
import { startHarness } from './harness.ts';

const wallet = (digit: number) => `/portfolio/account_a?wallet=0x${String(digit).repeat(40)}`;

it('computes a limited number of calls at once, and refuses the rest with 503 and Retry-After', async (t) => {
  const harness = await startHarness({ settings: { maxAtOnce: 2 } });
  t.after(() => harness.close());
  const key = harness.keys.PRO;
  const market = Promise.withResolvers<void>();
  harness.wallet.wait = market.promise;
  const waiting = [1, 2].map((digit) => harness.call(wallet(digit), { key }));
  await waitUntil(() => harness.wallet.calls === 2);
  const refused = await harness.call(wallet(3), { key });
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
  assert.deepEqual(refused.json, { detail: 'Too busy. Try again shortly.' });
  for (const path of ['/meta/account_a', '/prediction/account_a', '/health'])
    assert.equal((await harness.call(path)).status, 200, path);
  market.resolve();
  for (const reply of await Promise.all(waiting)) assert.equal(reply.status, 200);
  assert.equal((await harness.call(wallet(3), { key })).status, 200);
});
