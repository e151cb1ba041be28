// The service's own API, paid from a throw-away wallet.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Registry } from 'prom-client';
import { payOnce } from '../../lab/commands/pay-once.ts';
import { addPaymentMetrics } from '../../src/server/source-metrics.ts';
import { type PaidHarness, PRICE, startPaidHarness } from './support.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const PAID_PATHS = [
  '/signals/account_a',
  '/signals/account_b',
  `/portfolio/account_a?wallet=${WALLET}`,
  `/portfolio/account_b?wallet=${WALLET}`,
  `/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=100`,
];

let paid: PaidHarness;
before(async () => {
  paid = await startPaidHarness();
});
after(() => paid.close());

for (const path of PAID_PATHS)
  it(`${path.split('?')[0]} can be bought from a wallet that the faucet in the challenge funds`, async () => {
    const answer = await payOnce({ url: `${paid.url}/api/v1${path}`, privateKey: null, fetch });
    assert.deepEqual([answer.status, answer.amount], [200, String(PRICE)]);
    assert.equal(paid.demo.findTransfer(answer.transaction!)?.to, paid.demo.payTo);
    assert.ok(Array.isArray((answer.body as { data: unknown }).data));
  });

it('payments are counted in the metrics', async () => {
  const registry = new Registry();
  addPaymentMetrics(registry, paid.gate);
  const text = await registry.metrics();
  assert.match(text, new RegExp(`tallycast_payments\\{state="settled"\\} ${PAID_PATHS.length}`));
  assert.match(text, /tallycast_payments_amount\{state="settled"\} 50000/);
});
