import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { type FacilitatorServer, startFacilitator } from '../../src/payments/facilitator/server.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { askFacilitator, offerOf, signPayment } from './signing.ts';
import { createFundedWallet, createWallet, PRICE, startChain } from './support.ts';

describe('the facilitator', () => {
  let demo: DemoPayments;
  let orphan: FacilitatorServer;

  before(async () => {
    demo = await startChain();
    orphan = await startFacilitator({
      settings: {
        network: 'eip155:84532',
        rpcUrl: 'http://127.0.0.1:9',
        privateKey: createWallet().privateKey,
        payTo: null,
      },
      clock: systemClock,
      logger: silentLogger,
    });
  });
  after(async () => {
    await orphan.close();
    await demo.close();
  });

  async function ask(url: string, operation: string, change: object = {}): Promise<Response> {
    const wallet = await createFundedWallet(demo);
    const payment = await signPayment(demo, wallet);
    return askFacilitator(`${url}/${operation}`, { ...offerOf(demo), ...change }, payment);
  }

  it('lists the one network it serves, in both protocol versions', async () => {
    const supported = (await (await fetch(`${demo.facilitatorUrl}/supported`)).json()) as {
      kinds: unknown[];
    };
    assert.deepEqual(supported.kinds, [
      { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    ]);
  });

  it('returns 503 instead of "invalid" if its chain is unreachable', async () => {
    assert.equal((await ask(orphan.url, 'verify')).status, 503);
    assert.equal((await ask(orphan.url, 'settle')).status, 503);
  });

  it('settles nothing for other payees', async () => {
    const stranger = { payTo: '0x00000000000000000000000000000000000000aa' };
    const verified = (await (await ask(demo.facilitatorUrl, 'verify', stranger)).json()) as {
      isValid: boolean;
    };
    assert.equal(verified.isValid, false);
    const settled = (await (await ask(demo.facilitatorUrl, 'settle', stranger)).json()) as {
      success: boolean;
    };
    assert.equal(settled.success, false);
  });

  it('returns 400 for malformed input', async () => {
    for (const body of [
      '{}',
      '{"paymentPayload":{},"paymentRequirements":{}}',
      '[',
      '{"paymentPayload":1}',
    ]) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${demo.facilitatorUrl}/verify`, { method: 'POST', headers, body });
      assert.ok(
        response.status === 400 || ((await response.json()) as { isValid: boolean }).isValid === false,
      );
    }
  });

  it('settles 12 concurrent payments from one wallet', async () => {
    const before = await demo.balanceOf(demo.payTo);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => (await ask(demo.facilitatorUrl, 'settle')).json()),
    );
    assert.ok(answers.every((answer) => (answer as { success: boolean }).success));
    assert.equal(await demo.balanceOf(demo.payTo), before + 12n * PRICE);
  });
});
