import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDemoPayments } from '../../simulator/chain/demo-payments.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { signPayment, wrapV2 } from './signing.ts';
import { createFundedWallet, FUNDS, PRICE, settingsOf, startPaidServer } from './support.ts';

describe('the payments command', () => {
  it('lists payments as a table, JSON and CSV, without signatures', async () => {
    const dataDir = makeTempFolder('commands');
    const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
    let demo = await startDemoPayments({ dataDir });
    const server = await startPaidServer({ settings: settingsOf(demo), payments: store.payments });
    const wallet = await createFundedWallet(demo);
    const headers = { x402: wrapV2(demo, await signPayment(demo, wallet)) };
    assert.equal((await fetch(`${server.url}/paid`, { headers })).status, 200);
    await server.close();
    await store.close();
    await demo.close();

    const list = (...args: string[]) => runCommand(['payments', 'list', ...args], { DATA_DIR: dataDir });
    const { out } = await list('--json');
    const [row] = JSON.parse(out) as Record<string, unknown>[];
    assert.deepEqual([row!.state, row!.amount], ['settled', String(PRICE)]);
    assert.equal(row!.payer, wallet.address.toLowerCase());
    assert.equal(out.includes('signature'), false);
    assert.match((await list()).out, /settled +10000/);
    assert.match((await list('--csv')).out, /^time,state,amount,payer,route,transaction,reason,/);
    assert.equal((await runCommand(['payments', 'nonsense'], { DATA_DIR: dataDir })).code, 2);

    demo = await startDemoPayments({ dataDir });
    assert.equal(demo.balanceOf(wallet.address), FUNDS - PRICE, 'a restarted demo restores its balances');
    await demo.close();
  });
});
